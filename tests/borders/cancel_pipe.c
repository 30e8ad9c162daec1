/* SPDX-License-Identifier: Apache-2.0 */
/* A thread that waits at a pipe is cancelled there: no deadlock.
 *
 * treadle:
 * expect: verdict complete
 */
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <unistd.h>

static int ends[2];

static void *reads(void *arg)
{
    char byte;
    (void)read(ends[0], &byte, 1);
    return arg;
}

static void *polls(void *arg)
{
    struct pollfd f = {.fd = ends[0], .events = POLLIN};
    poll(&f, 1, -1);
    return arg;
}

int main(void)
{
    pthread_t t[2];
    void *result;
    if (pipe(ends))
        return 0;
    pthread_create(&t[0], NULL, reads, NULL);
    pthread_create(&t[1], NULL, polls, NULL);
    for (int i = 0; i < 2; i++) {
        pthread_cancel(t[i]);
        pthread_join(t[i], &result);
        assert(result == PTHREAD_CANCELED);
    }
    return 0;
}
