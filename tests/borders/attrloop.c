/* SPDX-License-Identifier: Apache-2.0 */
/* Each round changes an attribute object: the loop ends by itself, in abort.
 *
 * treadle:
 * expect: verdict bug
 * expect: finding abort attrloop.c:28
 */
#define _GNU_SOURCE 1
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#define GO(n)                                                                            \
    pthread_t th##n;                                                                     \
    pthread_create(&th##n, 0, t##n, 0)
#define JOIN(n) pthread_join(th##n, 0)
static atomic_int flag;
/* the counter is in an attribute object */
static void *t1(void *unused)
{
    static pthread_attr_t a;
    pthread_attr_init(&a);
    pthread_attr_setguardsize(&a, 0);
    while (!atomic_load(&flag)) {
        size_t n;
        pthread_attr_getguardsize(&a, &n);
        if (n == 3 * 4096)
            abort();
        pthread_attr_setguardsize(&a, n + 4096);
    }
    return 0;
}
static void *t2(void *unused)
{
    atomic_store(&flag, 1);
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
