/* SPDX-License-Identifier: Apache-2.0
 * Stops memcached once it has started: its main loop is entered through this function, and then a
 * thread asks for a graceful stop, as an administrator does. The main loop looks at its events
 * without waiting, as if its clock ticked all the time: else a run could end in that wait. */
#include <event2/event.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static pthread_t main_thread, stopper;
static int has_stopper;

__attribute__((constructor)) static void remember_main(void)
{
    main_thread = pthread_self();
}

static void *stop(void *arg)
{
    kill(getpid(), SIGUSR1);
    return arg;
}

int loop_then_stop(struct event_base *base, int flags)
{
    if (!pthread_equal(pthread_self(), main_thread))
        return event_base_loop(base, flags);
    if (!has_stopper) {
        has_stopper = 1;
        pthread_create(&stopper, NULL, stop, NULL);
    }
    return event_base_loop(base, flags | EVLOOP_NONBLOCK);
}
