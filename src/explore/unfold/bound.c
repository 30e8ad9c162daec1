/* SPDX-License-Identifier: Apache-2.0 */
#include "explore/unfold/bound.h"

#include "base/assert.h"

void xpl_bound_init(xpl_bound *b, unf *u, const xpl_opts *opts)
{
    uint32_t last = opts->bounded ? opts->preemptions : UINT32_MAX;
    *b = (xpl_bound){.u = u, .last = last, .completed = -1};
    if (opts->bounded || opts->iterate)
        b->path = unf_path_new(u);
}

void xpl_bound_fini(xpl_bound *b)
{
    unf_path_free(b->path);
    unf_vec_fini(&b->beyond);
    unf_vec_fini(&b->again);
    unf_vec_fini(&b->unsure);
}

bool xpl_bound_admits(xpl_bound *b, uint32_t target)
{
    bool is_final = true;
    b->has_path = false;
    if (!b->path)
        return true;
    TD_ASSERT(b->now <= b->last);
    switch (unf_path_find(b->path, target, b->now, &is_final)) {
    case UNF_WITHIN:
        b->has_path = true;
        return true;
    case UNF_UNSURE:
        unf_vec_push(&b->unsure, target);
        return false;
    case UNF_BEYOND:
        break;
    }
    unf_vec_push(is_final ? &b->beyond : &b->again, target);
    return false;
}

static bool has_more(const xpl_bound *b)
{
    return b->beyond.len + b->again.len + b->n_traces > 0;
}

static void move_all(unf_vec *from, unf_vec *to)
{
    unf_vec_append(to, from->at, from->len);
    unf_vec_clear(from);
}

bool xpl_bound_refill(xpl_bound *b, bool is_idle, unf_vec *todo)
{
    if (!b->path)
        return false;
    bool spins = b->n_spins != unf_n_spins(b->u);
    bool grew = spins || b->again_known != unf_n_executed(b->u);
    b->n_spins = unf_n_spins(b->u);
    b->again_known = unf_n_executed(b->u);
    if (spins)
        move_all(&b->beyond, &b->again);
    if (b->again.len > 0 && grew) {
        move_all(&b->again, todo);
        return true;
    }
    if (!is_idle)
        return false;
    TD_ASSERT(b->unsure.len == 0 && b->completed <= (int64_t)b->now);
    b->completed = b->now;
    if (b->now >= b->last || !has_more(b))
        return false;
    TD_ASSERT(todo->len == 0); /* (B1) what is due now has been run */
    b->now++;
    move_all(&b->again, todo);
    move_all(&b->beyond, todo);
    return true;
}

uint64_t xpl_bound_n_beyond(const xpl_bound *b)
{
    uint64_t n = b->n_traces;
    for (size_t i = 0; i < b->beyond.len; i++)
        n += unf_status_of(b->u, b->beyond.at[i]) == UNF_TARGET;
    for (size_t i = 0; i < b->again.len; i++)
        n += unf_status_of(b->u, b->again.at[i]) == UNF_TARGET;
    return n;
}

bool xpl_bound_is_done(const xpl_bound *b)
{
    return !b->path || (b->unsure.len == 0 && b->completed == (int64_t)b->now &&
                        (b->now >= b->last || !has_more(b)));
}
