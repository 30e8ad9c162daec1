/* SPDX-License-Identifier: Apache-2.0 */
/* A reference is dropped in two steps: both threads can see that the other one is left, or
 * both that they are the last. FIXED: one step.
 *
 * treadle:
 * expect: verdict bug
 * expect: finding assert classic_refcount.c:45
 *
 * treadle:
 * cflags: -DFIXED
 * expect: verdict complete
 * hand: 0 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int n_users = 2, n_freed;

static void drop(void)
{
#ifdef FIXED
    int n = atomic_fetch_sub(&n_users, 1) - 1;
#else
    int n = atomic_load(&n_users) - 1;
    atomic_store(&n_users, n);
#endif
    if (n == 0)
        atomic_fetch_add(&n_freed, 1);
}

static void *worker(void *arg)
{
    drop();
    return arg;
}

int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, worker, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    int freed = atomic_load(&n_freed);
    assert(freed == 1);
    return 0;
}
