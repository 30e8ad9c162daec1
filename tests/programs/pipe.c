/* SPDX-License-Identifier: Apache-2.0 */
/* A byte through a pipe, and what was written before it. The read finds it there, or waits: two
 * traces.
 *
 * treadle: --search=all
 * expect: runs 2
 * expect: traces 2
 * expect: verdict complete
 * hand: 0
 *
 * treadle:
 * agree: --search=all
 * expect: runs 2
 * expect: verdict complete */
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static int fds[2], data;

static void *writer(void *arg)
{
    data = 5;
    assert(write(fds[1], "x", 1) == 1);
    return arg;
}

int main(void)
{
    pthread_t a;
    char c = 0;
    assert(pipe(fds) == 0);
    pthread_create(&a, NULL, writer, NULL);
    assert(read(fds[0], &c, 1) == 1);
    assert(c == 'x' && data == 5);
    pthread_join(a, NULL);
    return 0;
}
