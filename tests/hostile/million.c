/* SPDX-License-Identifier: Apache-2.0 */
/* A run of a million operations.
 *
 * treadle: --search=random --runs=3 --depth=2000000 --time=40s
 * verdict: incomplete
 * runs: 3
 * lost: no */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { N = 250000 };

static atomic_int x;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int y;

static void *worker(void *arg)
{
    for (int i = 0; i < N; i++) {
        pthread_mutex_lock(&m);
        y++;
        pthread_mutex_unlock(&m);
    }
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    for (int i = 0; i < 2 * N; i++)
        atomic_fetch_add(&x, 1);
    pthread_join(t, NULL);
    int got = atomic_load(&x);
    assert(got == 2 * N && y == N);
    return 0;
}
