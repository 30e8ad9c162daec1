/* SPDX-License-Identifier: Apache-2.0 */
/* Nobody writes what the loop waits for: a livelock.
 *
 * treadle:
 * cflags: -g -O0
 * expect: verdict bug
 * expect: finding livelock spin_nobody.c:18
 * treadle: -k
 * cflags: -g -O2
 * expect: verdict bug
 * expect: finding livelock spin_nobody.c:18 */
#include <pthread.h>

static volatile int flag;

static void *f(void *a)
{
    while (!flag)
        continue;
    return a;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, f, NULL);
    pthread_join(t, NULL);
    return 0;
}
