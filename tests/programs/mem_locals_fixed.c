/* SPDX-License-Identifier: Apache-2.0 */
/* A thread-local variable of another thread, used while that thread waits; and storage that a later
 * thread has again.
 *
 * treadle:
 * expect: runs 1
 * expect: events 6
 * expect: verdict complete
 * treadle: --search=all
 * expect: runs 1
 * expect: events 19
 * expect: verdict complete
 * hand: 0 */
#include <pthread.h>
#include <stddef.h>

static __thread int counter;

static void *helper(void *arg)
{
    ++*(int *)arg;
    return arg;
}

static void *worker(void *arg)
{
    pthread_t t;
    pthread_create(&t, NULL, helper, &counter);
    pthread_join(t, NULL);
    return counter == 1 ? arg : NULL;
}

int main(void)
{
    pthread_t t;
    for (int i = 0; i < 3; i++) {
        pthread_create(&t, NULL, worker, NULL);
        pthread_join(t, NULL);
    }
    return counter;
}
