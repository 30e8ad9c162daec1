/* SPDX-License-Identifier: Apache-2.0 */
/* Four threads that each create and join one thread: the table of threads grows while a join of a
 * thread that is new is read.
 * treadle:
 * expect: verdict complete
 * treadle: --goal=traces
 * expect: verdict complete
 * treadle: --goal=races
 * expect: verdict complete */
#include <pthread.h>

#define N 4

static void *f(void *a)
{
    return a;
}

static void *b(void *a)
{
    pthread_t t;
    pthread_create(&t, 0, f, 0);
    pthread_join(t, 0);
    return a;
}

int main(void)
{
    pthread_t t[N];
    for (int i = 0; i < N; i++)
        pthread_create(&t[i], 0, b, 0);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], 0);
    return 0;
}
