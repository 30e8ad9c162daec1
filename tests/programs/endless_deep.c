/* SPDX-License-Identifier: Apache-2.0 */
/* The bug needs both threads to have taken a turn of a loop without end; the first run, which lets one thread go on
 * and on, does not meet it. A small depth has few schedules, and finds it.
 *
 * treadle: --time=60s
 * expect: verdict bug
 * expect: finding assert endless_deep.c:26 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int turn, met;

static void *other(void *arg)
{
    for (;;)
        if (atomic_load(&turn) == 2)
            atomic_store(&met, 1);
    return arg;
}

static void take_turns(void)
{
    for (int i = 0;; i = (i + 1) % 3) {
        atomic_store(&turn, i);
        assert(!atomic_load(&met));
    }
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, other, NULL);
    take_turns();
}
