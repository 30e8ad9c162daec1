/* SPDX-License-Identifier: Apache-2.0 */
/* A number may be passed on by a relaxed atomic, and a number that was closed is used again for
 * another file: no races.
 *
 * treadle: --search=all -k
 * agree: -k
 * expect: verdict complete
 * hand: 0 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int passed;
static int data;

static void *writer(void *arg)
{
    int fd = atomic_load_explicit(&passed, memory_order_relaxed);
    data = 1;
    if (fd > 0)
        assert(close(fd) == 0);
    return arg;
}

int main(void)
{
    pthread_t a;
    int fds[2], other[2];
    char c;
    pthread_create(&a, NULL, writer, NULL);
    assert(pipe(fds) == 0);
    int copy = dup(fds[1]);
    atomic_store_explicit(&passed, copy, memory_order_relaxed);
    assert(close(fds[1]) == 0);
    assert(pipe(other) == 0 && other[0] == fds[1]);
    assert(write(other[1], "x", 1) == 1 && read(other[0], &c, 1) == 1);
    pthread_join(a, NULL);
    assert(data == 1);
    return 0;
}
