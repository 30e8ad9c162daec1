/* SPDX-License-Identifier: Apache-2.0 */
/* One thread accepts, another one connects: accept finds the connection, or waits for it. Two traces. What was
 * written before connect is ordered before what comes behind accept.
 *
 * treadle: --search=all
 * expect: runs 2
 * expect: traces 2
 * expect: verdict complete
 * hand: 0
 *
 * treadle:
 * agree: --search=all
 * expect: runs 2
 * expect: verdict complete
 *
 * treadle: --search=all
 * args: inet
 * expect: runs 2
 * expect: traces 2
 * expect: verdict complete */
#include <assert.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/socket.h>
#include <sys/un.h>

static int s, c, data;
static struct sockaddr_in in = {.sin_family = AF_INET};
static struct sockaddr_un un = {.sun_family = AF_UNIX, .sun_path = "\0listen"};

static void *client(void *arg)
{
    data = 1;
    if (arg)
        assert(connect(c, (struct sockaddr *)&in, sizeof in) == 0);
    else
        assert(connect(c, (struct sockaddr *)&un,
                       offsetof(struct sockaddr_un, sun_path) + 7) == 0);
    return NULL;
}

int main(int n, char **args)
{
    pthread_t a;
    socklen_t size = sizeof in;
    int domain = n > 1 ? AF_INET : AF_UNIX;
    in.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    s = socket(domain, SOCK_STREAM, 0);
    c = socket(domain, SOCK_STREAM, 0);
    if (n > 1)
        assert(bind(s, (struct sockaddr *)&in, size) == 0 &&
               getsockname(s, (struct sockaddr *)&in, &size) == 0);
    else
        assert(bind(s, (struct sockaddr *)&un,
                    offsetof(struct sockaddr_un, sun_path) + 7) == 0);
    assert(listen(s, 1) == 0);
    pthread_create(&a, NULL, client, n > 1 ? args[1] : NULL);
    assert(accept(s, NULL, NULL) >= 0);
    assert(data == 1);
    pthread_join(a, NULL);
    return 0;
}
