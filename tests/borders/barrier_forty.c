/* SPDX-License-Identifier: Apache-2.0 */
/* More threads at a barrier than a word has bits; the goal branches does not take two of them for one.
 * treadle: --goal=branches
 * expect: verdict complete */
#include <pthread.h>

#define N 40

static int n;
static pthread_barrier_t b;

static void *f(void *p)
{
    if (pthread_barrier_wait(&b) == PTHREAD_BARRIER_SERIAL_THREAD)
        n = 1;
    return p;
}

int main(void)
{
    pthread_t t[N];
    pthread_barrier_init(&b, 0, N);
    for (int i = 0; i < N; i++)
        pthread_create(&t[i], 0, f, 0);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], 0);
    return n != 1;
}
