/* SPDX-License-Identifier: Apache-2.0 */
/* A division by zero that needs a schedule: main must store before the thread loads.
 *
 * treadle: --search=all
 * expect: verdict bug
 * expect: finding crash divide.c:16 */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int d = 1;
static volatile int sink;

static void *worker(void *arg)
{
    int n = atomic_load(&d);
    sink = 100 / n;
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    atomic_store(&d, 0);
    pthread_join(t, NULL);
    return 0;
}
