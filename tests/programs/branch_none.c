/* SPDX-License-Identifier: Apache-2.0 */
/* No order and no interference leads there: the value 7 is written only by who has seen that the
 * other one saw something else before.
 *
 * treadle: --goal=branches
 * expect: sides 8/10
 * expect: degrees 5/1/1/1
 * expect: never branch_none.c:34 1
 * expect: never branch_none.c:50 1
 * expect: verdict complete
 *
 * treadle: --goal=branches --search=all
 * expect: sides 8/10
 * expect: never branch_none.c:34 1
 * expect: never branch_none.c:50 1
 * expect: verdict complete */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int x, y;

static void *one(void *arg)
{
    atomic_store(&x, 1);
    if (atomic_load(&y) == 5)
        atomic_store(&x, 7);
    return arg;
}

static void *two(void *arg)
{
    int seen = atomic_load(&x);
    if (seen == 7)
        abort();
    if (seen == 1)
        atomic_store(&y, 5);
    if (atomic_load(&x) == 7)
        atomic_store(&y, 9);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, one, NULL);
    pthread_create(&b, NULL, two, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    if (atomic_load(&x) == 3)
        abort();
    return 0;
}
