/* SPDX-License-Identifier: Apache-2.0 */
/* Chase-Lev deque: an owner pushes A, pops B, pushes C; S thieves take one each.  -DBUG: pop of the last without compare-exchange.  */
#include "bench.h"
#ifndef S
#define S 2
#endif
#ifndef A
#define A 3
#endif
#ifndef B
#define B 2
#endif
#define LEN 10
atomic_long bottom, top;
atomic_long buf[LEN];
atomic_int taken[16];
static void take(long v)
{
    int o = atomic_exchange(&taken[v], 1);
    assert(o == 0);
}
static void push(long v)
{
    long b = bottom;
    long t = top;
    if (b - t >= LEN)
        return;
    buf[b % LEN] = v;
    bottom = b + 1;
}
static void pop(void)
{
    long b = bottom;
    bottom = b - 1;
    long t = top;
    long len = b - t;
    if (len <= 0) {
        bottom = b;
        return;
    }
    long v = buf[(b - 1) % LEN];
    if (len > 1) {
        take(v);
        return;
    }
#ifdef BUG
    top = t + 1;
    bottom = b;
    take(v);
#else
    int ok = atomic_compare_exchange_strong(&top, &t, t + 1);
    bottom = b;
    if (ok)
        take(v);
#endif
}
void *owner(void *a)
{
    for (long i = 0; i < A; i++)
        push(i + 1);
    for (int i = 0; i < B; i++)
        pop();
    return NULL;
}
void *thief(void *a)
{
    long t = top, b = bottom;
    if (b - t <= 0)
        return NULL;
    long v = buf[t % LEN];
    if (atomic_compare_exchange_strong(&top, &t, t + 1))
        take(v);
    return NULL;
}
int main(void)
{
    pthread_t o, s[S];
    spawn(&o, owner, 0);
    for (long i = 0; i < S; i++)
        spawn(&s[i], thief, i);
    join(o);
    for (int i = 0; i < S; i++)
        join(s[i]);
    return 0;
}
