/* SPDX-License-Identifier: Apache-2.0 */
/* A pipe that is closed by the number of the system call: the reader sees its end.
 *
 * treadle:
 * expect: verdict complete
 * treadle: --search=all
 * expect: verdict complete */
#include <pthread.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static int ends[2];

static void *write_and_close(void *arg)
{
    if (write(ends[1], "x", 1) != 1 || syscall(SYS_close, ends[1]) != 0)
        abort();
    return arg;
}

int main(void)
{
    pthread_t t;
    char byte;
    int n = 0;
    if (pipe(ends) != 0)
        return 1;
    pthread_create(&t, NULL, write_and_close, NULL);
    while (read(ends[0], &byte, 1) == 1)
        n++;
    pthread_join(t, NULL);
    if (n != 1 || syscall(SYS_close, ends[0]) != 0)
        abort();
    return 0;
}
