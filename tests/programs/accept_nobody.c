/* SPDX-License-Identifier: Apache-2.0 */
/* accept waits for ever: two threads take connections, and there is one. Each of the two can get it, having
 * waited for it or not.
 *
 * treadle: -k
 * expect: verdict bug
 * expect: finding deadlock
 *
 * treadle: -k
 * args: two
 * agree: --search=all -k
 * expect: verdict complete */
#include <assert.h>
#include <pthread.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static int s;
static struct sockaddr_un un;
static socklen_t size = sizeof un;

static void *server(void *arg)
{
    assert(accept(s, NULL, NULL) >= 0);
    return arg;
}

int main(int n, char **args)
{
    pthread_t a, b;
    (void)args;
    s = socket(AF_UNIX, SOCK_STREAM, 0);
    un.sun_family = AF_UNIX;
    assert(bind(s, (struct sockaddr *)&un, sizeof un.sun_family) == 0);
    assert(getsockname(s, (struct sockaddr *)&un, &size) == 0 && listen(s, 8) == 0);
    pthread_create(&a, NULL, server, NULL);
    pthread_create(&b, NULL, server, NULL);
    for (int i = 0; i < n; i++)
        assert(connect(socket(AF_UNIX, SOCK_STREAM, 0), (struct sockaddr *)&un, size) ==
               0);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
