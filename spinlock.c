/* SPDX-License-Identifier: Apache-2.0 */
/* A hand-made try-lock: the test and the set are two steps. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

static atomic_int taken;
static atomic_int inside;

static bool try_enter(void)
{
    if (atomic_load(&taken))
        return false;
    atomic_store(&taken, 1);
    return true;
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
