/* SPDX-License-Identifier: Apache-2.0 */
/* iwsq [ITEMS [STEALS]]: a work-stealing queue by compare-and-exchange of the head.
 *
 * After CHESS.IWSQ. Bug: the owner takes the last item without moving the head, although a
 * thief may be about to. FIXED: it competes for it as a thief does. */
#include "stealing.h"

static atomic_int head, tail, item[MOST_ITEMS];

static void push(int value)
{
    int t = atomic_load(&tail);
    atomic_store(&item[t], value);
    atomic_store(&tail, t + 1);
}

static int pop(void)
{
    int t = atomic_fetch_sub(&tail, 1) - 1;
    int h = atomic_load(&head);
    if (h > t) {
        atomic_store(&tail, t + 1);
        return NOTHING;
    }
    int value = atomic_load(&item[t]);
#ifdef FIXED
    if (h == t) {
        int is_mine = atomic_compare_exchange_strong(&head, &h, h + 1);
        atomic_store(&tail, t + 1);
        return is_mine ? value : NOTHING;
    }
#endif
    return value;
}

static int steal(void)
{
    int h = atomic_load(&head);
    if (h >= atomic_load(&tail))
        return NOTHING;
    int value = atomic_load(&item[h]);
    return atomic_compare_exchange_strong(&head, &h, h + 1) ? value : NOTHING;
}

int main(int argc, char **argv)
{
    test.push = push;
    test.pop = pop;
    test.steal = steal;
    return try_stealing(argc, argv);
}
