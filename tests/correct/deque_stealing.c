/* SPDX-License-Identifier: Apache-2.0 */
/* Chase and Lev's deque: each item goes to the owner or to the thief.
 *
 * treadle:
 * expect: verdict complete
 * hand: 0 */
#include <stdatomic.h>

#include "threads.h"

enum { ITEMS = 2, NOTHING = -1 };

static atomic_int head, tail, item[ITEMS], is_taken[ITEMS];

static int pop(void)
{
    int t = atomic_fetch_sub(&tail, 1) - 1, h = atomic_load(&head);
    if (h < t)
        return atomic_load(&item[t]);
    int is_mine = h == t && atomic_compare_exchange_strong(&head, &h, h + 1);
    atomic_store(&tail, t + 1);
    return is_mine ? atomic_load(&item[t]) : NOTHING;
}

static int steal(void)
{
    int h = atomic_load(&head);
    if (h >= atomic_load(&tail))
        return NOTHING;
    int value = atomic_load(&item[h]);
    return atomic_compare_exchange_strong(&head, &h, h + 1) ? value : NOTHING;
}

static void note(int value)
{
    if (value != NOTHING) {
        int was_taken = atomic_exchange(&is_taken[value], 1);
        assert(!was_taken);
    }
}

static void *owner(void *arg)
{
    for (int i = 0; i < ITEMS; i++) {
        atomic_store(&item[i], i);
        atomic_store(&tail, i + 1);
    }
    for (int i = 0; i < ITEMS; i++)
        note(pop());
    return arg;
}

static void *thief(void *arg)
{
    note(steal());
    return arg;
}

int main(void)
{
    run_two(owner, thief);
    return 0;
}
