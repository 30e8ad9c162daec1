/* SPDX-License-Identifier: Apache-2.0 */
/* Without the turn both wait for each other for ever.
 *
 * treadle: -k
 * expect: runs 17
 * expect: events 56
 * expect: verdict bug
 * expect: finding livelock loop_peterson_wrong.c:21 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int wants[2];
static int count;

static void *worker(void *arg)
{
    int me = (int)(intptr_t)arg, other = 1 - me;
    for (int i = 0; i < 2; i++) {
        atomic_store(&wants[me], 1);
        while (atomic_load(&wants[other]))
            continue;
        count++;
        atomic_store(&wants[me], 0);
    }
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    for (intptr_t i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, worker, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
