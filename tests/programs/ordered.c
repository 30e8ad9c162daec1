/* SPDX-License-Identifier: Apache-2.0 */
/* Accesses ordered by create, by join and by a mutex: no race.
 *
 * treadle: --search=all
 * expect: runs 10
 * expect: verdict complete
 * hand: 0
 * model: main: create A, create B, join A, join B, exit
 * model: A: lock m, unlock m
 * model: B: lock m, unlock m */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int before, shared, after[2];

static void *worker(void *arg)
{
    assert(before == 1);
    pthread_mutex_lock(&m);
    shared++;
    pthread_mutex_unlock(&m);
    *(int *)arg = before;
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    before = 1;
    pthread_create(&a, NULL, worker, &after[0]);
    pthread_create(&b, NULL, worker, &after[1]);
    pthread_join(a, NULL);
    after[0]++;
    pthread_join(b, NULL);
    after[1]++;
    before = 2;
    assert(shared == 2 && after[0] == 2 && after[1] == 2);
    return 0;
}
