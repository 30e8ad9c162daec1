/* SPDX-License-Identifier: Apache-2.0 */
/* Addresses that nobody in the process has: the kernel is asked, and what it does cannot be undone. The options
 * that were set before go with the socket.
 *
 * treadle:
 * expect: verdict complete
 * expect: ledger cannot be undone connect_outside.c:23 connect
 */
#include <assert.h>
#include <errno.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

int main(void)
{
    struct sockaddr_in in = {.sin_family = AF_INET, .sin_port = htons(1)};
    int s = socket(AF_INET, SOCK_STREAM, 0), yes = 1;
    socklen_t size = sizeof yes;
    in.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    assert(setsockopt(s, SOL_SOCKET, SO_KEEPALIVE, &yes, sizeof yes) == 0);
    /* One of the system. */
    assert(connect(s, (struct sockaddr *)&in, sizeof in) == -1 && errno == ECONNREFUSED);
    assert(getsockopt(s, SOL_SOCKET, SO_KEEPALIVE, &yes, &size) == 0 && yes);
    in.sin_addr.s_addr = htonl(0xc0000201); /* 192.0.2.1 */
    assert(bind(s, (struct sockaddr *)&in, sizeof in) == -1);
    return close(s);
}
