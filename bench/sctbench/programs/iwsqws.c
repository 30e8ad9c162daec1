/* SPDX-License-Identifier: Apache-2.0 */
/* iwsqws [ITEMS [STEALS]]: a work-stealing queue where each place has a state; who turns it
 * from full to taken has the item, and head and tail only say where to look.
 *
 * After CHESS.IWSQWS. Bug: the owner reads the state and writes it, in two steps. FIXED: it
 * exchanges it, as thieves do. */
#include "stealing.h"

enum { EMPTY, FULL, TAKEN };

static atomic_int head, tail, state[MOST_ITEMS];
static int item[MOST_ITEMS];

static void push(int value)
{
    int t = atomic_load(&tail);
    item[t] = value;
    atomic_store(&state[t], FULL);
    atomic_store(&tail, t + 1);
}

static int take(int at)
{
    return atomic_exchange(&state[at], TAKEN) == FULL ? item[at] : NOTHING;
}

static int take_as_owner(int at)
{
#ifdef FIXED
    return take(at);
#else
    if (atomic_load(&state[at]) != FULL)
        return NOTHING;
    atomic_store(&state[at], TAKEN);
    return item[at];
#endif
}

static int pop(void)
{
    int t = atomic_load(&tail);
    if (t == 0)
        return NOTHING;
    atomic_store(&tail, t - 1);
    return take_as_owner(t - 1);
}

static int steal(void)
{
    int h = atomic_load(&head);
    if (h >= atomic_load(&tail))
        return NOTHING;
    atomic_store(&head, h + 1);
    return take(h);
}

int main(int argc, char **argv)
{
    test.push = push;
    test.pop = pop;
    test.steal = steal;
    return try_stealing(argc, argv);
}
