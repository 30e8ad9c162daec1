/* SPDX-License-Identifier: Apache-2.0 */
/* A backlog of 0 takes one connection: the second connect waits until the first is accepted, and for ever if
 * nobody accepts.
 *
 * treadle: --search=all -k
 * args: accept
 * expect: runs 4
 * expect: traces 4
 * expect: verdict complete
 * hand: 0
 *
 * treadle:
 * args: accept
 * agree: --search=all
 * expect: verdict complete
 *
 * treadle:
 * expect: verdict bug
 * expect: finding deadlock */
#include <assert.h>
#include <netinet/in.h>
#include <pthread.h>
#include <sys/socket.h>

static int s;

/* accept finds the first connection there or waits for it; in either case it can come before or behind the second
 * connect, which then finds room or waits: 2 x 2 traces. */
static void *server(void *arg)
{
    assert(accept(s, NULL, NULL) >= 0);
    return arg;
}

int main(int n, char **args)
{
    pthread_t a;
    socklen_t size = sizeof(struct sockaddr_in);
    struct sockaddr_in in = {.sin_family = AF_INET};
    (void)args;
    in.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    s = socket(AF_INET, SOCK_STREAM, 0);
    int c = socket(AF_INET, SOCK_STREAM, 0), d = socket(AF_INET, SOCK_STREAM, 0);
    assert(bind(s, (struct sockaddr *)&in, sizeof in) == 0 && listen(s, 0) == 0);
    assert(getsockname(s, (struct sockaddr *)&in, &size) == 0);
    if (n > 1)
        pthread_create(&a, NULL, server, NULL);
    assert(connect(c, (struct sockaddr *)&in, sizeof in) == 0);
    assert(connect(d, (struct sockaddr *)&in, sizeof in) == 0);
    if (n > 1)
        pthread_join(a, NULL);
    return 0;
}
