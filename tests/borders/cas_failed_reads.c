/* SPDX-License-Identifier: Apache-2.0 */
/* An exchange that fails only reads: no race with a plain read.
 *
 * treadle:
 * expect: verdict complete */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;
static void *t0(void *p)
{
    int expected = 5;
    atomic_compare_exchange_strong(&x, &expected, 6);
    return p;
}

static void *t1(void *p)
{
    return *(volatile int *)&x ? p : 0;
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
