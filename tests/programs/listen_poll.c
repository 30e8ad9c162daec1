/* SPDX-License-Identifier: Apache-2.0 */
/* A connection is watched from some point on, in no order with those who write to it: poll finds what was written
 * before it was watched and after.
 *
 * treadle: --search=all -k
 * agree: -k
 * expect: verdict complete
 * hand: 0
 *
 * treadle: --search=all -k
 * args: inet
 * agree: -k
 * expect: verdict complete
 * hand: 0 */
#include <assert.h>
#include <netinet/in.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static struct sockaddr_storage at;
static socklen_t size = sizeof at;

static void *client(void *arg)
{
    int c = *(int *)arg;
    assert(connect(c, (struct sockaddr *)&at, size) == 0);
    assert(write(c, "a", 1) == 1 && close(c) == 0);
    return NULL;
}

int main(int n, char **args)
{
    pthread_t a;
    char byte;
    struct epoll_event e = {.events = EPOLLIN};
    struct sockaddr_in in = {.sin_family = AF_INET};
    struct sockaddr_un un = {.sun_family = AF_UNIX};
    int domain = n > 1 ? AF_INET : AF_UNIX, loop = epoll_create1(0);
    int s = socket(domain, SOCK_STREAM, 0), c = socket(domain, SOCK_STREAM, 0);
    (void)args;
    in.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (n > 1)
        assert(bind(s, (struct sockaddr *)&in, sizeof in) == 0);
    else
        assert(bind(s, (struct sockaddr *)&un, sizeof un.sun_family) == 0);
    assert(getsockname(s, (struct sockaddr *)&at, &size) == 0 && listen(s, 1) == 0);
    pthread_create(&a, NULL, client, &c);
    int got = accept(s, NULL, NULL);
    assert(epoll_ctl(loop, EPOLL_CTL_ADD, got, &e) == 0);
    for (int i = 0; i < 2; i++) {
        assert(epoll_wait(loop, &e, 1, -1) == 1 && (e.events & EPOLLIN));
        assert(read(got, &byte, 1) == 1 - i);
    }
    pthread_join(a, NULL);
    return 0;
}
