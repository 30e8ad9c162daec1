/* SPDX-License-Identifier: Apache-2.0 */
/* A thread reads from a number that another one closes and opens again.
 *
 * treadle:
 * expect: verdict incomplete
 * expect: ledger not watched descriptor_stale.c:24 read, on a file that another thread uses */
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

static int fd;
static char c;
static long n;

static void *opens_again(void *arg)
{
    close(fd);
    open("/dev/zero", O_RDONLY);
    return arg;
}

static void *reads(void *arg)
{
    n = read(fd, &c, 1);
    return arg;
}

int main(void)
{
    fd = open("/dev/null", O_RDONLY);
    pthread_t x, y;
    pthread_create(&x, NULL, opens_again, NULL);
    pthread_create(&y, NULL, reads, NULL);
    pthread_join(x, NULL);
    pthread_join(y, NULL);
    return (int)n * 0;
}
