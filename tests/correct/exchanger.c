/* SPDX-License-Identifier: Apache-2.0 */
/* Two threads swap values: the first offers, the second answers, or both give up.
 *
 * treadle:
 * expect: verdict complete
 * hand: 0 */
#include <stdatomic.h>

#include "threads.h"

enum { NOTHING, OFFERED, ANSWERED };

static atomic_int state;
static int offer, answer;

/* What the other one had, or 0. */
static int exchange(int mine)
{
    int expected = NOTHING;
    offer = mine;
    if (atomic_compare_exchange_strong(&state, &expected, OFFERED)) {
        expected = OFFERED;
        return atomic_compare_exchange_strong(&state, &expected, NOTHING) ? 0 : answer;
    }
    return 0;
}

static int respond(int mine)
{
    if (atomic_load(&state) != OFFERED)
        return 0;
    int got = offer, expected = OFFERED;
    answer = mine;
    return atomic_compare_exchange_strong(&state, &expected, ANSWERED) ? got : 0;
}

static void *first(void *arg)
{
    int got = exchange(1);
    assert(got == 0 || got == 2);
    return arg;
}

static void *second(void *arg)
{
    int got = respond(2);
    assert(got == 0 || got == 1);
    return arg;
}

int main(void)
{
    run_two(first, second);
    return 0;
}
