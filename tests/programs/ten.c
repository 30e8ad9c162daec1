/* SPDX-License-Identifier: Apache-2.0 */
/* Ten threads, and many schedules: a sample of them.
 *
 * treadle: --search=random --runs=200 --seed=1
 * expect: runs 200
 * expect: verdict incomplete
 * expect: ledger runs
 * hand: 0
 *
 * treadle: --search=pct --runs=200 --seed=1
 * expect: runs 200
 * expect: verdict incomplete
 * expect: ledger runs */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int n;

static void *worker(void *arg)
{
    for (int i = 0; i < 5; i++) {
        pthread_mutex_lock(&m);
        n++;
        pthread_mutex_unlock(&m);
    }
    return arg;
}

int main(void)
{
    pthread_t t[10];
    for (int i = 0; i < 10; i++)
        pthread_create(&t[i], NULL, worker, NULL);
    for (int i = 0; i < 10; i++)
        pthread_join(t[i], NULL);
    assert(n == 50);
    return 0;
}
