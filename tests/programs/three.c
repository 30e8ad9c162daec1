/* SPDX-License-Identifier: Apache-2.0 */
/* Three threads of n operations, created inside an atomic section, where no choice is
 * made: the multinomial (3n)! / n!^3.
 *
 * treadle: --search=all
 * args: 1
 * expect: runs 6
 * expect: traces 1
 * expect: verdict complete
 * model: main: begin, create A, create B, create C, end
 * model: A: 1* store x
 * model: B: 1* store y
 * model: C: 1* store z
 *
 * treadle: --search=all
 * args: 2
 * expect: runs 90
 * expect: traces 1
 * expect: verdict complete
 * model: main: begin, create A, create B, create C, end
 * model: A: 2* store x
 * model: B: 2* store y
 * model: C: 2* store z
 *
 * treadle: --search=all
 * args: 3
 * expect: runs 1680
 * expect: events 18
 * expect: traces 1
 * expect: verdict complete
 * model: main: begin, create A, create B, create C, end
 * model: A: 3* store x
 * model: B: 3* store y
 * model: C: 3* store z */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static atomic_int cell[3];
static int n;

static void *worker(void *arg)
{
    for (int i = 0; i < n; i++)
        atomic_store((atomic_int *)arg, i);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t t;
    n = atoi(argv[argc - 1]);
    __VERIFIER_atomic_begin();
    for (int i = 0; i < 3; i++)
        pthread_create(&t, NULL, worker, &cell[i]);
    __VERIFIER_atomic_end();
    pthread_exit(NULL);
}
