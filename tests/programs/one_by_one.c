/* SPDX-License-Identifier: Apache-2.0 */
/* Every thread is joined before the next one is created: one run.
 *
 * treadle: --search=all
 * expect: runs 1
 * expect: events 16
 * expect: traces 1
 * expect: verdict complete
 * hand: 0
 * model: main: create A, join A, create B, join B, create C, join C, exit
 * model: A: 2* store x
 * model: B: 2* store x
 * model: C: 2* store x */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *worker(void *arg)
{
    atomic_store(&x, 1);
    atomic_store(&x, 2);
    return arg;
}

int main(void)
{
    for (int i = 0; i < 3; i++) {
        pthread_t t;
        pthread_create(&t, NULL, worker, NULL);
        pthread_join(t, NULL);
    }
    return 0;
}
