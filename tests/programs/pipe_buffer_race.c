/* SPDX-License-Identifier: Apache-2.0 */
/* A read writes to the thread's memory, and a write reads there.
 *
 * treadle: -k
 * expect: verdict bug
 * expect: finding race pipe_buffer_race.c:17 pipe_buffer_race.c:27
 * expect: ledger race pipe_buffer_race.c:17 */
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static int fds[2];
static char buffer[4];

static void *reader(void *arg)
{
    assert(read(fds[0], buffer, sizeof buffer) > 0);
    return arg;
}

int main(void)
{
    pthread_t a;
    assert(pipe(fds) == 0);
    pthread_create(&a, NULL, reader, NULL);
    assert(write(fds[1], "abcd", 4) == 4);
    int zero = buffer[2] == 0;
    pthread_join(a, NULL);
    assert(buffer[3] == 'd');
    return zero > 1;
}
