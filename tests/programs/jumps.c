/* SPDX-License-Identifier: Apache-2.0 */
/* setjmp and longjmp inside threads, across operations.
 *
 * treadle: --search=all
 * expect: runs 19
 * expect: verdict complete
 * hand: 0
 * model: main: create A, create B, join A, join B, exit
 * model: A: store x, store x
 * model: B: store y, store y */
#include <pthread.h>
#include <setjmp.h>
#include <stdatomic.h>

static atomic_int cell[2];

static void thrower(jmp_buf env, atomic_int *c)
{
    atomic_store(c, 1);
    longjmp(env, 1);
}

static void *worker(void *arg)
{
    jmp_buf env;
    if (setjmp(env) == 0)
        thrower(env, arg);
    atomic_store((atomic_int *)arg, 2);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, worker, &cell[0]);
    pthread_create(&b, NULL, worker, &cell[1]);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
