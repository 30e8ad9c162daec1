/* SPDX-License-Identifier: Apache-2.0 */
/* Attributes are kept; none of them changes what is explored.
 *
 * treadle: --search=all
 * expect: runs 1
 * expect: events 1
 * expect: traces 1
 * expect: verdict complete
 * hand: 0
 *
 * treadle:
 * expect: runs 1
 * expect: events 0
 * expect: verdict complete
 * hand: 0 */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <time.h>

static void check(int want, int got)
{
    assert(want == got);
}

#define KEEPS(object, name, value)                                                       \
    do {                                                                                 \
        int back = -1;                                                                   \
        check(0, pthread_##object##_set##name(&object, value));                          \
        check(0, pthread_##object##_get##name(&object, &back));                          \
        check(value, back);                                                              \
    } while (0)

static void threads(void)
{
    pthread_attr_t attr, copy;
    struct sched_param param = {.sched_priority = 0};
    size_t size = 0;
    void *at = NULL;
    static char stack[1 << 16] __attribute__((aligned(64)));
    cpu_set_t set;
    sigset_t mask;
    CPU_ZERO(&set);
    CPU_SET(0, &set);
    sigemptyset(&mask);
    check(0, pthread_attr_init(&attr));
    KEEPS(attr, detachstate, PTHREAD_CREATE_DETACHED);
    KEEPS(attr, inheritsched, PTHREAD_EXPLICIT_SCHED);
    KEEPS(attr, schedpolicy, SCHED_OTHER);
    KEEPS(attr, scope, PTHREAD_SCOPE_SYSTEM);
    check(0, pthread_attr_setschedparam(&attr, &param));
    check(0, pthread_attr_getschedparam(&attr, &param));
    check(0, pthread_attr_setguardsize(&attr, 8192));
    check(0, pthread_attr_getguardsize(&attr, &size));
    check(8192, (int)size);
    check(0, pthread_attr_setstacksize(&attr, 1 << 20));
    check(0, pthread_attr_getstacksize(&attr, &size));
    check(1 << 20, (int)size);
    check(0, pthread_attr_setstack(&attr, stack, sizeof stack));
    check(0, pthread_attr_getstack(&attr, &at, &size));
    check(1, at == stack && size == sizeof stack);
    check(0, pthread_attr_setaffinity_np(&attr, sizeof set, &set));
    check(0, pthread_attr_getaffinity_np(&attr, sizeof set, &set));
    check(0, pthread_attr_setsigmask_np(&attr, &mask));
    check(0, pthread_attr_getsigmask_np(&attr, &mask));
    check(0, pthread_attr_destroy(&attr));
    check(0, pthread_getattr_default_np(&copy));
    check(0, pthread_setattr_default_np(&copy));
    check(0, pthread_attr_destroy(&copy));
}

static void mutexes(void)
{
    pthread_mutexattr_t mutexattr;
    check(0, pthread_mutexattr_init(&mutexattr));
    KEEPS(mutexattr, type, PTHREAD_MUTEX_RECURSIVE);
    KEEPS(mutexattr, pshared, PTHREAD_PROCESS_SHARED);
    KEEPS(mutexattr, pshared, PTHREAD_PROCESS_PRIVATE);
    KEEPS(mutexattr, robust, PTHREAD_MUTEX_ROBUST);
    KEEPS(mutexattr, robust, PTHREAD_MUTEX_STALLED);
    KEEPS(mutexattr, protocol, PTHREAD_PRIO_INHERIT);
    KEEPS(mutexattr, prioceiling, 20);
    check(0, pthread_mutexattr_destroy(&mutexattr));
}

static void others(void)
{
    pthread_condattr_t condattr;
    pthread_rwlockattr_t rwlockattr;
    pthread_barrierattr_t barrierattr;
    check(0, pthread_condattr_init(&condattr));
    KEEPS(condattr, clock, CLOCK_MONOTONIC);
    KEEPS(condattr, pshared, PTHREAD_PROCESS_SHARED);
    check(0, pthread_condattr_destroy(&condattr));
    check(0, pthread_rwlockattr_init(&rwlockattr));
    KEEPS(rwlockattr, kind_np, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
    KEEPS(rwlockattr, pshared, PTHREAD_PROCESS_SHARED);
    check(0, pthread_rwlockattr_destroy(&rwlockattr));
    check(0, pthread_barrierattr_init(&barrierattr));
    KEEPS(barrierattr, pshared, PTHREAD_PROCESS_SHARED);
    check(0, pthread_barrierattr_destroy(&barrierattr));
}

int main(void)
{
    threads();
    mutexes();
    others();
    return 0;
}
