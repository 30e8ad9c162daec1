/* SPDX-License-Identifier: Apache-2.0 */
/* A full pipe makes its writer wait; what was done before the read is ordered before what comes
 * behind the write. A large write goes in parts.
 *
 * treadle: --search=all -k
 * agree: -k
 * expect: runs 576
 * expect: traces 288
 * expect: verdict complete
 * hand: 0
 * cflags: -D_GNU_SOURCE */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

static int fds[2], taken;
static char big[10000];

static void *writer(void *arg)
{
    assert(write(fds[1], big, 4096) == 4096);
    assert(write(fds[1], big, 2) == 2);
    assert(taken == 1);
    assert(write(fds[1], big, sizeof big) == sizeof big);
    close(fds[1]);
    return arg;
}

int main(void)
{
    pthread_t a;
    char c[10000];
    long n = 0, sum = 0;
    memset(big, 'b', sizeof big);
    assert(pipe(fds) == 0);
    assert(fcntl(fds[0], F_SETPIPE_SZ, 4096) == 4096);
    pthread_create(&a, NULL, writer, NULL);
    taken = 1;
    while ((n = read(fds[0], c, sizeof c)) > 0) {
        assert(c[0] == 'b' && c[n - 1] == 'b');
        sum += n;
    }
    assert(n == 0 && sum == 14098);
    pthread_join(a, NULL);
    return 0;
}
