/* SPDX-License-Identifier: Apache-2.0 */
/* Two threads with more than a million plain accesses between two operations, here and there in
 * arrays of their own: no limit is met, and nothing races.
 *
 * treadle:
 * expect: verdict complete
 * expect: runs 2
 *
 * treadle: --goal=races
 * expect: verdict complete */
#include <pthread.h>
#include <stddef.h>

enum { ROUNDS = 8, N = 1 << 16, STEP = 2 }; /* 2 * ROUNDS * N accesses each */

static struct {
    int used, gap;
} first[N * STEP], second[N * STEP];
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int turns;

static void *fill(void *arg)
{
    int *at = arg;
    for (int round = 0; round < ROUNDS; round++)
        for (int i = 0; i < N; i++)
            at[(i * 40503u % N) * STEP * 2] += round;
    pthread_mutex_lock(&m);
    turns++;
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, fill, first);
    pthread_create(&b, NULL, fill, second);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
