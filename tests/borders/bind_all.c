/* SPDX-License-Identifier: Apache-2.0 */
/* A socket bound to all interfaces takes connections of threads; those from outside are not explored.
 *
 * treadle:
 * expect: verdict incomplete
 * expect: ledger not modelled bind_all.c:32 connections from outside
 */
#include <assert.h>
#include <netinet/in.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

static struct sockaddr_in in = {.sin_family = AF_INET};

static void *client(void *arg)
{
    int c = socket(AF_INET, SOCK_STREAM, 0);
    in.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    assert(connect(c, (struct sockaddr *)&in, sizeof in) == 0 && write(c, "a", 1) == 1);
    close(c);
    return arg;
}

int main(void)
{
    pthread_t a;
    socklen_t size = sizeof in;
    char byte;
    int s = socket(AF_INET, SOCK_STREAM, 0);
    /* To 0.0.0.0. */
    assert(bind(s, (struct sockaddr *)&in, sizeof in) == 0 && listen(s, 1) == 0);
    assert(getsockname(s, (struct sockaddr *)&in, &size) == 0);
    pthread_create(&a, NULL, client, NULL);
    int c = accept(s, NULL, NULL);
    assert(read(c, &byte, 1) == 1 && byte == 'a' && close(c) == 0);
    pthread_join(a, NULL);
    return close(s);
}
