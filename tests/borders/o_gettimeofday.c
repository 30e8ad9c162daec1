/* SPDX-License-Identifier: Apache-2.0 */
/* gettimeofday writes through its argument.
 *
 * treadle:
 * expect: verdict bug
 * expect: finding race o_gettimeofday.c:28 o_gettimeofday.c:22
 */
#define _GNU_SOURCE 1
#include <pthread.h>
#include <stdatomic.h>
#include <sys/time.h>
#include <time.h>

#define GO(n)                                                                            \
    pthread_t th##n;                                                                     \
    pthread_create(&th##n, 0, t##n, 0)
#define JOIN(n) pthread_join(th##n, 0)
static atomic_int x;
static struct timeval b;
static void *t1(void *unused)
{
    atomic_store(&x, (int)b.tv_sec);
    return 0;
}
int main(void)
{
    GO(1);
    gettimeofday(&b, 0);
    JOIN(1);
    return 0;
}
