/* SPDX-License-Identifier: Apache-2.0 */
/* (e) Fibonacci bench: two threads do i += j and j += i, N times each.
 * -DBUG asserts a bound that can be reached.  */
#include "bench.h"
#ifndef N
#define N 3
#endif
shint i = 1, j = 1;

void *t1(void *arg)
{
    for (int k = 0; k < N; k++) {
        int a = i, b = j;
        i = a + b;
    }
    return NULL;
}

void *t2(void *arg)
{
    for (int k = 0; k < N; k++) {
        int a = j, b = i;
        j = a + b;
    }
    return NULL;
}

static int fib(int n)
{
    int a = 0, b = 1;
    while (n-- > 0) {
        int c = a + b;
        a = b;
        b = c;
    }
    return a;
}

int main(void)
{
    pthread_t a, b;
    spawn(&a, t1, 0);
    spawn(&b, t2, 0);
    join(a);
    join(b);
    int max = fib(2 * N + 2);
#ifdef BUG
    assert(i < max && j < max);
#else
    assert(i <= max && j <= max);
#endif
    return 0;
}
