/* SPDX-License-Identifier: Apache-2.0 */
#include "explore/interfere/checker_int.h"

#include "base/assert.h"

/* What the reads of a candidate read: the write that each sees, the value of that, and which reads
 * are to blame for it. */

/* ---- sources ---- */

/* The last write of the place among the events of a thread before the given one, joined threads
 * among them; XPL_NO_EVENT. */
static uint32_t write_before(const xpl_checker *c, uint32_t thread, uint32_t event,
                             uint32_t place)
{
    const uint32_t *first = c->problem.first.at;
    for (uint32_t i = event; i-- > first[thread];) {
        if (c->nodes.at[i] == XPL_NONE)
            continue;
        const xpl_node *n = xpl_node_at(c->f, c->nodes.at[i]);
        if (n->place == place && n->written.ix)
            return n->is_outcome ? i - 1 : i;
        if (!mdl_joins(n->kind) || !xpl_checker_has_tree(c, n->other))
            continue;
        uint32_t other = c->thread_of.at[n->other];
        uint32_t found = write_before(c, other, first[other + 1], place);
        if (found != XPL_NO_EVENT)
            return found;
    }
    return XPL_NO_EVENT;
}

static uint32_t thread_of_event(const xpl_checker *c, uint32_t event)
{
    return c->thread_of.at[xpl_node_at(c->f, c->nodes.at[event])->tree];
}

static uint32_t default_source(const xpl_checker *c, uint32_t event)
{
    TD_ASSERT(xpl_node_at(c->f, c->nodes.at[event])->place != XPL_NONE);
    uint32_t place = xpl_node_at(c->f, c->nodes.at[event])->place;
    uint32_t thread = thread_of_event(c, event);
    for (;;) {
        uint32_t found = write_before(c, thread, event, place);
        uint32_t create = c->f->trees.at[c->trees.at[thread]].create;
        if (found != XPL_NO_EVENT || create == XPL_NONE)
            return found;
        event = c->event_of.at[create];
        thread = thread_of_event(c, event);
    }
}

/* ---- values ---- */

enum { VAR_NEW, VAR_BUSY, VAR_VALUE, VAR_EXPR, VAR_UNBOUND };

void xpl_checker_bind(xpl_checker *c, uint32_t variable, uint32_t event)
{
    TD_ASSERT(variable < c->read_event.len);
    c->read_event.at[variable] = event;
    c->var_stamp.at[variable] = c->stamp;
    c->var_state.at[variable] = VAR_NEW;
}

static bool resolve(xpl_checker *c, uint32_t variable);

bool xpl_checker_resolve(xpl_checker *c, exp_ref e, bool *is_value)
{
    const exp_dag *d = pth_dag(c->f->path);
    size_t first = c->members.len;
    exp_set_list(d, exp_inputs(d, e), &c->members);
    bool fine = true;
    *is_value = true;
    for (size_t i = first; i < c->members.len && fine; i++) {
        uint32_t variable = c->members.at[i];
        if (variable >= c->f->reads.len || c->f->reads.at[variable] == XPL_NONE) {
            *is_value = false;
            continue;
        }
        fine = resolve(c, variable);
        *is_value &= c->var_state.at[variable] == VAR_VALUE;
    }
    c->members.len = first;
    return fine;
}

static exp_ref substituted(const xpl_checker *c, exp_ref e)
{
    return c->subst_stamp.at[e.ix] == c->stamp ? c->subst.at[e.ix] : EXP_NONE;
}

static exp_ref variable_as(xpl_checker *c, exp_ref e, uint32_t number)
{
    exp_dag *d = pth_dag(c->f->path);
    if (number >= c->f->reads.len || c->f->reads.at[number] == XPL_NONE)
        return e;
    TD_ASSERT(c->var_stamp.at[number] == c->stamp && c->var_state.at[number] != VAR_BUSY);
    if (c->var_state.at[number] == VAR_VALUE)
        return exp_const(d, exp_width(d, e), c->var_value.at[number]);
    return c->var_state.at[number] == VAR_EXPR ? c->var_expr.at[number] : e;
}

