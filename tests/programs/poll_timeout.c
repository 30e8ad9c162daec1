/* SPDX-License-Identifier: Apache-2.0 */
/* A timeout may come or not; a timeout of 0 is a look.
 *
 * treadle: -k
 * agree: --search=all -k
 * expect: verdict bug
 * expect: finding assert poll_timeout.c:39
 *
 * treadle: -k
 * args: look
 * agree: --search=all -k
 * expect: verdict complete
 *
 * treadle: -k
 * args: nobody writes
 * agree: --search=all -k
 * expect: verdict bug
 * expect: finding assert poll_timeout.c:39 */
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <unistd.h>

static int fds[2];

static void *writer(void *arg)
{
    assert(arg || write(fds[1], "x", 1) == 1);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t a;
    assert(pipe(fds) == 0);
    pthread_create(&a, NULL, writer, argc > 2 ? argv : NULL);
    struct pollfd p = {.fd = fds[0], .events = POLLIN};
    int n = poll(&p, 1, argc == 2 ? 0 : 100);
    assert(argc == 2 || n == 1);
    assert(n == (p.revents == POLLIN));
    pthread_join(a, NULL);
    return 0;
}
