/* SPDX-License-Identifier: Apache-2.0 */
/* What is written behind the byte is not ordered by it. Fixed: pipe.c.
 *
 * treadle: --search=all -k
 * agree: -k
 * expect: runs 7
 * expect: traces 4
 * expect: verdict bug
 * expect: finding race pipe_race.c:19 pipe_race.c:30 */
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static int fds[2], data;

static void *writer(void *arg)
{
    assert(write(fds[1], "x", 1) == 1);
    data = 5;
    return arg;
}

int main(void)
{
    pthread_t a;
    char c = 0;
    assert(pipe(fds) == 0);
    pthread_create(&a, NULL, writer, NULL);
    assert(read(fds[0], &c, 1) == 1);
    int got = data;
    pthread_join(a, NULL);
    return got > 5;
}
