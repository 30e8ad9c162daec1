/* SPDX-License-Identifier: Apache-2.0 */
/* States of the product from which no end can be reached, and in which nothing is written any longer: the threads that can
 * continue go round their loops, read, and take mutexes and give them back. That is a livelock. Where something
 * is written forever, as in a server, it is not.
 *
 * A state is alive if a step from it ends a thread, writes or changes an object, if no thread can continue there, or if
 * a step leads to a state that is alive. What is left when all states are known is dead. */
#include "explore/product/product_int.h"

#include "base/assert.h"

void xpl_cycles_fini(xpl_cycles *c)
{
    xpl_meetings_fini(&c->numbers);
    xpl_edge_vec_fini(&c->edges);
    xpl_u32_vec_fini(&c->seen);
    xpl_u32_vec_fini(&c->is_alive);
}

void xpl_cycles_clear(xpl_cycles *c)
{
    xpl_cycles_fini(c);
    *c = (xpl_cycles){0};
}

uint32_t xpl_cycles_state(xpl_cycles *c, td_id key)
{
    uint32_t *number = xpl_meetings_at(&c->numbers, key);
    if (*number == 0) {
        xpl_u32_vec_push(&c->seen, 0);
        xpl_u32_vec_push(&c->is_alive, 0);
        *number = (uint32_t)c->seen.len;
    }
    return *number - 1;
}

void xpl_cycles_step(xpl_cycles *c, uint32_t from, uint32_t to)
{
    TD_ASSERT(from < c->seen.len && to < c->seen.len);
    xpl_edge_vec_push(&c->edges, (xpl_edge){from, to});
}

/* Edges by the state that they lead to: those to i are from first[i] on. */
static uint32_t *sort_edges(const xpl_cycles *c, uint32_t *sorted)
{
    size_t n = c->seen.len;
    uint32_t *first = td_alloc((n + 2) * sizeof *first);
    for (size_t i = 0; i < c->edges.len; i++)
        first[c->edges.at[i].to + 2]++;
    for (size_t i = 2; i < n + 2; i++)
        first[i] += first[i - 1];
    for (size_t i = 0; i < c->edges.len; i++)
        sorted[first[c->edges.at[i].to + 1]++] = c->edges.at[i].from;
    return first;
}

bool xpl_cycles_find_dead(xpl_cycles *c)
{
    uint32_t *sorted = td_alloc((c->edges.len + 1) * sizeof *sorted);
    uint32_t *first = sort_edges(c, sorted);
    xpl_u32_vec todo = {0};
    size_t n_alive = 0;
    for (uint32_t i = 0; i < c->is_alive.len; i++)
        if (c->is_alive.at[i])
            xpl_u32_vec_push(&todo, i);
    while (todo.len > 0) {
        uint32_t to = xpl_u32_vec_pop(&todo);
        n_alive++;
        for (uint32_t i = first[to]; i < first[to + 1]; i++) {
            if (!c->is_alive.at[sorted[i]])
                xpl_u32_vec_push(&todo, sorted[i]);
            c->is_alive.at[sorted[i]] = 1;
        }
    }
    xpl_u32_vec_fini(&todo);
    td_free(first);
    td_free(sorted);
    TD_ASSERT(n_alive <= c->seen.len);
    return n_alive < c->seen.len;
}
