/* SPDX-License-Identifier: Apache-2.0 */
/* longjmp to the stack of another thread.
 *
 * treadle: --search=all -k --time=20s
 * verdict: bug incomplete complete
 * runs: 1 */
#include <pthread.h>
#include <setjmp.h>
#include <stdatomic.h>

static jmp_buf env;
static atomic_int x;

static void *worker(void *arg)
{
    atomic_store(&x, 1);
    longjmp(env, 1);
    return arg;
}

int main(void)
{
    pthread_t t;
    if (setjmp(env) == 0)
        pthread_create(&t, NULL, worker, NULL);
    atomic_store(&x, 2);
    pthread_join(t, NULL);
    return 0;
}
