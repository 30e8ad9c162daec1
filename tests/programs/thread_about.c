/* SPDX-License-Identifier: Apache-2.0 */
/* What a thread can be asked: processors, stack, clock, priority, concurrency.
 *
 * treadle: --search=all
 * expect: runs 1
 * expect: events 8
 * expect: traces 1
 * expect: verdict complete
 * hand: 0
 *
 * treadle:
 * expect: runs 1
 * expect: events 5
 * expect: verdict complete
 * hand: 0 */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stddef.h>
#include <time.h>

static void *worker(void *arg)
{
    pthread_attr_t attr;
    void *stack;
    size_t size;
    int rc = pthread_getattr_np(pthread_self(), &attr);
    assert(rc == 0);
    pthread_attr_getstack(&attr, &stack, &size);
    char *here = (char *)&attr;
    assert(here > (char *)stack && here < (char *)stack + size);
    pthread_attr_destroy(&attr);
    return arg;
}

int main(void)
{
    pthread_t t;
    cpu_set_t set;
    clockid_t clock;
    struct timespec now;
    struct sched_param param;
    int policy;
    pthread_create(&t, NULL, worker, NULL);
    int rc = pthread_getaffinity_np(pthread_self(), sizeof set, &set);
    assert(rc == 0 && CPU_COUNT(&set) > 0);
    rc = pthread_setaffinity_np(pthread_self(), sizeof set, &set);
    assert(rc == 0);
    rc = pthread_getcpuclockid(pthread_self(), &clock);
    assert(rc == 0 && clock_gettime(clock, &now) == 0);
    rc = pthread_getschedparam(pthread_self(), &policy, &param);
    assert(rc == 0 && policy == SCHED_OTHER && param.sched_priority == 0);
    rc = pthread_setconcurrency(3);
    assert(rc == 0 && pthread_getconcurrency() == 3);
    rc = pthread_atfork(NULL, NULL, NULL);
    assert(rc == 0);
    pthread_join(t, NULL);
    return 0;
}
