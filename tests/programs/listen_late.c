/* SPDX-License-Identifier: Apache-2.0 */
/* A client that comes before listen is refused: it is bound already, so that nobody else can have the address.
 * Found if the client does not expect it.
 *
 * treadle: --search=all -k
 * args: expects
 * expect: runs 2
 * expect: traces 2
 * expect: verdict complete
 * hand: 0
 *
 * treadle:
 * expect: verdict bug
 * expect: finding assert listen_late.c:30 */
#include <assert.h>
#include <errno.h>
#include <netinet/in.h>
#include <pthread.h>
#include <sys/socket.h>

static struct sockaddr_in in = {.sin_family = AF_INET};
static int c;

static void *client(void *expects)
{
    int result = connect(c, (struct sockaddr *)&in, sizeof in);
    if (expects)
        assert(result == 0 || errno == ECONNREFUSED);
    else
        assert(result == 0);
    return NULL;
}

int main(int n, char **args)
{
    pthread_t a;
    socklen_t size = sizeof in;
    int s = socket(AF_INET, SOCK_STREAM, 0);
    c = socket(AF_INET, SOCK_STREAM, 0);
    in.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    assert(bind(s, (struct sockaddr *)&in, size) == 0);
    assert(getsockname(s, (struct sockaddr *)&in, &size) == 0);
    pthread_create(&a, NULL, client, n > 1 ? args[1] : NULL);
    assert(listen(s, 1) == 0);
    pthread_join(a, NULL);
    return 0;
}
