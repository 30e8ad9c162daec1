/* SPDX-License-Identifier: Apache-2.0 */
/* getrandom writes a buffer that another thread reads.
 *
 * treadle:
 * expect: verdict bug
 * expect: finding race o_getrandom.c:27 o_getrandom.c:21
 */
#define _GNU_SOURCE 1
#include <pthread.h>
#include <stdatomic.h>
#include <sys/random.h>

#define GO(n)                                                                            \
    pthread_t th##n;                                                                     \
    pthread_create(&th##n, 0, t##n, 0)
#define JOIN(n) pthread_join(th##n, 0)
static atomic_int x;
static char b[8];
static void *t1(void *unused)
{
    atomic_store(&x, b[0]);
    return 0;
}
int main(void)
{
    GO(1);
    getrandom(b, 8, 0);
    JOIN(1);
    return 0;
}
