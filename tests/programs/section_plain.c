/* SPDX-License-Identifier: Apache-2.0 */
/* Plain accesses inside atomic sections are ordered by them: no race.
 *
 * treadle: --search=all
 * expect: runs 5
 * expect: traces 2
 * expect: verdict complete
 * model: main: create A, create B, join A, join B, exit
 * model: A: begin, end
 * model: B: begin, end */
#include <assert.h>
#include <pthread.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static int n;

static void *worker(void *arg)
{
    __VERIFIER_atomic_begin();
    n++;
    __VERIFIER_atomic_end();
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(n == 2);
    return 0;
}
