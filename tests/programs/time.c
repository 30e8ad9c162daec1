/* SPDX-License-Identifier: Apache-2.0 */
/* Sleeping takes no time; the clock moves by what was slept.
 *
 * treadle: --search=all
 * expect: runs 1
 * expect: verdict complete
 * expect: seconds 5 */
#include <assert.h>
#include <sched.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

int main(void)
{
    struct timespec before, after, nap = {100, 5000};
    struct timeval tv;
    time_t start = time(NULL);

    clock_gettime(CLOCK_MONOTONIC, &before);
    sleep(1000);
    usleep(500000);
    nanosleep(&nap, NULL);
    clock_nanosleep(CLOCK_MONOTONIC, 0, &nap, NULL);
    sched_yield();
    clock_gettime(CLOCK_MONOTONIC, &after);

    assert(after.tv_sec - before.tv_sec >= 1200);
    assert(after.tv_sec - before.tv_sec <= 1202);
    assert(time(NULL) - start >= 1200);
    gettimeofday(&tv, NULL);
    assert(tv.tv_sec - start >= 1200);
    return 0;
}
