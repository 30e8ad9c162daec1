/* SPDX-License-Identifier: Apache-2.0 */
/* Treiber stack over indices, with a count against ABA; -DBUG: no count and nodes used again.  */
#include "bench.h"
#ifndef W
#define W 2
#endif
#ifndef R
#define R 1
#endif
#define NODES 8
atomic_uint top;
atomic_uint next[NODES];
atomic_uint taken[NODES];
#define PTR(v) ((v)&0xff)
#ifdef BUG
#define MK(p, o) (p)
#else
#define MK(p, o) ((p) | (((o) >> 8) + 1) << 8)
#endif
static void push(unsigned n)
{
    for (;;) {
        unsigned o = top;
        next[n] = PTR(o);
        if (atomic_compare_exchange_strong(&top, &o, MK(n, o)))
            return;
    }
}
static unsigned pop(void)
{
    for (;;) {
        unsigned o = top;
        unsigned n = PTR(o);
        if (!n)
            return 0;
        unsigned x = next[n];
        if (atomic_compare_exchange_strong(&top, &o, MK(x, o)))
            return n;
    }
}
void *writer(void *a)
{
    push((unsigned)(long)a);
    return NULL;
}
void *reader(void *a)
{
    unsigned n = pop();
    if (n) {
#ifdef BUG
        assert(atomic_exchange(&taken[n], 1) == 0);
#endif
    }
    return NULL;
}
#ifdef BUG
void *both(void *a)
{
    unsigned n = pop(), m = pop();
    if (n) {
        if (atomic_exchange(&taken[n], 1))
            assert(0);
        taken[n] = 0;
        push(n);
    }
    (void)m;
    return NULL;
}
int main(void)
{
    pthread_t w[2];
    push(1);
    push(2);
    push(3);
    spawn(&w[0], both, 0);
    spawn(&w[1], reader, 0);
    join(w[0]);
    join(w[1]);
    unsigned seen = 0, n;
    while ((n = pop())) {
        assert(!(seen & 1u << n));
        assert(!taken[n]);
        seen |= 1u << n;
        if (0)
            break;
    }
    return 0;
}
#else
int main(void)
{
    pthread_t w[W], r[R];
    for (long i = 0; i < W; i++)
        spawn(&w[i], writer, i + 1);
    for (long i = 0; i < R; i++)
        spawn(&r[i], reader, i);
    for (int i = 0; i < W; i++)
        join(w[i]);
    for (int i = 0; i < R; i++)
        join(r[i]);
    return 0;
}
#endif
