/* SPDX-License-Identifier: Apache-2.0 */
/* cas.c by assembly: a failed exchange only reads. The same for sixteen bytes, of which only the
 * second half differs.
 *
 * treadle: --search=all
 * expect: runs 6
 * expect: events 24
 * expect: traces 3
 * expect: verdict complete
 * model: main: begin, create A, create B, create C, end
 * model: A: cas x 0 1
 * model: B: cas x 0 2
 * model: C: cas x 0 3
 *
 * treadle: --search=all
 * cflags: -DWIDE
 * expect: runs 6
 * expect: events 24
 * expect: traces 3
 * expect: verdict complete */
#include <pthread.h>
#include <stdint.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

#ifdef WIDE
static uint64_t x[2] __attribute__((aligned(16)));

static void exchange(uint64_t n)
{
    uint64_t low = 0, high = 0;
    char same;
    __asm__ volatile("lock; cmpxchg16b %0; sete %1"
                     : "+m"(x), "=q"(same), "+a"(low), "+d"(high)
                     : "b"((uint64_t)0), "c"(n)
                     : "memory", "cc");
}
#else
static int x;

static void exchange(uint64_t n)
{
    int zero = 0;
    __asm__ volatile("lock ; cmpxchg %3, %1"
                     : "=a"(zero), "=m"(x)
                     : "a"(zero), "r"((int)n)
                     : "memory");
}
#endif

static void *worker(void *arg)
{
    exchange((uintptr_t)arg);
    return NULL;
}

int main(void)
{
    pthread_t t;
    __VERIFIER_atomic_begin();
    for (intptr_t i = 1; i <= 3; i++)
        pthread_create(&t, NULL, worker, (void *)i);
    __VERIFIER_atomic_end();
    pthread_exit(NULL);
}
