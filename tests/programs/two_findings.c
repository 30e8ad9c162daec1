/* SPDX-License-Identifier: Apache-2.0 */
/* Two assertions fail in different schedules; with -k both are found.
 *
 * treadle: --search=all -k
 * expect: runs 3
 * expect: verdict bug
 * expect: finding assert two_findings.c:20
 * expect: finding assert two_findings.c:21
 * model: main: create A, store x 1, store x 2, join A, exit
 * model: A: load x a, check a != 1, check a != 2 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *worker(void *arg)
{
    int a = atomic_load(&x);
    assert(a != 1);
    assert(a != 2);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    atomic_store(&x, 1);
    atomic_store(&x, 2);
    pthread_join(t, NULL);
    return 0;
}
