/* SPDX-License-Identifier: Apache-2.0 */
/* Sieve: threads strike out multiples in a shared array (eratosthenes of GenMC's tests).  */
#include "bench.h"
#ifndef N
#define N 2
#endif
#ifndef SIZE
#define SIZE 20
#endif
atomic_int a[SIZE + 1];
void *thread(void *p)
{
    for (int i = 2; i <= SIZE; i++)
        if (a[i] == 0)
            for (int j = i + i; j <= SIZE; j += i)
                a[j] = 1;
    return NULL;
}
int main(void)
{
    pthread_t t[N];
    for (long i = 0; i < N; i++)
        spawn(&t[i], thread, i);
    for (int i = 0; i < N; i++)
        join(t[i]);
    return 0;
}
