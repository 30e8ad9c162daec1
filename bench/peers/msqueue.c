/* SPDX-License-Identifier: Apache-2.0 */
/* Michael-Scott queue over indices.  -DBUG: dequeue does not look at tail.  */
#include "bench.h"
#ifndef W
#define W 1
#endif
#ifndef R
#define R 1
#endif
#define NODES 10
typedef unsigned long long u64;
typedef atomic_ullong a64;
a64 head, tail, next[NODES];
int value[NODES];
#define P(v) ((unsigned)((v)&0xff))
#define MK(p, o) ((u64)(p) | (((o) >> 8) + 1) << 8)
static void enq(unsigned n)
{
    value[n] = (int)n * 10;
    for (;;) {
        u64 t = tail, x = next[P(t)];
        if (t != tail)
            continue;
        if (P(x) == 0) {
            if (atomic_compare_exchange_strong(&next[P(t)], &x, MK(n, x))) {
                u64 t2 = t;
                atomic_compare_exchange_strong(&tail, &t2, MK(n, t));
                return;
            }
        } else {
            u64 t2 = t;
            atomic_compare_exchange_strong(&tail, &t2, MK(P(x), t));
        }
    }
}
static int deq(void)
{
    for (;;) {
        u64 h = head, t = tail, x = next[P(h)];
        if (h != head)
            continue;
        if (P(h) == P(t)) {
            if (P(x) == 0)
                return 0;
            u64 t2 = t;
            atomic_compare_exchange_strong(&tail, &t2, MK(P(x), t));
        } else {
            int v = value[P(x)];
            u64 h2 = h;
            if (atomic_compare_exchange_strong(&head, &h2, MK(P(x), h)))
                return v;
        }
    }
}
int got[R];
void *writer(void *a)
{
    enq((unsigned)(long)a);
    return NULL;
}
void *reader(void *a)
{
    got[(long)a] = deq();
    return NULL;
}
int main(void)
{
    pthread_t w[W], r[R];
    head = 1;
    tail = 1;
    for (long i = 0; i < W; i++)
        spawn(&w[i], writer, i + 2);
    for (long i = 0; i < R; i++)
        spawn(&r[i], reader, i);
    for (int i = 0; i < W; i++)
        join(w[i]);
    for (int i = 0; i < R; i++)
        join(r[i]);
    for (int i = 0; i < R; i++)
        for (int j = 0; j < i; j++)
            assert(!got[i] || got[i] != got[j]);
    return 0;
}
