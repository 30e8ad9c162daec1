/* SPDX-License-Identifier: Apache-2.0 */
/* race_sync_barrier.c with fences of the processor instead of a barrier of the compiler: what was
 * written before one is seen after the other. The top of the stack is a fence as well.
 *
 * treadle:
 * expect: verdict complete
 *
 * treadle:
 * cflags: -DSTACK
 * expect: verdict complete
 *
 * treadle:
 * cflags: -DLATE
 * expect: verdict bug
 * expect: finding race asm_fence.c:28 asm_fence.c:50 */
#include <pthread.h>

static int data;
static int flag;
static volatile int sink;

static void *worker(void *arg)
{
#ifdef LATE
    __atomic_store_n(&flag, 1, __ATOMIC_RELAXED);
    __asm__ volatile("sfence" ::: "memory");
#endif
    data = 42;
#ifndef LATE
#ifdef STACK
    __asm__ volatile("lock; addl $0,-4(%%rsp)" ::: "memory", "cc");
#else
    __asm__ volatile("sfence" ::: "memory");
#endif
    __atomic_store_n(&flag, 1, __ATOMIC_RELAXED);
#endif
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    if (__atomic_load_n(&flag, __ATOMIC_RELAXED)) {
#ifdef STACK
        __asm__ volatile("lock; orl $0,(%%rsp)" ::: "memory", "cc");
#else
        __asm__ volatile("lfence" ::: "memory");
#endif
        sink = data;
    }
    pthread_join(t, NULL);
    return 0;
}
