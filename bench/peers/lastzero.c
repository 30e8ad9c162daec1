/* SPDX-License-Identifier: Apache-2.0 */
/* (g) lastzero: N threads do array[i] = array[i-1] + 1 and one thread looks
 * for the last zero element.  */
#include "bench.h"
#ifndef N
#define N 5
#endif
shint array[N + 1];

void *reader(void *arg)
{
    int i = N;
    while (array[i] != 0)
        i--;
    return NULL;
}

void *writer(void *arg)
{
    long j = (long)arg;
    array[j] = array[j - 1] + 1;
    return NULL;
}

int main(void)
{
    pthread_t t[N + 1];
    spawn(&t[0], reader, 0);
    for (long i = 1; i <= N; i++)
        spawn(&t[i], writer, i);
    for (int i = 0; i <= N; i++)
        join(t[i]);
    return 0;
}
