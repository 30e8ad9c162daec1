/* SPDX-License-Identifier: Apache-2.0 */
#include "bench.h"
#ifndef W
#define W 1
#endif
#ifndef R
#define R 2
#endif
atomic_int seq, a, b;
pthread_mutex_t m;
void *writer(void *p)
{
    int v = (int)(long)p + 1;
    pthread_mutex_lock(&m);
    int s = seq;
    seq = s + 1;
    a = v;
    b = v;
    seq = s + 2;
    pthread_mutex_unlock(&m);
    return NULL;
}
void *reader(void *p)
{
    int s = seq;
    if (s & 1)
        return NULL;
    int x = a, y = b;
#ifndef BUG
    if (seq != s)
        return NULL;
#endif
    assert(x == y);
    return NULL;
}
int main(void)
{
    pthread_t w[W], r[R];
    pthread_mutex_init(&m, NULL);
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
