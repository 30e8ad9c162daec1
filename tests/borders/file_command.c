/* SPDX-License-Identifier: Apache-2.0 */
/* fcntl and ioctl of a file outside: what is known of their arguments is watched, the rest is a line.
 *
 * treadle: -k
 * expect: verdict bug
 * expect: finding race file_command.c:31 file_command.c:23
 *
 * expect: ledger not watched file_command.c:22 ioctl
 * expect: ledger race file_command.c:23
 */
#include <fcntl.h>
#include <pthread.h>
#include <sys/ioctl.h>
#include <unistd.h>

static struct flock lock = {.l_type = F_RDLCK};
static int unknown;

static void *thread(void *arg)
{
    int fd = open("/dev/null", O_RDWR);
    ioctl(fd, 0x5499, &unknown);
    fcntl(fd, F_GETLK, &lock);
    close(fd);
    return arg;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, thread, NULL);
    lock.l_start = 1;
    pthread_join(t, NULL);
    return 0;
}
