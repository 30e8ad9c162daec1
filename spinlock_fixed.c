/* SPDX-License-Identifier: Apache-2.0 */
/* spinlock.c with test and set in one step. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

static atomic_int taken;
static atomic_int inside;

static bool try_enter(void)
{
    return atomic_exchange(&taken, 1) == 0;
}

static void leave(void)
{
    atomic_store(&taken, 0);
}

static void *worker(void *arg)
{
    if (!try_enter())
        return arg;
    int others = atomic_fetch_add(&inside, 1);
    assert(others == 0);
    atomic_fetch_sub(&inside, 1);
    leave();
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
