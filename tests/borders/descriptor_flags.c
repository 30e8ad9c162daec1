/* SPDX-License-Identifier: Apache-2.0 */
/* One thread sets the flags of a file that the other one asks for.
 *
 * treadle:
 * expect: verdict bug
 * expect: finding assert descriptor_flags.c:33 */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>

static int fd, seen;

static void *sets(void *arg)
{
    fcntl(fd, F_SETFL, O_APPEND);
    return arg;
}

static void *asks(void *arg)
{
    seen = fcntl(fd, F_GETFL) & O_APPEND;
    return arg;
}

int main(void)
{
    pthread_t x, y;
    fd = open("/dev/null", O_WRONLY);
    pthread_create(&x, NULL, sets, NULL);
    pthread_create(&y, NULL, asks, NULL);
    pthread_join(x, NULL);
    pthread_join(y, NULL);
    assert(seen == 0);
    return 0;
}
