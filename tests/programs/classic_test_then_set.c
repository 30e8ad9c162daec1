/* SPDX-License-Identifier: Apache-2.0 */
/* A lock that is looked at and then taken, in two steps. FIXED: an exchange. Who does not get
 * it gives up.
 *
 * treadle:
 * expect: verdict bug
 * expect: finding assert classic_test_then_set.c:34
 *
 * treadle:
 * cflags: -DFIXED
 * expect: verdict complete
 * hand: 0 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int is_held, n_inside;

static int try_lock(void)
{
#ifdef FIXED
    return !atomic_exchange(&is_held, 1);
#else
    if (atomic_load(&is_held))
        return 0;
    atomic_store(&is_held, 1);
    return 1;
#endif
}

static void section(void)
{
    int others = atomic_fetch_add(&n_inside, 1);
    assert(others == 0);
    atomic_fetch_sub(&n_inside, 1);
}

static void *worker(void *arg)
{
    if (try_lock()) {
        section();
        atomic_store(&is_held, 0);
    }
    return arg;
}

int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, worker, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
