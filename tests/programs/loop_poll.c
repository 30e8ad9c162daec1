/* SPDX-License-Identifier: Apache-2.0 */
/* poll without waiting, until there is something to read. With an argument nobody writes.
 *
 * treadle: --search=all
 * expect: runs 3
 * expect: traces 2
 * expect: verdict complete
 * treadle:
 * expect: runs 3
 * expect: events 9
 * expect: verdict complete
 * treadle: --search=all
 * args: x
 * expect: runs 1
 * expect: traces 1
 * expect: verdict bug
 * expect: finding livelock loop_poll.c:51
 * treadle:
 * args: x
 * expect: runs 1
 * expect: events 3
 * expect: verdict bug
 * expect: finding livelock loop_poll.c:51 */
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stddef.h>
#include <unistd.h>

static int fds[2];

static void *writes(void *arg)
{
    if (arg)
        return arg;
    ssize_t n = write(fds[1], "x", 1);
    assert(n == 1);
    return arg;
}

int main(int argc, char **argv)
{
    pthread_t t;
    char c = 0;
    struct pollfd p = {.events = POLLIN};
    if (pipe(fds) != 0)
        return 1;
    p.fd = fds[0];
    pthread_create(&t, NULL, writes, argc > 1 ? argv[1] : NULL);
    while (poll(&p, 1, 0) == 0)
        sched_yield();
    ssize_t n = read(fds[0], &c, 1);
    assert(n == 1 && c == 'x');
    pthread_join(t, NULL);
    return 0;
}
