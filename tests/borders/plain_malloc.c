/* SPDX-License-Identifier: Apache-2.0 */
/* A loop that waits for a plain variable, and takes and gives memory in each round: that is a race,
 * not a loop without end.
 *
 * treadle:
 * cflags: -O0
 * expect: finding race plain_malloc.c:16 plain_malloc.c:25
 * expect: verdict bug */
#include <pthread.h>
#include <stdlib.h>

static volatile int flag;

static void *waits(void *arg)
{
    while (!flag)
        free(malloc(8));
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, waits, NULL);
    flag = 1;
    pthread_join(t, NULL);
    return 0;
}
