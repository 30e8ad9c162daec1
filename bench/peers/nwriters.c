/* SPDX-License-Identifier: Apache-2.0 */
#include "bench.h"
#ifndef N
#define N 5
#endif
atomic_int x;
void *thread(void *a)
{
    x = (int)(long)a;
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
