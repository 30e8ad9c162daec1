/* SPDX-License-Identifier: Apache-2.0 */
/* Four threads of 2 operations: 8! / 2!^4, all on one variable, so 2520 traces.
 *
 * treadle: --search=all
 * expect: runs 2520
 * expect: events 13651
 * expect: traces 2520
 * expect: verdict complete
 * model: main: begin, create A, create B, create C, create D, end
 * model: A: 2* rmw x x+1
 * model: B: 2* rmw x x+1
 * model: C: 2* rmw x x+1
 * model: D: 2* rmw x x+1 */
#include <pthread.h>
#include <stdatomic.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static atomic_int x;

static void *worker(void *arg)
{
    atomic_fetch_add(&x, 1);
    atomic_fetch_add(&x, 1);
    return arg;
}

int main(void)
{
    pthread_t t;
    __VERIFIER_atomic_begin();
    for (int i = 0; i < 4; i++)
        pthread_create(&t, NULL, worker, NULL);
    __VERIFIER_atomic_end();
    pthread_exit(NULL);
}
