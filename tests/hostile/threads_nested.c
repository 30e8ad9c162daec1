/* SPDX-License-Identifier: Apache-2.0 */
/* Every thread creates two more.
 *
 * treadle: --search=random --runs=2 --time=40s --depth=10000
 * verdict: incomplete bug
 * runs: 1
 * lost: no */
#include <pthread.h>

static void *worker(void *arg)
{
    pthread_t a, b;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return arg;
}

int main(void)
{
    worker(NULL);
    return 0;
}
