/* SPDX-License-Identifier: Apache-2.0 */
/* The exit code depends on the schedule.
 *
 * treadle: --search=all --exit-code=ignore
 * expect: runs 3
 * expect: traces 3
 * expect: verdict complete
 * model: main: create A, load x, exit
 * model: A: store x 1
 *
 * treadle: --search=all
 * expect: verdict bug
 * expect: says exit code 1
 * expect: finding exit
 *
 * treadle: --search=all --exit-code -k
 * expect: runs 3
 * expect: verdict bug
 * expect: finding exit */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *worker(void *arg)
{
    atomic_store(&x, 1);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    return atomic_load(&x);
}
