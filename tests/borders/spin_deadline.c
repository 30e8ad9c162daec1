/* SPDX-License-Identifier: Apache-2.0 */
/* Waits for a plain variable until some time has passed: the loop ends by itself.
 *
 * treadle:
 * cflags: -g -O1
 * expect: verdict bug
 * expect: finding abort spin_deadline.c:19 */
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

static volatile int flag;

static void *f(void *a)
{
    time_t start = time(NULL);
    while (!flag)
        if (time(NULL) > start + 5)
            abort();
    return a;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, f, NULL);
    pthread_join(t, NULL);
    return 0;
}
