/* SPDX-License-Identifier: Apache-2.0 */
/* One thread changes attributes or the size of a file that the other one asks for: an order that is not explored.
 *
 * treadle:
 * expect: verdict incomplete
 * expect: ledger not watched file_mode.c:32 stat, on a file that another thread uses
 * treadle:
 * cflags: -g -DSIZE
 * expect: verdict incomplete
 * expect: ledger not watched file_mode.c:22 write, on a file that another thread uses */
#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

static struct stat st;

static void *changes(void *arg)
{
#ifdef SIZE
    int fd = open("mode", O_WRONLY);
    (void)!write(fd, "x", 1);
    close(fd);
#else
    chmod("mode", 0600);
#endif
    return arg;
}

static void *asks(void *arg)
{
    stat("mode", &st);
    return arg;
}

int main(void)
{
    close(open("mode", O_CREAT | O_WRONLY, 0644));
    pthread_t x, y;
    pthread_create(&x, NULL, changes, NULL);
    pthread_create(&y, NULL, asks, NULL);
    pthread_join(x, NULL);
    pthread_join(y, NULL);
    return 0;
}
