/* SPDX-License-Identifier: Apache-2.0 */
/* Loads of one variable do not order each other: 20 runs, 1 trace.
 *
 * treadle: --search=all
 * expect: runs 20
 * expect: events 9
 * expect: traces 1
 * expect: verdict complete
 * model: main: create A, 3* load x
 * model: A: 3* load x */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;
static volatile int sink[2];

static void *worker(void *arg)
{
    for (int i = 0; i < 3; i++)
        sink[0] = atomic_load(&x);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    for (int i = 0; i < 3; i++)
        sink[1] = atomic_load(&x);
    pthread_exit(NULL);
}
