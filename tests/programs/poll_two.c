/* SPDX-License-Identifier: Apache-2.0 */
/* poll on two pipes, one writer each: it finds the first, the second or both.
 *
 * treadle: --search=all -k
 * agree: -k
 * expect: runs 10
 * expect: traces 8
 * expect: verdict bug
 * expect: finding assert poll_two.c:43
 * expect: finding assert poll_two.c:44
 * expect: finding assert poll_two.c:45 */
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <unistd.h>

static int one[2], two[2];

static void *first(void *arg)
{
    assert(write(one[1], "1", 1) == 1);
    return arg;
}

static void *second(void *arg)
{
    assert(write(two[1], "2", 1) == 1);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    assert(pipe(one) == 0 && pipe(two) == 0);
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    struct pollfd p[3] = {{.fd = one[0], .events = POLLIN},
                          {.fd = -1, .events = POLLIN, .revents = 9},
                          {.fd = two[0], .events = POLLIN | POLLOUT}};
    int n = poll(p, 3, -1);
    assert(n == (p[0].revents == POLLIN) + (p[2].revents == POLLIN));
    assert(n > 0 && p[1].revents == 0);
    assert(!p[0].revents || p[2].revents);
    assert(p[0].revents || !p[2].revents);
    assert(n == 1);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
