/* SPDX-License-Identifier: Apache-2.0 */
/* Sleeps and yields are no operations: the counts are those without them.
 *
 * treadle: --search=all
 * expect: runs 20
 * expect: traces 1
 * expect: verdict complete
 * expect: seconds 10
 * model: main: create A, 3* store x
 * model: A: 3* store y */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int x, y;

static void *worker(void *arg)
{
    for (int i = 0; i < 3; i++) {
        sleep(100);
        atomic_store(&y, i);
        sched_yield();
    }
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    for (int i = 0; i < 3; i++) {
        usleep(1000000);
        atomic_store(&x, i);
        sched_yield();
    }
    pthread_exit(NULL);
}
