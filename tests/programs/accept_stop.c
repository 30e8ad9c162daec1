/* SPDX-License-Identifier: Apache-2.0 */
/* shutdown of a listener ends accept, whenever it comes; close does not, and is a race with it.
 *
 * treadle: --search=all -k
 * expect: runs 2
 * expect: traces 2
 * expect: verdict complete
 * hand: 0
 *
 * treadle:
 * args: close
 * expect: verdict bug
 * expect: finding race accept_stop.c:39 accept_stop.c:25 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static int s;

static void *server(void *arg)
{
    assert(accept(s, NULL, NULL) == -1 && (errno == EINVAL || errno == EBADF));
    return arg;
}

int main(int n, char **args)
{
    pthread_t a;
    struct sockaddr_un un = {.sun_family = AF_UNIX};
    (void)args;
    s = socket(AF_UNIX, SOCK_STREAM, 0);
    assert(bind(s, (struct sockaddr *)&un, sizeof un.sun_family) == 0 &&
           listen(s, 1) == 0);
    pthread_create(&a, NULL, server, NULL);
    if (n > 1)
        assert(close(s) == 0);
    else
        assert(shutdown(s, SHUT_RDWR) == 0);
    pthread_join(a, NULL);
    return 0;
}
