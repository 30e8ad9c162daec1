/* SPDX-License-Identifier: Apache-2.0 */
/* 200 threads at once.
 *
 * treadle: --search=random --runs=100 --time=40s
 * verdict: incomplete
 * runs: 100
 * lost: no */
#include <assert.h>
#include <pthread.h>

enum { N = 200 };

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int n;

static void *worker(void *arg)
{
    pthread_mutex_lock(&m);
    n++;
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    pthread_t t[N];
    pthread_mutex_lock(&m);
    for (int i = 0; i < N; i++) {
        int rc = pthread_create(&t[i], NULL, worker, NULL);
        assert(rc == 0);
    }
    pthread_mutex_unlock(&m);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], NULL);
    assert(n == N);
    return 0;
}
