/* SPDX-License-Identifier: Apache-2.0 */
/* dup gives the lowest number that is free: 0 if the other thread has closed it.
 *
 * treadle:
 * expect: verdict bug
 * expect: finding assert descriptor_lowest.c:32 */
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static int got;

static void *closes(void *arg)
{
    close(0);
    return arg;
}

static void *copies(void *arg)
{
    got = dup(1);
    return arg;
}

int main(void)
{
    pthread_t x, y;
    pthread_create(&x, NULL, closes, NULL);
    pthread_create(&y, NULL, copies, NULL);
    pthread_join(x, NULL);
    pthread_join(y, NULL);
    assert(got != 0);
    return 0;
}
