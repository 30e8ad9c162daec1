/* SPDX-License-Identifier: Apache-2.0 */
/* All clocks are one: none runs backwards from one thread to the next, whatever it is called.
 *
 * treadle: -k
 * expect: verdict complete */
#include <assert.h>
#include <pthread.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/times.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static double last;

static double of_clock(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static double of_day(void)
{
    struct timeval t;
    gettimeofday(&t, NULL);
    return (double)t.tv_sec + (double)t.tv_usec * 1e-6;
}

static double of_standard(void)
{
    struct timespec t;
    assert(timespec_get(&t, TIME_UTC) == TIME_UTC);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void pass(double now)
{
    assert(now > last - 1e-5);
    last = now;
}

static void *ask(void *arg)
{
    struct rusage usage;
    sleep(1);
    pthread_mutex_lock(&m);
    pass(of_clock(CLOCK_REALTIME));
    pass(of_day());
    pass(of_standard());
    assert((double)time(NULL) > last - 1.5);
    clock_t before = clock();
    assert(times(NULL) >= 0 && getrusage(RUSAGE_SELF, &usage) == 0);
    sleep(1);
    assert(clock() > before);
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, ask, NULL);
    pthread_create(&b, NULL, ask, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
