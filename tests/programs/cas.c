/* SPDX-License-Identifier: Apache-2.0 */
/* A failed exchange only reads: of three, those that fail after the same success commute.
 *
 * treadle: --search=all
 * expect: runs 6
 * expect: events 24
 * expect: traces 3
 * expect: verdict complete
 * model: main: begin, create A, create B, create C, end
 * model: A: cas x 0 1
 * model: B: cas x 0 2
 * model: C: cas x 0 3 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static atomic_int x;

static void *worker(void *arg)
{
    int zero = 0;
    atomic_compare_exchange_strong(&x, &zero, (int)(intptr_t)arg);
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
