/* SPDX-License-Identifier: Apache-2.0 */
/* time writes through its argument.
 *
 * treadle:
 * expect: verdict bug
 * expect: finding race o_time.c:27 o_time.c:21
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
static time_t b;
static void *t1(void *unused)
{
    atomic_store(&x, (int)b);
    return 0;
}
int main(void)
{
    GO(1);
    time(&b);
    JOIN(1);
    return 0;
}
