/* SPDX-License-Identifier: Apache-2.0 */
#include "explore/core/explore.h"

#include "base/assert.h"

/* True if the last run had the id at the same index; otherwise stores it there. */
static bool known_from_last(xpl_census *c, size_t i, td_id id)
{
    TD_ASSERT(i <= c->last.len);
    if (i >= c->last.len) {
        xpl_id_vec_push(&c->last, id);
        return false;
    }
    if (td_id_equal(c->last.at[i], id))
        return true;
    c->last.at[i] = id;
    return false;
}

static bool is_blocked(uint8_t done)
{
    return done != WIRE_DONE_EXIT && done != WIRE_DONE_FAIL &&
           done != WIRE_DONE_DEADLOCK && done != WIRE_DONE_STANDS;
}

void xpl_census_count(xpl_census *c, const trc *t)
{
    c->n_runs++;
    c->n_ops += t->ops.len;
    c->n_blocked += is_blocked(t->done);
}

void xpl_census_add(xpl_census *c, const trc *t)
{
    xpl_census_count(c, t);
    for (size_t i = 0; i < t->ops.len; i++) {
        const trc_op *op = &t->ops.at[i];
        if (known_from_last(c, i, op->id) || mdl_spins(op->kind))
            continue;
        if (td_id_set_add(&c->events, op->id) && mdl_in_digest(op->kind))
            c->digest = td_id_sum(c->digest, op->id);
    }
    xpl_census_trace(c, t);
}

td_id xpl_trace_name(const trc *t)
{
    /* A run without operations is a trace, too; its sum is the id of nothing. */
    static const td_id no_operations = {1, 0};
    return td_id_zero(t->sum) ? no_operations : t->sum;
}

void xpl_census_trace(xpl_census *c, const trc *t)
{
    if (t->done == WIRE_DONE_ASLEEP)
        return; /* stopped inside a trace that is run elsewhere */
    td_id trace = xpl_trace_name(t);
    bool is_new = td_id_set_add(&c->traces, trace);
    c->n_repeated += !is_new;
    if (!is_new || t->is_cut)
        return;
    TD_ASSERT(c->n_whole < c->traces.len);
    c->n_whole++;
    c->trace_digest = td_id_sum(c->trace_digest, trace);
}

void xpl_census_restart(xpl_census *c)
{
    td_id_set_clear(&c->events);
    td_id_set_clear(&c->traces);
    xpl_id_vec_clear(&c->last);
    c->digest = c->trace_digest = (td_id){0};
    c->n_whole = c->n_repeated = 0;
}

void xpl_census_fini(xpl_census *c)
{
    td_id_set_fini(&c->events);
    td_id_set_fini(&c->traces);
    xpl_id_vec_fini(&c->last);
    *c = (xpl_census){0};
}
