/* SPDX-License-Identifier: Apache-2.0 */
/* A chain of twenty threads, each created and joined by the one before.
 * treadle:
 * expect: runs 1
 * expect: verdict complete
 * treadle: --goal=races
 * expect: verdict complete */
#include <pthread.h>

#define N 20

static pthread_t t[N];

static void *f(void *p)
{
    long i = (long)p;
    if (i + 1 < N) {
        pthread_create(&t[i + 1], 0, f, (void *)(i + 1));
        pthread_join(t[i + 1], 0);
    }
    return 0;
}

int main(void)
{
    pthread_create(&t[0], 0, f, 0);
    pthread_join(t[0], 0);
    return 0;
}
