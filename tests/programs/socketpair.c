/* SPDX-License-Identifier: Apache-2.0 */
/* A pair of sockets goes both ways; shutdown ends one of them.
 *
 * treadle: --search=all -k
 * agree: -k
 * expect: runs 20
 * expect: traces 12
 * expect: verdict complete
 * hand: 0 */
#include <assert.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

static int fds[2];

static void *server(void *arg)
{
    char c;
    int sum = 0;
    while (recv(fds[1], &c, 1, 0) == 1)
        sum += c;
    c = (char)sum;
    assert(send(fds[1], &c, 1, 0) == 1);
    return arg;
}

int main(void)
{
    pthread_t a;
    char c = 2;
    assert(socketpair(AF_UNIX, SOCK_STREAM, 0, fds) == 0);
    pthread_create(&a, NULL, server, NULL);
    assert(send(fds[0], &c, 1, 0) == 1);
    assert(shutdown(fds[0], SHUT_WR) == 0);
    assert(recv(fds[0], &c, 1, MSG_WAITALL) == 1 && c == 2);
    pthread_join(a, NULL);
    return 0;
}
