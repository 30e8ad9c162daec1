/* SPDX-License-Identifier: Apache-2.0 */
/* safestack [THREADS [ROUNDS [TRIES]]]: threads pop an element, own it for a moment, and push
 * it back.
 *
 * After misc.safestack, a stack posted by D. Vyukov, whose bug needs three threads and five
 * switches at the right places. The link of an element that is about to be popped is taken
 * out, so that nobody else goes on from it; put back by a thread that has slept meanwhile, it
 * is an old one. A pop that is disturbed tries again, TRIES times here. FIXED: a lock. */
#include <assert.h>
#include <stdatomic.h>

#include "../../programs/common.h"

enum { ELEMENTS = 3, MOST = 8, NONE = -1 };

static struct {
    atomic_int owner, next;
} element[ELEMENTS];
static atomic_int head, count = ELEMENTS;
static int n_rounds, n_tries;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* The element that was on top, if nobody was in the way. */
static int pop_once(void)
{
    int top = atomic_load(&head);
    int next = atomic_exchange(&element[top].next, NONE);
    if (next == NONE)
        return NONE;
    int seen = top;
    if (!atomic_compare_exchange_strong(&head, &seen, next)) {
        atomic_store(&element[top].next, next);
        return NONE;
    }
    atomic_fetch_sub(&count, 1);
    return top;
}

static int pop(void)
{
    for (int i = 0; i < n_tries; i++) {
        if (atomic_load(&count) <= 1)
            return NONE;
        int e = pop_once();
        if (e != NONE)
            return e;
    }
    return NONE;
}

static void push(int e)
{
    int top = atomic_load(&head);
    do
        atomic_store(&element[e].next, top);
    while (!atomic_compare_exchange_strong(&head, &top, e));
    atomic_fetch_add(&count, 1);
}

static void serialize(int (*change)(pthread_mutex_t *))
{
#ifdef FIXED
    change(&lock);
#else
    (void)change;
    (void)lock;
#endif
}

static void *worker(void *number)
{
    int me = (int)(intptr_t)number + 1;
    for (int i = 0; i < n_rounds; i++) {
        serialize(pthread_mutex_lock);
        int e = pop();
        serialize(pthread_mutex_unlock);
        if (e == NONE)
            continue;
        atomic_store(&element[e].owner, me);
        int owner = atomic_load(&element[e].owner);
        assert(owner == me);
        serialize(pthread_mutex_lock);
        push(e);
        serialize(pthread_mutex_unlock);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t t[MOST];
    int n = size_arg(argc, argv, 1, 3, MOST);
    n_rounds = size_arg(argc, argv, 2, 2, 100);
    n_tries = size_arg(argc, argv, 3, 1, 100);
    for (int i = 0; i < ELEMENTS; i++)
        atomic_store(&element[i].next, i + 1 < ELEMENTS ? i + 1 : NONE);
    start_all(t, n, worker);
    join_all(t, n);
    return 0;
}
