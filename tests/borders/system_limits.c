/* SPDX-License-Identifier: Apache-2.0 */
/* Calls with arguments at their limits fail as the system's do, and time passes where a wait gives up; tests/system has more.
 *
 * treadle:
 * expect: verdict complete
 */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <time.h>

static char stack[16384];
static volatile __int128 quotient;

static void divides(__int128 by)
{
    __int128 least = (__int128)1 << 127;
    quotient = least / by;
}

int main(void)
{
    struct timespec above = {0, 1000000000}, negative = {-1, 0}, second = {1, 0}, from,
                    to;
    stack_t s = {.ss_sp = stack, .ss_size = sizeof stack};
    sigset_t set;
    assert(nanosleep(&above, NULL) == -1 && errno == EINVAL);
    assert(nanosleep(&negative, NULL) == -1 && errno == EINVAL);
    assert(sigaltstack(&s, NULL) == 0);
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigprocmask(SIG_BLOCK, &set, NULL);
    clock_gettime(CLOCK_MONOTONIC, &from);
    if (sigtimedwait(&set, NULL, &second) == -1 && errno == EAGAIN) {
        clock_gettime(CLOCK_MONOTONIC, &to);
        assert(to.tv_sec > from.tv_sec);
    }
    divides(-1);
    return 0;
}
