/* SPDX-License-Identifier: Apache-2.0 */
#include "unfold/preemption_lower_bound.h"

void unf_lower_bound_fini(unf_lower_bound *m)
{
    unf_vec_fini(&m->order);
    unf_vec_fini(&m->clocks);
    unf_vec_fini(&m->ranks);
}

void unf_lower_bound_clear(unf_lower_bound *m, const unf *u)
{
    m->u = u;
    m->n_threads = (uint32_t)u->threads.len;
    unf_vec_clear(&m->order);
    unf_vec_clear(&m->clocks);
}

void unf_lower_bound_cut(unf_lower_bound *m, size_t n)
{
    TD_ASSERT(n <= m->order.len && m->clocks.len == m->order.len * m->n_threads);
    m->order.len = n;
    m->clocks.len = n * m->n_threads;
}

/* ---- clocks ---- */

/* How many events of its thread are among the causes of the event of that rank. */
static uint32_t *clock_at(const unf_lower_bound *m, uint32_t rank, uint32_t thread)
{
    return &m->clocks.at[(size_t)rank * m->n_threads + thread];
}

static void clock_join(unf_lower_bound *m, uint32_t rank, uint32_t cause)
{
    if (cause == UNF_NONE || node_at(m->u, cause)->kind == UNF_ROOT)
        return;
    TD_ASSERT(m->ranks.at[cause] < rank &&
              m->order.at[m->ranks.at[cause]] == cause); /* M1 */
    for (uint32_t t = 0; t < m->n_threads; t++) {
        uint32_t depth = *clock_at(m, m->ranks.at[cause], t);
        if (depth > *clock_at(m, rank, t))
            *clock_at(m, rank, t) = depth;
    }
}

void unf_lower_bound_add(unf_lower_bound *m, uint32_t event)
{
    const unf_node *e = node_at(m->u, event);
    uint32_t rank = (uint32_t)m->order.len;
    TD_ASSERT(e->thread < m->n_threads);
    while (m->ranks.len <= event)
        unf_vec_push(&m->ranks, 0);
    m->ranks.at[event] = rank;
    unf_vec_push(&m->order, event);
    unf_vec_reserve(&m->clocks, m->clocks.len + m->n_threads);
    memset(&m->clocks.at[m->clocks.len], 0, m->n_threads * sizeof(uint32_t));
    m->clocks.len += m->n_threads;
    clock_join(m, rank, e->before);
    clock_join(m, rank, e->after);
    for (uint32_t r = 0; r < node_n_reads(m->u, e); r++)
        clock_join(m, rank, node_reads(m->u, e)[r]);
    *clock_at(m, rank, e->thread) = e->depth;
}

/* ---- preempted threads ---- */

/* True if the thread of history h made the last choice when it reached h; a new thread did not. A thread
 * that may wait in a loop can perhaps be left without a preemption. */
static bool may_be_preempted(const unf *u, uint32_t h)
{
    return node_at(u, unf_base_of(u, h))->kind != UNF_START &&
           !(node_at(u, h)->flags & (NODE_INSIDE | NODE_LAST)) && !unf_may_spin(u, h);
}

static bool comes_after(const unf_lower_bound *m, uint32_t event, const unf_node *h)
{
    return event != UNF_NONE && node_at(m->u, event)->kind != UNF_ROOT &&
           node_at(m->u, event)->thread != h->thread &&
           *clock_at(m, m->ranks.at[event], h->thread) >= h->depth;
}

bool unf_lower_bound_parts(const unf_lower_bound *m, uint32_t event)
{
    const unf_node *n = node_at(m->u, event), *before = node_at(m->u, n->before);
    /* What it asked for counts, not how it turned out: a once that is done may have waited. */
    if (!mdl_is_op(n->kind) || mdl_may_wait(mdl_asked_kind(n->kind)) ||
        mdl_exits(n->kind) || mdl_decides(n->kind) || mdl_ends(n->kind) ||
        !may_be_preempted(m->u, n->before))
        return false;
    TD_DASSERT(m->order.at[m->ranks.at[event]] == event);
    bool found = comes_after(m, n->after, before);
    for (uint32_t i = 0; i < node_n_reads(m->u, n) && !found; i++)
        found = comes_after(m, node_reads(m->u, n)[i], before);
    return found;
}

static bool can_always_go_on(const unf *u, uint32_t h)
{
    const unf_node *n = node_at(u, h);
    return mdl_is_op(n->next_kind) && n->next_object != UNF_NONE &&
           !mdl_may_wait(n->next_kind) && !unf_silent_joins_skips(u, h) &&
           may_be_preempted(u, h);
}

bool unf_lower_bound_passed(const unf_lower_bound *m, uint32_t h)
{
    const unf_node *n = node_at(m->u, h);
    if (!can_always_go_on(m->u, h))
        return false;
    bool changes = mdl_always_changes(n->next_kind);
    for (size_t i = 0; i < m->order.len; i++) {
        const unf_node *e = node_at(m->u, m->order.at[i]);
        bool e_changes =
            node_is_state(e) && !(e->status == UNF_TARGET && (e->flags & NODE_PROBE));
        if (e->object == n->next_object && (changes || e_changes) &&
            comes_after(m, m->order.at[i], n))
            return true;
    }
    return false;
}

bool unf_lower_bound_replaced(const unf_lower_bound *m, unf_cfg *c, uint32_t h)
{
    return can_always_go_on(m->u, h) &&
           comes_after(m, unf_cfg_state(c, node_at(m->u, h)->next_object).ix,
                       node_at(m->u, h));
}
