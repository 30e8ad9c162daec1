/* SPDX-License-Identifier: Apache-2.0 */
/* Who comes last goes on with plain accesses of the counter; the counter itself orders the two.
 *
 * treadle:
 * expect: verdict complete */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;
static void *t0(void *p)
{
    if (atomic_fetch_add_explicit(&x, 1, memory_order_acq_rel) == 1)
        *(volatile int *)&x = 7;
    return p;
}

static void *t1(void *p)
{
    if (atomic_fetch_add_explicit(&x, 1, memory_order_acq_rel) == 1)
        *(volatile int *)&x = 7;
    return p;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], 0, t0, 0);
    pthread_create(&t[1], 0, t1, 0);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    return 0;
}
