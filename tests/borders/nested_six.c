/* SPDX-License-Identifier: Apache-2.0 */
/* Threads that create threads, six deep, and count themselves.
 * treadle:
 * expect: verdict complete
 * treadle: --goal=traces
 * expect: verdict complete
 * treadle: --search=dpor
 * expect: verdict complete */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int n;

static void *f(void *p)
{
    long depth = (long)p;
    pthread_t t[2];
    int n_below = depth == 0 ? 0 : depth == 6 ? 2 : 1;
    n++;
    for (int i = 0; i < n_below; i++)
        pthread_create(&t[i], 0, f, (void *)(depth - 1));
    for (int i = 0; i < n_below; i++)
        pthread_join(t[i], 0);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, f, (void *)6);
    pthread_join(t, 0);
    assert(n == 13);
    return 0;
}
