/* SPDX-License-Identifier: Apache-2.0 */
/* A ticket lock, three threads, twice each.
 *
 * treadle:
 * expect: runs 197
 * expect: events 813
 * expect: verdict complete */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int next, serving;
static int count;

static void *worker(void *arg)
{
    for (int i = 0; i < 2; i++) {
        int mine = atomic_fetch_add(&next, 1);
        while (atomic_load(&serving) != mine)
            continue;
        count++;
        atomic_store(&serving, mine + 1);
    }
    return arg;
}

int main(void)
{
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, worker, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    assert(count == 6);
    return 0;
}
