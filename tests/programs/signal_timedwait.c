/* SPDX-License-Identifier: Apache-2.0 */
/* A wait for a signal with a timeout; a look without waiting.
 *
 * treadle: --search=all
 * expect: runs 5
 * expect: events 30
 * expect: traces 5
 * expect: verdict complete
 * hand: 0
 *
 * treadle:
 * expect: runs 5
 * expect: events 15
 * expect: verdict complete
 * hand: 0 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <time.h>

static sigset_t set;

static void *waiter(void *arg)
{
    struct timespec second = {1, 0}, none = {0, 0};
    int number = sigtimedwait(&set, NULL, &second);
    if (number == -1) {
        assert(errno == EAGAIN);
        number = sigtimedwait(&set, NULL, &none);
    }
    assert(number == SIGUSR2 || (number == -1 && errno == EAGAIN));
    return arg;
}

int main(void)
{
    pthread_t t;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR2);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    pthread_create(&t, NULL, waiter, NULL);
    pthread_kill(t, SIGUSR2);
    pthread_join(t, NULL);
    return 0;
}
