/* SPDX-License-Identifier: Apache-2.0 */
/* The loop counts in an attribute object.
 *
 * treadle:
 * cflags: -g -O0
 * expect: verdict bug
 * expect: finding abort attrloop.c:27
 * treadle:
 * cflags: -g -O1
 * expect: verdict bug
 * expect: finding abort attrloop.c:27 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int flag;

static void *t1(void *a)
{
    static pthread_attr_t attr;
    size_t n;
    pthread_attr_init(&attr);
    pthread_attr_setguardsize(&attr, 0);
    while (!atomic_load(&flag)) {
        pthread_attr_getguardsize(&attr, &n);
        if (n == 3 * 4096)
            abort();
        pthread_attr_setguardsize(&attr, n + 4096);
    }
    return a;
}

static void *t2(void *a)
{
    atomic_store(&flag, 1);
    return a;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, t1, NULL);
    pthread_create(&b, NULL, t2, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
