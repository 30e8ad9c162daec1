/* SPDX-License-Identifier: Apache-2.0 */
/* Two threads close the same number: the second may hit a descriptor that was opened meanwhile.
 *
 * treadle: -k
 * expect: verdict bug
 * expect: finding race fd_double_close.c:17
 * expect: ledger race fd_double_close.c:17 */
#include <assert.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <unistd.h>

static int fd;

static void *closes(void *arg)
{
    close(fd);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    fd = eventfd(0, 0);
    assert(fd >= 0);
    pthread_create(&a, NULL, closes, NULL);
    pthread_create(&b, NULL, closes, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
