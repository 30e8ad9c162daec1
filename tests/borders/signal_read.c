/* SPDX-License-Identifier: Apache-2.0 */
/* A handler that does not restart calls ends a read that waits; poll is ended by any handler. With data there, neither is.
 *
 * treadle:
 * expect: verdict bug
 * expect: finding assert signal_read.c:58
 *
 * treadle:
 * args: again
 * expect: verdict complete
 *
 * treadle:
 * args: there
 * expect: verdict complete
 *
 * treadle:
 * args: restart poll
 * expect: verdict bug
 * expect: finding assert signal_read.c:51
 */
#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static int ends[2];
static pthread_t first;

static void handler(int s)
{
    (void)s;
}

static void *thread(void *arg)
{
    pthread_kill(first, SIGUSR1);
    if (!arg)
        (void)!write(ends[1], "x", 1);
    return arg;
}

static void waits(int argc, char mode)
{
    char byte;
    ssize_t n;
    if (argc > 2) {
        struct pollfd f = {.fd = ends[0], .events = POLLIN};
        int many = poll(&f, 1, -1);
        assert(many == 1);
        return;
    }
    do
        n = read(ends[0], &byte, 1);
    while (mode == 'a' && n < 0 && errno == EINTR);
    if (n < 0)
        assert(errno != EINTR);
    assert(n == 1);
}

int main(int argc, char **argv)
{
    pthread_t t;
    char mode = argc > 1 ? argv[1][0] : 0;
    struct sigaction act = {.sa_handler = handler,
                            .sa_flags = mode == 'r' ? SA_RESTART : 0};
    sigaction(SIGUSR1, &act, NULL);
    if (pipe(ends))
        return 0;
    if (mode == 't' && write(ends[1], "x", 1) != 1)
        return 0;
    first = pthread_self();
    pthread_create(&t, NULL, thread, mode == 't' ? &t : NULL);
    waits(argc, mode);
    pthread_join(t, NULL);
    return 0;
}
