/* SPDX-License-Identifier: Apache-2.0 */
/* Sleeps are cancellation points, too.
 *
 * treadle: --search=all
 * expect: runs 18
 * expect: events 38
 * expect: traces 5
 * expect: verdict complete
 * hand: 0
 *
 * treadle:
 * expect: runs 5
 * expect: events 23
 * expect: verdict complete
 * hand: 0 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <time.h>
#include <unistd.h>

static atomic_int n;

static void *worker(void *arg)
{
    struct timespec second = {1, 0};
    sleep(1);
    atomic_fetch_add(&n, 1);
    usleep(1);
    atomic_fetch_add(&n, 1);
    nanosleep(&second, NULL);
    atomic_fetch_add(&n, 1);
    clock_nanosleep(CLOCK_REALTIME, 0, &second, NULL);
    return arg;
}

int main(void)
{
    pthread_t t;
    void *value;
    pthread_create(&t, NULL, worker, NULL);
    pthread_cancel(t);
    pthread_join(t, &value);
    assert(value == PTHREAD_CANCELED || n == 3);
    return 0;
}
