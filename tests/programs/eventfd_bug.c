/* SPDX-License-Identifier: Apache-2.0 */
/* A plain eventfd: one read takes all. Fixed: eventfd.c.
 *
 * treadle: --search=all -k
 * agree: -k
 * expect: runs 17
 * expect: traces 10
 * expect: verdict bug
 * expect: finding deadlock eventfd_bug.c:20 */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/eventfd.h>

static int fd;

static void *taker(void *arg)
{
    eventfd_t n;
    assert(eventfd_read(fd, &n) == 0 && n == 2);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    fd = eventfd(0, 0);
    pthread_create(&a, NULL, taker, NULL);
    pthread_create(&b, NULL, taker, NULL);
    assert(eventfd_write(fd, 2) == 0);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
