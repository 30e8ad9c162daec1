/* SPDX-License-Identifier: Apache-2.0 */
/* Three loads and two stores: a trace for each way to place the stores among the loads.
 *
 * treadle: --search=all
 * expect: runs 10
 * expect: events 54
 * expect: traces 10
 * expect: verdict complete
 * model: main: create A, 2* store x
 * model: A: 3* load x */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;
static volatile int sink;

static void *worker(void *arg)
{
    for (int i = 0; i < 3; i++)
        sink = atomic_load(&x);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    atomic_store(&x, 1);
    atomic_store(&x, 2);
    pthread_exit(NULL);
}
