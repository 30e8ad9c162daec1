/* SPDX-License-Identifier: Apache-2.0 */
/* strtod reads a text that another thread writes.
 *
 * treadle:
 * expect: verdict bug
 * expect: finding race libread.c:27 libread.c:22
 */
#define _GNU_SOURCE 1
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#define GO(n)                                                                            \
    pthread_t th##n;                                                                     \
    pthread_create(&th##n, 0, t##n, 0)
#define JOIN(n) pthread_join(th##n, 0)
static atomic_int x;
/* the C library reads shared memory: a race */
static char g[64] = "abc";
static void *t1(void *unused)
{
    atomic_store(&x, (int)strtod(g, 0));
    return 0;
}
static void *t2(void *unused)
{
    g[0] = '1';
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
