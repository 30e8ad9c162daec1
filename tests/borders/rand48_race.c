/* SPDX-License-Identifier: Apache-2.0 */
/* drand48 and its kin share a sequence that nobody guards.
 *
 * treadle:
 * expect: finding race rand48_race.c:12 rand48_race.c:18
 * expect: verdict bug */
#include <pthread.h>
#include <stdlib.h>

static void *draw(void *arg)
{
    *(long *)arg = lrand48();
    return NULL;
}

static void *shake(void *arg)
{
    srand48(3);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    long x;
    pthread_create(&a, NULL, draw, &x);
    pthread_create(&b, NULL, shake, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
