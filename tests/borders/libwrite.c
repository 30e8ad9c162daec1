/* SPDX-License-Identifier: Apache-2.0 */
/* clock_gettime writes through its argument.
 *
 * treadle:
 * expect: verdict bug
 * expect: finding race libwrite.c:26 libwrite.c:21
 */
#define _GNU_SOURCE 1
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

#define GO(n)                                                                            \
    pthread_t th##n;                                                                     \
    pthread_create(&th##n, 0, t##n, 0)
#define JOIN(n) pthread_join(th##n, 0)
static atomic_int x;
static struct timespec g;
static void *t1(void *unused)
{
    clock_gettime(CLOCK_REALTIME, &g);
    return 0;
}
static void *t2(void *unused)
{
    int r = (int)g.tv_sec;
    atomic_store(&x, r);
    return 0;
}
int main(void)
{
    GO(1);
    GO(2);
    JOIN(1);
    JOIN(2);
    return 0;
}
