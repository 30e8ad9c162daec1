/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of attributes write through their arguments.
 *
 * treadle:
 * expect: verdict bug
 * expect: finding race o_attrget.c:28 o_attrget.c:21
 */
#define _GNU_SOURCE 1
#include <pthread.h>
#include <stdatomic.h>

#define GO(n)                                                                            \
    pthread_t th##n;                                                                     \
    pthread_create(&th##n, 0, t##n, 0)
#define JOIN(n) pthread_join(th##n, 0)
static atomic_int x;
static size_t n;
static pthread_attr_t a;
static void *t1(void *unused)
{
    atomic_store(&x, (int)n);
    return 0;
}
int main(void)
{
    pthread_attr_init(&a);
    GO(1);
    pthread_attr_getstacksize(&a, &n);
    JOIN(1);
    return 0;
}
