/* SPDX-License-Identifier: Apache-2.0 */
/* (h) readers: one writer and N readers of one variable.  2^N traces.  */
#include "bench.h"
#ifndef N
#define N 8
#endif
shint x;

void *writer(void *arg)
{
    x = 1;
    return NULL;
}

void *reader(void *arg)
{
    int r = x;
    assert(r == 0 || r == 1);
    return NULL;
}

int main(void)
{
    pthread_t w, r[N];
    spawn(&w, writer, 0);
    for (long i = 0; i < N; i++)
        spawn(&r[i], reader, i);
    join(w);
    for (int i = 0; i < N; i++)
        join(r[i]);
    return 0;
}
