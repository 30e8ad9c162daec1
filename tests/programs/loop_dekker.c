/* SPDX-License-Identifier: Apache-2.0 */
/* Dekker's lock, once each.
 *
 * treadle:
 * expect: runs 10
 * expect: events 48
 * expect: verdict complete
 *
 * treadle: --search=all
 * expect: runs 474
 * expect: events 75
 * expect: traces 9
 * expect: verdict complete */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int wants[2], turn;
static int count;

static void *worker(void *arg)
{
    int me = (int)(intptr_t)arg, other = 1 - me;
    atomic_store(&wants[me], 1);
    while (atomic_load(&wants[other])) {
        if (atomic_load(&turn) == me)
            continue;
        atomic_store(&wants[me], 0);
        while (atomic_load(&turn) != me)
            continue;
        atomic_store(&wants[me], 1);
    }
    count++;
    atomic_store(&turn, other);
    atomic_store(&wants[me], 0);
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
