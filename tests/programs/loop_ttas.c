/* SPDX-License-Identifier: Apache-2.0 */
/* Test and test-and-set, by compare-exchange, with a yield.
 *
 * treadle:
 * expect: runs 4
 * expect: events 14
 * expect: verdict complete
 *
 * treadle: --search=all
 * expect: runs 20
 * expect: events 27
 * expect: traces 4
 * expect: verdict complete */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_int lock;
static int count;

static void *worker(void *arg)
{
    for (int i = 0; i < 1; i++) {
        for (int expected = 0; !atomic_compare_exchange_weak(&lock, &expected, 1);
             expected = 0)
            while (atomic_load(&lock))
                sched_yield();
        count++;
        atomic_store(&lock, 0);
    }
    return arg;
}

int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, worker, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(count == 2);
    return 0;
}
