/* SPDX-License-Identifier: Apache-2.0 */
/* 10,000 threads, one after another.
 *
 * treadle: --search=random --runs=3 --time=40s
 * verdict: incomplete
 * runs: 3
 * lost: no */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int n;

static void *worker(void *arg)
{
    atomic_fetch_add(&n, 1);
    return arg;
}

int main(void)
{
    for (int i = 0; i < 10000; i++) {
        pthread_t t;
        int rc = pthread_create(&t, NULL, worker, NULL);
        assert(rc == 0);
        pthread_join(t, NULL);
    }
    int got = atomic_load(&n);
    assert(got == 10000);
    return 0;
}
