/* SPDX-License-Identifier: Apache-2.0 */
/* Linux reader-writer lock by counter, one try each (trylock).  -DBUG: writers look at the bias only with >.  */
#include "bench.h"
#ifndef W
#define W 2
#endif
#ifndef R
#define R 2
#endif
#define BIAS 0x100
atomic_int l = BIAS;
atomic_int data;
void *reader(void *p)
{
    int v = atomic_fetch_sub(&l, 1);
    if (v > 0) {
        int x = data;
        assert(x == data);
    }
    atomic_fetch_add(&l, 1);
    return NULL;
}
void *writer(void *p)
{
    int v = atomic_fetch_sub(&l, BIAS);
#ifdef BUG
    if (v > 0)
#else
    if (v == BIAS)
#endif
        data = (int)(long)p + 1;
    atomic_fetch_add(&l, BIAS);
    return NULL;
}
int main(void)
{
    pthread_t w[W], r[R];
    for (long i = 0; i < W; i++)
        spawn(&w[i], writer, i);
    for (long i = 0; i < R; i++)
        spawn(&r[i], reader, i);
    for (int i = 0; i < W; i++)
        join(w[i]);
    for (int i = 0; i < R; i++)
        join(r[i]);
    return 0;
}
