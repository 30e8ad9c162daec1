/* SPDX-License-Identifier: Apache-2.0 */
/* Attributes that say how a function is to be optimised do not keep it from being instrumented.
 *
 * treadle: --search=all
 * expect: runs 3
 * expect: verdict complete
 * model: main: create A, store x, store y
 * model: A: load x */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;

#ifdef __clang__
__attribute__((noinline, optnone, cold))
#endif
static int
look(void)
{
    return atomic_load(&x);
}

#ifdef __clang__
__attribute__((minsize, hot, flatten))
#endif
static void
change(atomic_int *at)
{
    atomic_store(at, 1);
}

static void *worker(void *arg)
{
    return look() ? arg : NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    change(&x);
    change(&y);
    pthread_join(t, NULL);
    return 0;
}
