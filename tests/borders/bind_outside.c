/* SPDX-License-Identifier: Apache-2.0 */
/* An interface that others reach is the kernel's.
 *
 * treadle:
 * expect: verdict complete
 * expect: ledger cannot be undone bind_outside.c:21 bind
 */
#include <assert.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

int main(void)
{
    struct sockaddr_in in = {.sin_family = AF_INET};
    int s = socket(AF_INET, SOCK_STREAM, 0);
    in.sin_addr.s_addr = htonl(0xc0000201); /* 192.0.2.1 */
    /* The machine does not have it. */
    assert(bind(s, (struct sockaddr *)&in, sizeof in) == -1 && errno == EADDRNOTAVAIL);
    return close(s);
}
