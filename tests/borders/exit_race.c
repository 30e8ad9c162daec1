/* SPDX-License-Identifier: Apache-2.0 */
/* A destructor reads what a detached thread may still write.
 *
 * treadle:
 * expect: verdict bug
 * expect: finding race exit_race.c:14 exit_race.c:20
 */
#include <pthread.h>

static int x, seen;

static void *set(void *p)
{
    x = 1;
    return p;
}

__attribute__((destructor)) static void fin(void)
{
    seen = x;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, set, 0);
    pthread_detach(t);
    return seen;
}
