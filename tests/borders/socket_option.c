/* SPDX-License-Identifier: Apache-2.0 */
/* getsockopt writes as many bytes as its length says in the end.
 *
 * treadle:
 * expect: verdict bug
 * expect: finding race socket_option.c:27 socket_option.c:18
 */
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

static int option[2];

static void *thread(void *arg)
{
    int s = socket(AF_UNIX, SOCK_STREAM, 0);
    socklen_t length = sizeof option;
    getsockopt(s, SOL_SOCKET, SO_TYPE, option, &length);
    close(s);
    return arg;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, thread, NULL);
    option[1] = 1;
    option[0] = 1;
    pthread_join(t, NULL);
    return 0;
}
