/* SPDX-License-Identifier: Apache-2.0 */
/* A function of libm writes through a pointer: a race.
 *
 * treadle:
 * expect: verdict bug
 * expect: finding race libmath.c:22 libmath.c:28
 */
#define _GNU_SOURCE 1
#include <assert.h>
#include <math.h>
#include <pthread.h>

#define GO(n)                                                                            \
    pthread_t th##n;                                                                     \
    pthread_create(&th##n, 0, t##n, 0)
#define JOIN(n) pthread_join(th##n, 0)
// cc: -lm
static int g;
static void *t1(void *unused)
{
    volatile double d = 8;
    double r = frexp(d, &g);
    (void)r;
    return 0;
}
static void *t2(void *unused)
{
    int r = g;
    assert(r != 4);
    return 0;
}
int main(void)
{
    GO(2);
    GO(1);
    JOIN(1);
    JOIN(2);
    return 0;
}
