/* SPDX-License-Identifier: Apache-2.0 */
/* The byte is written before the work is there, and is read too early. Fixed: self_pipe.c.
 *
 * treadle: --search=all -k
 * agree: -k
 * expect: runs 37
 * expect: traces 5
 * expect: verdict bug
 * expect: finding deadlock self_pipe_bug.c:46
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
    assert(write(fds[1], "", 1) == 1);
    pthread_mutex_lock(&m);
    work++;
    pthread_mutex_unlock(&m);
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
        assert(poll(&p, 1, -1) == 1);
        assert(read(fds[0], c, sizeof c) == 1);
    }
    pthread_join(a, NULL);
    return 0;
}
