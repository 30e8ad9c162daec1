/* SPDX-License-Identifier: Apache-2.0 */
/* Writes of up to "PIPE_BUF" bytes are not torn; two of 3000 do not fit into a pipe of 4096 at once.
 *
 * treadle: --search=all -k
 * agree: -k
 * expect: runs 20
 * expect: traces 16
 * expect: verdict complete
 * hand: 0
 * cflags: -D_GNU_SOURCE */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

static int fds[2];

static void *writer(void *arg)
{
    char text[3000];
    memset(text, arg ? 'a' : 'b', sizeof text);
    assert(write(fds[1], text, sizeof text) == sizeof text);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    char c[3000];
    assert(pipe(fds) == 0);
    assert(fcntl(fds[0], F_SETPIPE_SZ, 4096) == 4096);
    pthread_create(&a, NULL, writer, "");
    pthread_create(&b, NULL, writer, NULL);
    for (int i = 0; i < 2; i++) {
        assert(read(fds[0], c, sizeof c) == sizeof c);
        assert(c[0] == c[1] && c[0] == c[2999]);
    }
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
