/* SPDX-License-Identifier: Apache-2.0 */
/* A failure at the end of a long run: to confirm and reduce it takes many of them. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define ROUNDS 12000

static atomic_int x, y;

static void *work(void *p)
{
    for (int i = 0; i < ROUNDS; i++)
        atomic_fetch_add(p ? &x : &y, 1);
    return p;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, &x);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(x + y != 2 * ROUNDS);
    return 0;
}