static exp_ref rebuilt(xpl_checker *c, exp_ref e, const exp_node *n)
{
    exp_dag *d = pth_dag(c->f->path);
    exp_ref a[3];
    TD_ASSERT(n->n_args <= 3);
    for (int i = 0; i < n->n_args; i++)
        a[i] = substituted(c, n->arg[i]);
    switch (n->op) {
    case EXP_CONST:
        return e;
    case EXP_INPUT:
        return variable_as(c, e, n->number);
    case EXP_NOT:
    case EXP_NEG:
        return exp_unary(d, (exp_op)n->op, a[0]);
    case EXP_SEXT:
        return exp_sext(d, a[0], n->width);
    case EXP_EXTRACT:
        return exp_extract(d, a[0], n->aux, n->width);
    case EXP_ITE:
        return exp_ite(d, a[0], a[1], a[2]);
    default:
        return exp_binary(d, (exp_op)n->op, a[0], a[1]);
    }
}

exp_ref xpl_checker_substitute(xpl_checker *c, exp_ref root)
{
    const exp_dag *d = pth_dag(c->f->path);
    size_t n_refs = exp_count(d);
    xpl_widen_refs(&c->subst, n_refs);
    exp_u32_vec_reserve(&c->subst_stamp, n_refs);
    while (c->subst_stamp.len < n_refs)
        c->subst_stamp.at[c->subst_stamp.len++] = 0;
    exp_ref_vec_clear(&c->stack);
    exp_ref_vec_push(&c->stack, root);
    while (c->stack.len > 0) {
        exp_ref e = c->stack.at[c->stack.len - 1];
        exp_node n = exp_at(d, e);
        size_t before = c->stack.len;
        for (int i = 0; i < n.n_args; i++)
            if (!substituted(c, n.arg[i]).ix)
                exp_ref_vec_push(&c->stack, n.arg[i]);
        if (c->stack.len > before)
            continue;
        c->stack.len--;
        c->subst.at[e.ix] = rebuilt(c, e, &n);
        c->subst_stamp.at[e.ix] = c->stamp;
    }
    return substituted(c, root);
}

static td_u128 computed(const xpl_checker *c, exp_ref e)
{
    return c->eval.at[e.ix];
}

/* The value of an operation whose operands are computed. */
static td_u128 compute(const xpl_checker *c, exp_ref e, const exp_node *n)
{
    td_u128 v[3] = {0}, value = 0;
    if (n->op == EXP_INPUT)
        return c->var_value.at[n->number];
    if (exp_is_const(pth_dag(c->f->path), e, &value))
        return value;
    for (int i = 0; i < n->n_args; i++)
        v[i] = computed(c, n->arg[i]);
    return exp_apply((exp_op)n->op, n->width, n->aux, v);
}

td_u128 xpl_checker_value(xpl_checker *c, exp_ref root)
{
    const exp_dag *d = pth_dag(c->f->path);
    size_t n_refs = exp_count(d);
    if (c->eval.len < n_refs) {
        exp_value_vec_reserve(&c->eval, n_refs);
        c->eval.len = n_refs;
        xpl_widen(&c->eval_stamp, n_refs);
    }
    exp_ref_vec_clear(&c->stack);
    exp_ref_vec_push(&c->stack, root);
    while (c->stack.len > 0) {
        exp_ref e = c->stack.at[c->stack.len - 1];
        exp_node n = exp_at(d, e);
        size_t before = c->stack.len;
        for (int i = 0; i < n.n_args; i++)
            if (c->eval_stamp.at[n.arg[i].ix] != c->stamp)
                exp_ref_vec_push(&c->stack, n.arg[i]);
        if (c->stack.len > before)
            continue;
        c->stack.len--;
        c->eval.at[e.ix] = compute(c, e, &n);
        c->eval_stamp.at[e.ix] = c->stamp;
    }
    return computed(c, root);
}

static void set_value(xpl_checker *c, uint32_t variable, td_u128 value)
{
    c->var_state.at[variable] = VAR_VALUE;
    c->var_value.at[variable] = value;
}

