/* SPDX-License-Identifier: Apache-2.0 */
/* A barrier of the compiler alone is no fence.
 *
 * treadle:
 * expect: verdict bug
 * expect: finding race race_sync_barrier.c:18 race_sync_barrier.c:30
 * treadle: --search=all
 * expect: verdict bug
 * expect: finding race race_sync_barrier.c:18 race_sync_barrier.c:30 */
#include <pthread.h>

static int data;
static int flag;
static volatile int sink;

static void *worker(void *arg)
{
    data = 42;
    __asm__ volatile("" ::: "memory");
    __atomic_store_n(&flag, 1, __ATOMIC_RELAXED);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    if (__atomic_load_n(&flag, __ATOMIC_RELAXED)) {
        __sync_synchronize();
        sink = data;
    }
    pthread_join(t, NULL);
    return 0;
}
