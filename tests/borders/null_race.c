/* SPDX-License-Identifier: Apache-2.0 */
/* A crash, and the race that is its cause.
 *
 * treadle: -k
 * cflags: -g -O1
 * expect: verdict bug
 * expect: finding crash null_race.c:15
 * expect: finding race null_race.c:15 null_race.c:23 */
#include <pthread.h>

static int x, *p;

static void *f(void *a)
{
    *p = 17;
    return a;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, f, NULL);
    p = &x;
    pthread_join(t, NULL);
    return 0;
}
