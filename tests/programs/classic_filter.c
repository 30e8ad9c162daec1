/* SPDX-License-Identifier: Apache-2.0 */
/* A filter lock with one level too few for three threads: two get through. FIXED: a level
 * for all but one.
 *
 * treadle:
 * expect: verdict bug
 * expect: finding assert classic_filter.c:44
 *
 * treadle:
 * cflags: -DFIXED
 * expect: verdict complete
 * hand: 0 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifdef FIXED
enum { THREADS = 3, LEVELS = THREADS };
#else
enum { THREADS = 3, LEVELS = THREADS - 1 };
#endif

static atomic_int level[THREADS], victim[LEVELS], n_inside;

static int is_above(int me, int mine)
{
    for (int i = 0; i < THREADS; i++)
        if (i != me && atomic_load(&level[i]) >= mine)
            return 1;
    return 0;
}

static void *worker(void *arg)
{
    int me = (int)(intptr_t)arg;
    for (int l = 1; l < LEVELS; l++) {
        atomic_store(&level[me], l);
        atomic_store(&victim[l], me);
        while (atomic_load(&victim[l]) == me && is_above(me, l))
            continue;
    }
    int others = atomic_fetch_add(&n_inside, 1);
    assert(others == 0);
    atomic_fetch_sub(&n_inside, 1);
    atomic_store(&level[me], 0);
    return NULL;
}

int main(void)
{
    pthread_t t[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&t[i], NULL, worker, (void *)(intptr_t)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], NULL);
    return 0;
}
