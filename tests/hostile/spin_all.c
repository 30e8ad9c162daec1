/* SPDX-License-Identifier: Apache-2.0 */
/* The same under the exhaustive search, which the limit on depth and time ends.
 *
 * treadle: --search=all --depth=1000 --time=3s
 * verdict: incomplete
 * runs: 2
 * lost: no */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int never, x;

static void *worker(void *arg)
{
    for (;;)
        atomic_fetch_add(&x, 1);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    while (!atomic_load(&never))
        continue;
    return 0;
}
