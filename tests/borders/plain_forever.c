/* SPDX-License-Identifier: Apache-2.0 */
/* A loop without end that writes a plain variable: no timer decides, the race is reported at
 * once.
 *
 * treadle:
 * cflags: -g -O0
 * expect: verdict bug
 * expect: finding race plain_forever.c:21 plain_forever.c:29
 * treadle:
 * cflags: -g -O2
 * expect: verdict bug
 * expect: finding race plain_forever.c:21 plain_forever.c:29 */
#include <assert.h>
#include <pthread.h>

static volatile int x;

static void *f(void *a)
{
    for (;;)
        x = 0;
    return a;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, f, NULL);
    x = 1;
    assert(x == 1);
    return 0;
}
