/* SPDX-License-Identifier: Apache-2.0 */
/* A timeout may come or not; a timeout of 0 is a look.
 *
 * treadle: --search=all -k
 * agree: -k
 * expect: runs 4
 * expect: traces 4
 * expect: verdict bug
 * expect: finding assert poll_timeout.c:45
 *
 * treadle: --search=all -k
 * args: look
 * agree: -k
 * expect: runs 2
 * expect: traces 2
 * expect: verdict complete
 *
 * treadle: --search=all -k
 * args: nobody writes
 * agree: -k
 * expect: runs 2
 * expect: traces 2
 * expect: verdict bug
 * expect: finding assert poll_timeout.c:45 */
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
