/* SPDX-License-Identifier: Apache-2.0 */
/* A stack whose nodes are used again: a thread that was about to pop finds the same node on
 * top, with another one below it. FIXED: a count beside the index.
 *
 * treadle:
 * expect: verdict bug
 * expect: finding assert classic_aba.c:54
 *
 * treadle:
 * cflags: -DFIXED
 * expect: verdict complete
 * hand: 0 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

enum { NODES = 2, NONE = 255 };

static atomic_uint top = NONE, next[NODES];
static atomic_int n_owners[NODES];

static unsigned with_index(unsigned old, unsigned index)
{
#ifdef FIXED
    return ((old >> 8) + 1) << 8 | index;
#else
    return (old & 0) | index;
#endif
}

static void push(unsigned n)
{
    unsigned old = atomic_load(&top);
    do
        atomic_store(&next[n], old & 255);
    while (!atomic_compare_exchange_strong(&top, &old, with_index(old, n)));
}

static unsigned pop(void)
{
    unsigned old = atomic_load(&top), below;
    do {
        if ((old & 255) == NONE)
            return NONE;
        below = atomic_load(&next[old & 255]);
    } while (!atomic_compare_exchange_strong(&top, &old, with_index(old, below)));
    return old & 255;
}

static void own(unsigned n)
{
    int others = n == NONE ? 0 : atomic_fetch_add(&n_owners[n], 1);
    assert(others == 0);
}

static void disown(unsigned n)
{
    if (n != NONE)
        atomic_fetch_sub(&n_owners[n], 1);
}

/* Pops both and pushes the first one back. */
static void *shuffler(void *arg)
{
    unsigned a = pop(), b = pop();
    own(a);
    own(b);
    disown(a);
    if (a != NONE)
        push(a);
    return arg;
}

static void *popper(void *arg)
{
    own(pop());
    own(pop());
    return arg;
}

int main(void)
{
    pthread_t s, p;
    push(0);
    push(1);
    pthread_create(&s, NULL, shuffler, NULL);
    pthread_create(&p, NULL, popper, NULL);
    pthread_join(s, NULL);
    pthread_join(p, NULL);
    return 0;
}
