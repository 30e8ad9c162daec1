/* SPDX-License-Identifier: Apache-2.0 */
/* (a) N pairs of threads; each pair has one writer and one reader of its own
 * variable.  2^N Mazurkiewicz traces.  */
#include "bench.h"
#ifndef N
#define N 5
#endif
shint x[N];

void *writer(void *arg)
{
    x[(long)arg] = 1;
    return NULL;
}

void *reader(void *arg)
{
    int r = x[(long)arg];
    assert(r == 0 || r == 1);
    return NULL;
}

int main(void)
{
    pthread_t w[N], r[N];
    for (long i = 0; i < N; i++) {
        spawn(&w[i], writer, i);
        spawn(&r[i], reader, i);
    }
    for (int i = 0; i < N; i++) {
        join(w[i]);
        join(r[i]);
    }
    return 0;
}
