/* SPDX-License-Identifier: Apache-2.0 */
/* Which number a thread gets depends on who asks first: both orders are explored.
 *
 * treadle: -k
 * expect: finding assert rand_order.c:28
 * expect: verdict bug */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static void *draw(void *arg)
{
    *(long *)arg = random();
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    long x, y;
    srandom(7);
    long first = random();
    srandom(7);
    pthread_create(&a, NULL, draw, &x);
    pthread_create(&b, NULL, draw, &y);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(x == first);
    return 0;
}
