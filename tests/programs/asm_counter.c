/* SPDX-License-Identifier: Apache-2.0 */
/* Two threads add by locked assembly: every addition is one operation. Without the prefix it is a
 * load and a store, and a data race.
 *
 * treadle: --search=all
 * expect: runs 6
 * expect: traces 6
 * expect: verdict complete
 * model: main: create A, rmw x, rmw x
 * model: A: rmw x, rmw x
 *
 * treadle:
 * cflags: -DUNLOCKED
 * expect: verdict bug
 * expect: finding race asm_counter.c:29 asm_counter.c:29 */
#include <pthread.h>

#ifdef UNLOCKED
#define LOCK ""
#else
#define LOCK "lock; "
#endif

static int x;

static void add(int n)
{
    /* Both clobbers are those of liburcu. */
    __asm__ volatile(LOCK "addl %1, %0" : "+m"(x) : "ir"(n) : "memory");
}

static void *worker(void *arg)
{
    add(1);
    add(1);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    add(1);
    add(1);
    pthread_exit(NULL);
}
