/* SPDX-License-Identifier: Apache-2.0 */
/* A thread waits in read of a connection that is not watched yet; another one polls it. Both see what comes.
 *
 * treadle: --search=all -k
 * agree: -k
 * expect: verdict complete
 * hand: 0
 *
 * treadle:
 * args: lost
 * expect: verdict bug
 * expect: finding deadlock */
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

static int fds[2];

static void *reader(void *arg)
{
    char byte;
    assert(read(fds[0], &byte, 1) == 1);
    return arg;
}

/* What it sees the reader may have taken. */
static void *watcher(void *arg)
{
    struct pollfd p = {.fd = fds[0], .events = POLLIN};
    assert(poll(&p, 1, arg ? -1 : 0) >= 0);
    assert(p.revents == 0 || p.revents == POLLIN);
    return NULL;
}

int main(int n, char **args)
{
    pthread_t a, b;
    assert(socketpair(AF_UNIX, SOCK_STREAM, 0, fds) == 0);
    close(socket(AF_UNIX, SOCK_STREAM, 0)); /* streams are apart */
    pthread_create(&a, NULL, reader, NULL);
    pthread_create(&b, NULL, watcher, n > 1 ? args[1] : NULL);
    assert(write(fds[1], "a", 1) == 1);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
