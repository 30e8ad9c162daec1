/* SPDX-License-Identifier: Apache-2.0 */
/* Bounded MPMC queue of one word (rigtorp-like "mpmc_boundq_1_alt").  */
#include "bench.h"
#ifndef W
#define W 2
#endif
#ifndef R
#define R 1
#endif
#define SZ 4
int arr[SZ];
atomic_uint rdwr, rdc, wrc;
static int *prep(void)
{
    unsigned v = rdwr, rd, wr;
    for (;;) {
        rd = v >> 16;
        wr = v & 0xffff;
        if (wr == rd + SZ)
            return NULL;
        if (atomic_compare_exchange_strong(&rdwr, &v, rd << 16 | (wr + 1)))
            break;
    }
    while (rdc != rd)
        ;
    return &arr[wr % SZ];
}
static int *fetch(void)
{
    unsigned v = rdwr, rd, wr;
    for (;;) {
        rd = v >> 16;
        wr = v & 0xffff;
        if (wr == rd)
            return NULL;
        if (atomic_compare_exchange_strong(&rdwr, &v, v + (1u << 16)))
            break;
    }
    while (wrc != wr)
        ;
    return &arr[rd % SZ];
}
void *writer(void *a)
{
    int *p = prep();
    if (p) {
        *p = 1;
        atomic_fetch_add(&wrc, 1);
    }
    return NULL;
}
void *reader(void *a)
{
    int *p = fetch();
    if (p) {
        assert(*p == 1);
        atomic_fetch_add(&rdc, 1);
    }
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
