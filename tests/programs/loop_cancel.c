/* SPDX-License-Identifier: Apache-2.0 */
/* A loop that only a cancellation ends, with one that never comes beside it.
 *
 * treadle: --search=all
 * expect: runs 4
 * expect: traces 1
 * expect: verdict complete
 * treadle:
 * expect: runs 2
 * expect: events 4
 * expect: verdict complete
 * hand: 0 */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stddef.h>

static int cleaned;

static void clean(void *arg)
{
    cleaned += *(int *)arg;
}

static void *waits(void *arg)
{
    int one = 1;
    pthread_cleanup_push(clean, &one);
    for (;;) {
        pthread_testcancel();
        sched_yield();
    }
    pthread_cleanup_pop(0);
    return arg;
}

int main(void)
{
    pthread_t t;
    void *result = NULL;
    pthread_create(&t, NULL, waits, NULL);
    pthread_cancel(t);
    pthread_join(t, &result);
    assert(result == PTHREAD_CANCELED && cleaned == 1);
    return 0;
}
