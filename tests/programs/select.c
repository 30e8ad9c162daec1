/* SPDX-License-Identifier: Apache-2.0 */
/* select on two pipes, and on a full one that is read.
 *
 * treadle: --search=all -k
 * agree: -k
 * expect: runs 3
 * expect: traces 3
 * expect: verdict complete
 * hand: 0
 * cflags: -D_GNU_SOURCE */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/select.h>
#include <unistd.h>

static int to[2], from[2];

static void *server(void *arg)
{
    char c[4096];
    assert(read(to[0], c, sizeof c) == 4096);
    assert(write(from[1], "", 1) == 1);
    return arg;
}

int main(void)
{
    pthread_t a;
    static char full[4096];
    assert(pipe(to) == 0 && pipe(from) == 0);
    assert(fcntl(to[1], F_SETPIPE_SZ, 4096) == 4096);
    assert(write(to[1], full, sizeof full) == 4096);
    pthread_create(&a, NULL, server, NULL);
    int end = (to[1] > from[0] ? to[1] : from[0]) + 1;
    fd_set in, out;
    FD_ZERO(&in);
    FD_SET(from[0], &in);
    assert(select(end, &in, NULL, NULL, NULL) == 1 && FD_ISSET(from[0], &in));
    FD_ZERO(&out);
    FD_SET(to[1], &out);
    struct timeval now = {0, 0};
    assert(select(end, &in, &out, NULL, &now) == 2 && FD_ISSET(to[1], &out));
    pthread_join(a, NULL);
    return 0;
}