static void set_written(xpl_checker *c, uint32_t variable, exp_ref e, bool is_value)
{
    const exp_dag *d = pth_dag(c->f->path);
    td_u128 value;
    if (is_value) {
        set_value(c, variable, xpl_checker_value(c, e));
        return;
    }
    exp_ref as = xpl_checker_substitute(c, e);
    if (exp_is_const(d, as, &value)) {
        set_value(c, variable, value);
        return;
    }
    c->var_state.at[variable] = VAR_EXPR;
    c->var_expr.at[variable] = as;
}

uint32_t xpl_checker_couple(xpl_checker *c, uint32_t event)
{
    xpl_event *e = &c->problem.events.at[event];
    if (e->source != XPL_ANY)
        return e->source;
    const xpl_node *n = xpl_node_at(c->f, c->nodes.at[event]);
    if (mdl_joins(n->kind))
        return e->source = c->event_of.at[c->end_of.at[n->other]];
    uint32_t write = xpl_scenario_source(c->scenario, c->nodes.at[event]);
    e->is_free = write == XPL_NONE;
    if (write == XPL_NONE)
        e->source = default_source(c, event);
    else
        e->source = xpl_checker_has_event(c, write)
                        ? c->event_of.at[write] - xpl_node_at(c->f, write)->is_outcome
                        : XPL_NO_EVENT;
    return e->source;
}

/* What the event writes; of an exchange, its outcome does. */
static exp_ref written_at(const xpl_checker *c, uint32_t event)
{
    exp_ref e = xpl_node_at(c->f, c->nodes.at[event])->written;
    TD_ASSERT(e.ix || (event + 1 < c->nodes.len &&
                       xpl_node_at(c->f, c->nodes.at[event + 1])->is_outcome));
    return e.ix ? e : xpl_node_at(c->f, c->nodes.at[event + 1])->written;
}

static bool resolve(xpl_checker *c, uint32_t variable)
{
    if (c->var_stamp.at[variable] != c->stamp) {
        c->n_unbound++;
        c->var_stamp.at[variable] = c->stamp;
        c->var_state.at[variable] = VAR_UNBOUND;
    }
    if (c->var_state.at[variable] == VAR_BUSY)
        return false;
    if (c->var_state.at[variable] != VAR_NEW)
        return true;
    c->var_state.at[variable] = VAR_BUSY;
    uint32_t event = c->read_event.at[variable];
    const xpl_node *n = xpl_node_at(c->f, c->nodes.at[event]);
    uint32_t source = xpl_checker_couple(c, event);
    if (source == XPL_NO_EVENT) {
        TD_ASSERT(n->place != XPL_NONE); /* what was there at the start is memory */
        set_value(c, variable, c->f->places.at[n->place].value);
        return true;
    }
    exp_ref e = written_at(c, source);
    bool is_value;
    if (!xpl_checker_resolve(c, e, &is_value))
        return false;
    set_written(c, variable, e, is_value);
    return true;
}

/* ---- the core ---- */

void xpl_checker_blame(xpl_checker *c, exp_ref e)
{
    const exp_dag *d = pth_dag(c->f->path);
    exp_u32_vec_clear(&c->members);
    exp_set_list(d, exp_inputs(d, e), &c->members);
    for (size_t i = 0; i < c->members.len; i++) {
        uint32_t v = c->members.at[i];
        bool is_read = v < c->f->reads.len && c->f->reads.at[v] != XPL_NONE &&
                       c->var_stamp.at[v] == c->stamp;
        if (!is_read || c->blamed.at[v] == c->blame_stamp)
            continue;
        uint32_t event = c->read_event.at[v];
        c->blamed.at[v] = c->blame_stamp;
        const xpl_event *r = &c->problem.events.at[event];
        if (r->source == XPL_ANY)
            continue;
        if (r->is_free)
            xpl_u32_vec_push(&c->core, c->nodes.at[event]);
        if (r->source != XPL_NO_EVENT)
            exp_set_list(d, exp_inputs(d, written_at(c, r->source)), &c->members);
    }
}
