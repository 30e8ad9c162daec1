/* SPDX-License-Identifier: Apache-2.0 */
/* An eventfd as a semaphore: a post of 2 lets two threads go on.
 *
 * treadle: --search=all -k
 * agree: -k
 * expect: runs 21
 * expect: traces 10
 * expect: verdict complete
 * hand: 0 */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <unistd.h>

static int fd, data;

static void *taker(void *arg)
{
    uint64_t n = 0;
    assert(read(fd, &n, sizeof n) == sizeof n && n == 1);
    assert(data == 3);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    fd = eventfd(0, EFD_SEMAPHORE);
    assert(fd >= 0);
    pthread_create(&a, NULL, taker, NULL);
    pthread_create(&b, NULL, taker, NULL);
    data = 3;
    assert(eventfd_write(fd, 2) == 0);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
