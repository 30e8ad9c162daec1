/* SPDX-License-Identifier: Apache-2.0 */
/* A descriptor is closed while another thread uses it: a race on its number. In a program that
 * polls all calls are ordered; there both orders are tried.
 *
 * treadle: --search=all -k
 * agree: -k
 * expect: runs 3
 * expect: traces 2
 * expect: verdict bug
 * expect: finding race pipe_close.c:31 pipe_close.c:42
 * expect: finding assert pipe_close.c:44
 * expect: ledger race pipe_close.c:31
 * expect: ledger race pipe_close.c:42
 *
 * treadle: --search=all -k
 * cflags: -DPOLLS
 * agree: -k
 * expect: runs 2
 * expect: traces 2
 * expect: verdict bug
 * expect: finding assert pipe_close.c:44 */
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <unistd.h>

static int fds[2];

static void *closer(void *arg)
{
    close(fds[0]);
    return arg;
}

int main(void)
{
    pthread_t a;
    char c;
    assert(pipe(fds) == 0);
    assert(write(fds[1], "x", 1) == 1);
    pthread_create(&a, NULL, closer, NULL);
    long n = read(fds[0], &c, 1);
    pthread_join(a, NULL);
    assert(n == 1);
#ifdef POLLS
    assert(poll(NULL, 0, 0) == 0);
#endif
    return 0;
}
