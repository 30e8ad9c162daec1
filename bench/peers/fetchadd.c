/* SPDX-License-Identifier: Apache-2.0 */
/* (j) N threads, each does one atomic fetch_add and asserts on the value it
 * got.  N! traces.  -DUNUSED: the value is not used (the operations then
 * commute).  */
#include "bench.h"
#include <stdatomic.h>
#ifndef N
#define N 5
#endif
atomic_int c;

void *thread(void *arg)
{
#ifdef UNUSED
    atomic_fetch_add(&c, 1);
#else
    int r = atomic_fetch_add(&c, 1);
    assert(r >= 0 && r < N);
#endif
    return NULL;
}

int main(void)
{
    pthread_t t[N];
    for (long i = 0; i < N; i++)
        spawn(&t[i], thread, i);
    for (int i = 0; i < N; i++)
        join(t[i]);
    assert(c == N);
    return 0;
}
