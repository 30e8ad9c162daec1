/* SPDX-License-Identifier: Apache-2.0 */
/* A stack of Treiber's: a push stores to its own node in each round. A round whose exchange failed
 * is left out, since the next one stores there again and nobody has looked: what remains are
 * the orders in which no exchange fails.
 *
 * treadle:
 * expect: runs 96
 * expect: events 396
 * expect: verdict complete
 *
 * treadle: --goal=traces
 * expect: traces 90
 * expect: verdict complete
 *
 * treadle: --goal=traces --every-round
 * expect: traces 128
 * expect: verdict complete */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_uint top, next[4];

static unsigned with(unsigned node, unsigned old)
{
    return node | ((old >> 8) + 1) << 8;
}

static void push(unsigned node)
{
    for (;;) {
        unsigned old = top;
        next[node] = old & 0xff;
        if (atomic_compare_exchange_strong(&top, &old, with(node, old)))
            return;
    }
}

static unsigned pop(void)
{
    for (;;) {
        unsigned old = top, node = old & 0xff;
        if (node == 0)
            return 0;
        unsigned below = next[node];
        if (atomic_compare_exchange_strong(&top, &old, with(below, old)))
            return node;
    }
}

static void *pusher(void *arg)
{
    push((unsigned)(size_t)arg);
    return NULL;
}

static void *popper(void *arg)
{
    pop();
    return NULL;
}

int main(void)
{
    pthread_t t[4];
    for (size_t i = 0; i < 4; i++)
        pthread_create(&t[i], NULL, i < 2 ? pusher : popper, (void *)(i + 1));
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], NULL);
    return 0;
}
