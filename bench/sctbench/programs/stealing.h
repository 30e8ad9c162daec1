/* SPDX-License-Identifier: Apache-2.0 */
/* bench/sctbench/programs/stealing.h - a test of work-stealing queues.
 *
 * The owner pushes some items at the tail and pops as often, a thief steals from the head.
 * Nobody may get what somebody else got, and in the end somebody has each item. After the
 * four work-stealing queues of the CHESS group. */
#pragma once

#include <assert.h>
#include <stdatomic.h>

#include "../../programs/common.h"

enum { MOST_ITEMS = 8, NOTHING = -1 };

typedef struct stealing {
    void (*push)(int item);
    int (*pop)(void);   /* an item or NOTHING */
    int (*steal)(void); /* the same; NOTHING as well if somebody else was faster */
    int n_items, n_steals;
    atomic_int is_taken[MOST_ITEMS];
} stealing;

static stealing test;

static void note(int item)
{
    if (item == NOTHING)
        return;
    int was_taken = atomic_exchange(&test.is_taken[item], 1);
    assert(!was_taken);
}

static void *owner(void *arg)
{
    for (int i = 0; i < test.n_items; i++)
        test.push(i);
    for (int i = 0; i < test.n_items; i++)
        note(test.pop());
    return arg;
}

static void *thief(void *arg)
{
    for (int i = 0; i < test.n_steals; i++)
        note(test.steal());
    return arg;
}

/* Arguments: items, steals. The result is main's. */
static int try_stealing(int argc, char **argv)
{
    test.n_items = size_arg(argc, argv, 1, 2, MOST_ITEMS);
    test.n_steals = size_arg(argc, argv, 2, 2, MOST_ITEMS);
    pthread_t t[2] = {start(owner, 0), start(thief, 1)};
    join_all(t, 2);
    for (int i = 0; i < test.n_items; i++) {
        int is_taken = atomic_load(&test.is_taken[i]);
        assert(is_taken);
    }
    return 0;
}
