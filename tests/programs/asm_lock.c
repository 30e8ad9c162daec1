/* SPDX-License-Identifier: Apache-2.0 */
/* A spin lock made of assembly: xchg takes it, mov gives it, pause waits. What it protects is plain
 * memory. WRONG: it is tested and then set.
 *
 * treadle:
 * expect: verdict complete
 *
 * treadle:
 * cflags: -DWRONG
 * expect: verdict bug
 * expect: finding race asm_lock.c:47 asm_lock.c:47 */
#include <assert.h>
#include <pthread.h>

static int lock;
static int data;

static int load(const int *p)
{
    int v;
    __asm__ volatile("movl %1, %0" : "=q"(v) : "m"(*p) : "memory");
    return v;
}

static void store(int *p, int v)
{
    __asm__ volatile("movl %1, %0" : "=m"(*p) : "iq"(v) : "memory");
}

static int exchange(int *p, int v)
{
    __asm__ volatile("xchgl %0, %1" : "+m"(*p), "+q"(v) : : "memory");
    return v;
}

static void *worker(void *arg)
{
#ifdef WRONG
    while (load(&lock))
        __asm__ volatile("pause" ::: "memory");
    store(&lock, 1);
#else
    while (exchange(&lock, 1))
        while (load(&lock))
            __asm__ volatile("pause" ::: "memory");
#endif
    data++;
    store(&lock, 0);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    worker(NULL);
    pthread_join(t, NULL);
    assert(data == 2);
    return 0;
}
