/* SPDX-License-Identifier: Apache-2.0 */
/* A write that nobody will ever read ends the process; unless the signal is ignored, or not sent.
 *
 * treadle: --search=all -k
 * agree: -k
 * expect: runs 3
 * expect: traces 2
 * expect: verdict bug
 * expect: finding crash pipe_broken.c:47
 *
 * treadle: -k
 * args: ignore
 * expect: verdict complete
 * hand: 0
 *
 * treadle: --search=all -k
 * args: socket
 * agree: -k
 * expect: runs 4
 * expect: traces 2
 * expect: verdict complete
 * hand: 0 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

static int fds[2];

static void *closer(void *arg)
{
    close(fds[0]);
    return arg;
}

int main(int argc, char **argv)
{
    pthread_t a;
    int is_socket = argc > 1 && argv[1][0] == 's';
    long n;
    if (argc > 1 && !is_socket)
        signal(SIGPIPE, SIG_IGN);
    assert((is_socket ? socketpair(AF_UNIX, SOCK_STREAM, 0, fds) : pipe(fds)) == 0);
    pthread_create(&a, NULL, closer, NULL);
    n = is_socket ? send(fds[1], "x", 1, MSG_NOSIGNAL) : write(fds[1], "x", 1);
    assert(n == 1 || (n == -1 && errno == EPIPE));
    pthread_join(a, NULL);
    return 0;
}
