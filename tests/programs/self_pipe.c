/* SPDX-License-Identifier: Apache-2.0 */
/* The self-pipe: whoever adds work writes a byte, so that a wait comes back; no byte is lost.
 *
 * treadle: --search=all -k
 * agree: -k
 * expect: runs 7
 * expect: traces 3
 * expect: verdict complete
 * hand: 0
 * cflags: -D_GNU_SOURCE */
#include <assert.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int fds[2], work;

static void *adds(void *arg)
{
    pthread_mutex_lock(&m);
    work++;
    pthread_mutex_unlock(&m);
    assert(write(fds[1], "", 1) == 1);
    return arg;
}

static int take(void)
{
    pthread_mutex_lock(&m);
    int got = work;
    work = 0;
    pthread_mutex_unlock(&m);
    return got;
}

int main(void)
{
    pthread_t a;
    char c[8];
    assert(pipe2(fds, O_NONBLOCK | O_CLOEXEC) == 0);
    pthread_create(&a, NULL, adds, NULL);
    while (take() == 0) {
        struct pollfd p = {.fd = fds[0], .events = POLLIN};
        assert(poll(&p, 1, -1) == 1 && p.revents == POLLIN);
        assert(read(fds[0], c, sizeof c) == 1);
    }
    pthread_join(a, NULL);
    return 0;
}
