/* SPDX-License-Identifier: Apache-2.0 */
#include "explore/interfere/checker_int.h"

#include "base/assert.h"

/* ---- lifetime ---- */

void xpl_checker_init(xpl_checker *c, xpl_forest *f, const xpl_opts *opts)
{
    *c = (xpl_checker){.f = f, .solver = opts->solver};
}

void xpl_checker_fini(xpl_checker *c)
{
    xpl_u32_vec *all[] = {&c->core,        &c->trees,       &c->nodes,
                          &c->end_of,      &c->thread_of,   &c->tree_stamp,
                          &c->event_of,    &c->event_stamp, &c->place_ix,
                          &c->place_stamp, &c->object_ix,   &c->object_stamp,
                          &c->read_event,  &c->var_stamp,   &c->var_state,
                          &c->todo,        &c->blamed,      &c->kept};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        xpl_u32_vec_fini(all[i]);
    xpl_helper_vec_fini(&c->helpers);
    exp_value_vec_fini(&c->values);
    exp_value_vec_fini(&c->var_value);
    exp_value_vec_fini(&c->eval);
    xpl_u32_vec_fini(&c->eval_stamp);
    exp_ref_vec_fini(&c->var_expr);
    exp_ref_vec_fini(&c->conditions);
    exp_ref_vec_fini(&c->asked);
    exp_ref_vec_fini(&c->asked_of);
    exp_ref_vec_fini(&c->survivals);
    exp_ref_vec_fini(&c->musts);
    exp_ref_vec_fini(&c->subst);
    exp_ref_vec_fini(&c->stack);
    exp_u32_vec_fini(&c->subst_stamp);
    exp_u32_vec_fini(&c->members);
    trc_step_vec_fini(&c->steps);
    trc_chosen_vec_fini(&c->inputs);
    xpl_problem_fini(&c->problem);
    xpl_temporal_fini(&c->temporal);
}

static void start(xpl_checker *c)
{
    const xpl_forest *f = c->f;
    size_t n_vars = pth_n_inputs(f->path);
    xpl_widen(&c->end_of, f->trees.len);
    xpl_widen(&c->thread_of, f->trees.len);
    xpl_widen(&c->tree_stamp, f->trees.len);
    xpl_widen(&c->event_of, f->nodes.len);
    xpl_widen(&c->event_stamp, f->nodes.len);
    xpl_widen(&c->place_ix, f->places.len);
    xpl_widen(&c->place_stamp, f->places.len);
    xpl_widen(&c->object_ix, f->objects.len);
    xpl_widen(&c->object_stamp, f->objects.len);
    xpl_widen(&c->read_event, n_vars);
    xpl_widen(&c->var_stamp, n_vars);
    xpl_widen(&c->var_state, n_vars);
    xpl_widen(&c->blamed, n_vars);
    xpl_widen_refs(&c->var_expr, n_vars);
    xpl_widen_refs(&c->conditions, f->nodes.len);
    exp_value_vec_reserve(&c->var_value, n_vars);
    while (c->var_value.len < n_vars)
        exp_value_vec_push(&c->var_value, 0);
    c->stamp++;
    c->is_over = false;
    c->broken = EXP_NONE;
    xpl_u32_vec_clear(&c->core);
    xpl_helper_vec_clear(&c->helpers);
    xpl_u32_vec_clear(&c->trees);
    xpl_u32_vec_clear(&c->nodes);
    xpl_problem_clear(&c->problem);
    exp_ref_vec_clear(&c->asked);
    exp_ref_vec_clear(&c->asked_of);
}

/* ---- which threads take part, and how far they get ---- */

static void add_tree(xpl_checker *c, uint32_t tree, uint32_t end)
{
    TD_ASSERT(!xpl_checker_has_tree(c, tree));
    c->tree_stamp.at[tree] = c->stamp;
    c->thread_of.at[tree] = (uint32_t)c->trees.len;
    c->end_of.at[tree] = end;
    xpl_u32_vec_push(&c->trees, tree);
}

/* The thread gets to the node at least. False: it cannot. */
static bool reach(xpl_checker *c, uint32_t node)
{
    uint32_t tree = xpl_node_at(c->f, node)->tree;
    if (!xpl_checker_has_tree(c, tree)) {
        add_tree(c, tree, node);
        return true;
    }
    uint32_t end = c->end_of.at[tree];
    if (end != XPL_NONE && xpl_forest_leads(c->f, node, end))
        return true;
    if (tree == c->target->tree ||
        (end != XPL_NONE && !xpl_forest_leads(c->f, end, node)))
        return false;
    c->end_of.at[tree] = node;
    return true;
}

/* Main is thread 0; every other thread that takes part was created. */
static bool gather(xpl_checker *c)
{
    const xpl_scenario *s = c->scenario;
    if (c->target->tree != 0) {
        uint32_t create = c->f->trees.at[c->target->tree].create;
        while (xpl_node_at(c->f, create)->tree != 0)
            create = c->f->trees.at[xpl_node_at(c->f, create)->tree].create;
        add_tree(c, 0, create);
    }
    add_tree(c, c->target->tree, c->target->before);
    for (size_t i = 0; i < s->ends.len; i++)
        if (!reach(c, s->ends.at[i]))
            return false;
    for (size_t i = 0; i < c->trees.len; i++) {
        uint32_t create = c->f->trees.at[c->trees.at[i]].create;
        if (create != XPL_NONE && !reach(c, create))
            return false;
    }
    return true;
}

static void list_path(xpl_checker *c, uint32_t tree)
{
    uint32_t end = c->end_of.at[tree];
    size_t first = c->nodes.len;
    size_t n = end == XPL_NONE ? 0 : xpl_node_at(c->f, end)->depth + 1;
    TD_ASSERT(end == XPL_NONE || xpl_node_at(c->f, end)->tree == tree);
    xpl_u32_vec_reserve(&c->nodes, first + n);
    c->nodes.len = first + n;
    for (uint32_t i = end; i != XPL_NONE; i = xpl_node_at(c->f, i)->before) {
        size_t at = first + --n;
        c->nodes.at[at] = i;
        c->event_of.at[i] = (uint32_t)at;
        c->event_stamp.at[i] = c->stamp;
    }
}

/* What is aimed at may be an operation of its own, the last of its thread: XPL_NONE. */
static bool aims_at_operation(const xpl_target *t)
{
    return t->aim == XPL_AIM_OUTCOME || t->aim == XPL_AIM_ON;
}

static bool needs(xpl_checker *c, uint32_t tree, uint8_t kind)
{
    c->need_tree = tree;
    c->need_after = c->end_of.at[tree];
    c->need_kind = kind;
    return true;
}

static bool needs_end(xpl_checker *c, uint32_t tree)
{
    uint32_t end = xpl_checker_has_tree(c, tree) ? c->end_of.at[tree] : XPL_NONE;
    if (end != XPL_NONE && mdl_ends(xpl_node_at(c->f, end)->kind))
        return false;
    if (!xpl_checker_has_tree(c, tree))
        add_tree(c, tree, XPL_NONE);
    return needs(c, tree, WIRE_END);
}

/* A thread that is joined must have ended, and none stays in an atomic section. */
static bool is_short(xpl_checker *c, uint32_t thread)
{
    const uint32_t *first = c->problem.first.at;
    uint32_t inside = 0;
    for (uint32_t i = first[thread]; i < first[thread + 1]; i++) {
        if (c->nodes.at[i] == XPL_NONE)
            continue;
        const xpl_node *n = xpl_node_at(c->f, c->nodes.at[i]);
        c->is_over |= n->is_fatal;
        inside = mdl_enters_section(n->kind)   ? 1
                 : mdl_leaves_section(n->kind) ? 0
                                               : inside;
        if (mdl_joins(n->kind) && needs_end(c, n->other))
            return true;
    }
    uint32_t tree = c->trees.at[thread];
    if (tree == c->target->tree && c->target->other != XPL_NONE)
        return needs_end(c, c->target->other);
    return inside && tree != c->target->tree && needs(c, tree, WIRE_ATOMIC_END);
}

/* ---- data constraints ---- */

static exp_ref condition_of(xpl_checker *c, uint32_t node)
{
    TD_ASSERT(xpl_node_at(c->f, node)->question != XPL_NONE);
    exp_ref *at = &c->conditions.at[node];
    if (!at->ix) {
        const xpl_node *n = xpl_node_at(c->f, node);
        *at = pth_condition(c->f->path, n->question, n->side);
    }
    return *at;
}

static exp_ref target_condition(xpl_checker *c)
{
    const xpl_target *t = c->target;
    const xpl_forest *f = c->f;
    if (t->aim == XPL_AIM_OUTCOME || t->aim == XPL_AIM_ON)
        return EXP_NONE;
    if (t->aim == XPL_AIM_SIDE)
        return pth_condition(f->path, t->question, t->side);
    trc_u64_vec known = {0};
    uint32_t i = xpl_forest_first(f, t->tree, t->before);
    for (; i != XPL_NONE; i = f->nodes.at[i].next)
        if (f->nodes.at[i].question == t->question)
            trc_u64_vec_push(&known, f->nodes.at[i].side);
    exp_ref e = pth_none_of(f->path, t->question, known.at, known.len);
    trc_u64_vec_fini(&known);
    return e;
}

/* A thread decides before another one can move, so no decision may end the run. all: what holds if the
 * thread reaches node. */
static void add_survivals(xpl_checker *c, uint32_t node, exp_ref all)
{
    exp_dag *d = pth_dag(c->f->path);
    for (; node != XPL_NONE; node = xpl_node_at(c->f, node)->next) {
        const xpl_node *n = xpl_node_at(c->f, node);
        if (!mdl_decides(n->kind))
            continue;
        exp_ref here = exp_binary(d, EXP_AND, all, condition_of(c, node));
        if (n->is_fatal)
            exp_ref_vec_push(&c->survivals, exp_unary(d, EXP_NOT, here));
        if (n->first != XPL_NONE)
            add_survivals(c, n->first, here);
    }
}

static void find_survivals(xpl_checker *c)
{
    exp_ref_vec_clear(&c->survivals);
    for (size_t i = 0; i < c->trees.len && c->f->n_fatal > 0; i++) {
        uint32_t tree = c->trees.at[i], end = c->end_of.at[tree];
        if (tree != c->target->tree)
            add_survivals(c, xpl_forest_first(c->f, tree, end),
                          exp_const(pth_dag(c->f->path), 1, 1));
    }
}

typedef enum constraint { NEVER, HOLDS, ASKED, CIRCLE } constraint;

static constraint evaluate(xpl_checker *c, exp_ref e)
{
    const exp_dag *d = pth_dag(c->f->path);
    bool is_value;
    td_u128 value;
    if (!xpl_checker_resolve(c, e, &is_value))
        return CIRCLE;
    if (is_value)
        return xpl_checker_value(c, e) ? HOLDS : NEVER;
    exp_ref as = xpl_checker_substitute(c, e);
    if (exp_is_const(d, as, &value))
        return value ? HOLDS : NEVER;
    exp_ref_vec_push(&c->asked, as);
    exp_ref_vec_push(&c->asked_of, e);
    return ASKED;
}

static xpl_verdict refuse(xpl_checker *c)
{
    return c->core.len > 0 || c->helpers.len > 0 ? XPL_IMPOSSIBLE : XPL_CONFLICT;
}

static xpl_verdict ask(xpl_checker *c)
{
    TD_ASSERT(c->asked.len == c->asked_of.len);
    if (c->asked.len == 0) {
        trc_chosen_vec_clear(&c->inputs);
        return XPL_POSSIBLE;
    }
    xpl_answer answer = XPL_UNKNOWN;
    c->n_asked++;
    if (c->solver.solve)
        answer = c->solver.solve(c->solver.self, c->f->path, c->asked.at, c->asked.len,
                                 &c->values);
    if (answer == XPL_UNKNOWN)
        return XPL_UNDECIDED;
    if (answer == XPL_SAT) {
        exp_values values = {c->values.at, c->values.len};
        pth_job(c->f->path, c->asked.at, c->asked.len, values, &c->inputs);
        return XPL_POSSIBLE;
    }
    c->blame_stamp++;
    for (size_t i = 0; i < c->asked_of.len; i++)
        xpl_checker_blame(c, c->asked_of.at[i]);
    return refuse(c);
}

/* Keeps the smaller of two cores: that of e, which does not hold, and the one found before. */
static void blame_smaller(xpl_checker *c, exp_ref e, bool is_first)
{
    xpl_u32_vec_clear(&c->kept);
    xpl_u32_vec_append(&c->kept, c->core.at, c->core.len);
    xpl_u32_vec_clear(&c->core);
    c->blame_stamp++;
    xpl_checker_blame(c, e);
    if (is_first || c->core.len < c->kept.len) {
        c->broken = e;
        return;
    }
    xpl_u32_vec_clear(&c->core);
    xpl_u32_vec_append(&c->core, c->kept.at, c->kept.len);
}

/* Lists every condition besides that of the target. */
static void list_conditions(xpl_checker *c)
{
    exp_ref_vec_clear(&c->musts);
    exp_ref e = target_condition(c);
    if (e.ix)
        exp_ref_vec_push(&c->musts, e);
    for (uint32_t i = 0; i < c->nodes.len; i++)
        if (c->nodes.at[i] != XPL_NONE &&
            xpl_node_at(c->f, c->nodes.at[i])->question != XPL_NONE)
            exp_ref_vec_push(&c->musts, condition_of(c, c->nodes.at[i]));
    find_survivals(c);
    exp_ref_vec_append(&c->musts, c->survivals.at, c->survivals.len);
}

static xpl_verdict check_data(xpl_checker *c)
{
    bool fails = false;
    list_conditions(c);
    for (size_t i = 0; i < c->musts.len; i++) {
        constraint now = evaluate(c, c->musts.at[i]);
        if (now == CIRCLE)
            return XPL_CONFLICT;
        if (now != NEVER)
            continue;
        blame_smaller(c, c->musts.at[i], !fails);
        fails = true;
        if (c->core.len == 0)
            return XPL_CONFLICT;
    }
    return fails ? XPL_IMPOSSIBLE : XPL_POSSIBLE;
}

/* ---- temporal constraints ---- */

static uint32_t index_of(xpl_u32_vec *ix, xpl_u32_vec *stamp, uint32_t now, uint32_t i,
                         uint32_t *n)
{
    if (stamp->at[i] != now) {
        stamp->at[i] = now;
        ix->at[i] = (*n)++;
    }
    return ix->at[i];
}

static uint32_t object_ix(xpl_checker *c, uint32_t object)
{
    uint32_t n = (uint32_t)c->problem.counts.len, before = n;
    uint32_t ix = index_of(&c->object_ix, &c->object_stamp, c->stamp, object, &n);
    if (n > before)
        xpl_u32_vec_push(&c->problem.counts, c->f->objects.at[object].count);
    return ix;
}

static uint32_t place_ix(xpl_checker *c, uint32_t place)
{
    return index_of(&c->place_ix, &c->place_stamp, c->stamp, place, &c->problem.n_places);
}

static void add_aim(xpl_checker *c, uint32_t thread)
{
    const xpl_target *t = c->target;
    bool is_there = t->other != XPL_NONE && xpl_checker_has_tree(c, t->other);
    xpl_event e = {.kind = t->kind,
                   .is_closed = true,
                   .is_last = t->is_last,
                   .thread = thread,
                   .place = XPL_NOTHING,
                   .object =
                       t->object == XPL_NONE ? XPL_NOTHING : object_ix(c, t->object),
                   .other = is_there ? c->thread_of.at[t->other] : XPL_NOTHING,
                   .source = XPL_ANY};
    xpl_event_vec_push(&c->problem.events, e);
}

static void add_event(xpl_checker *c, uint32_t thread, uint32_t node)
{
    const xpl_node *n = xpl_node_at(c->f, node);
    uint32_t event = (uint32_t)c->problem.events.len;
    bool created = mdl_creates(n->kind) || mdl_joins(n->kind);
    xpl_event e = {.kind = n->kind,
                   .reads = n->variable != XPL_NONE,
                   .writes = n->written.ix != 0 && n->place != XPL_NONE,
                   .is_closed = n->is_closed,
                   .is_last = n->is_last,
                   .thread = thread,
                   .place = n->place == XPL_NONE || n->is_outcome ? XPL_NOTHING
                                                                  : place_ix(c, n->place),
                   .object =
                       n->object == XPL_NONE ? XPL_NOTHING : object_ix(c, n->object),
                   .other = created && xpl_checker_has_tree(c, n->other)
                                ? c->thread_of.at[n->other]
                                : XPL_NOTHING,
                   .source = XPL_ANY};
    if (e.reads)
        xpl_checker_bind(c, n->variable, event);
    if (n->is_outcome) {
        c->problem.events.at[event - 1].writes = e.writes;
        e.writes = false;
    }
    xpl_event_vec_push(&c->problem.events, e);
}

static void add_events(xpl_checker *c)
{
    const uint32_t *first = c->problem.first.at;
    for (uint32_t t = 0; t < c->trees.len; t++)
        for (uint32_t i = first[t]; i < first[t + 1]; i++)
            if (c->nodes.at[i] == XPL_NONE)
                add_aim(c, t);
            else
                add_event(c, t, c->nodes.at[i]);
}

static void write_steps(xpl_checker *c)
{
    const xpl_u32_vec *order = &c->temporal.order;
    xpl_u32_vec *number = &c->todo;
    uint32_t n_created = 0;
    xpl_u32_vec_clear(number);
    xpl_widen(number, c->trees.len);
    TD_ASSERT(order->len == c->problem.events.len); /* (S1): of all of them */
    trc_step_vec_clear(&c->steps);
    for (size_t i = 0; i < order->len; i++) {
        const xpl_event *e = &c->problem.events.at[order->at[i]];
        uint32_t node = c->nodes.at[order->at[i]];
        if (node == XPL_NONE || xpl_node_at(c->f, node)->is_choice)
            trc_step_add(&c->steps, number->at[e->thread]);
        if (mdl_creates(e->kind)) {
            n_created++;
            if (e->other != XPL_NOTHING)
                number->at[e->other] = n_created;
        }
    }
}

static void blame_order(xpl_checker *c)
{
    const xpl_temporal *t = &c->temporal;
    for (size_t i = 0; i < t->reads.len; i++)
        xpl_u32_vec_push(&c->core, c->nodes.at[t->reads.at[i]]);
    for (size_t i = 0; i < t->waiting.len; i++) {
        xpl_waiting w = t->waiting.at[i];
        uint32_t node = c->nodes.at[w.event];
        TD_ASSERT(node != XPL_NONE || w.event + 1 == c->nodes.len ||
                  c->problem.events.at[w.event].thread ==
                      c->thread_of.at[c->target->tree]);
        uint8_t kind = node == XPL_NONE ? c->target->kind : xpl_node_at(c->f, node)->kind;
        uint32_t object =
            node == XPL_NONE ? c->target->object : xpl_node_at(c->f, node)->object;
        xpl_helper h = {object,
                        w.thread == XPL_NOTHING ? XPL_NONE : c->trees.at[w.thread], kind};
        xpl_helper_vec_push(&c->helpers, h);
    }
}

static xpl_orders solve(xpl_checker *c, uint32_t only)
{
    c->problem.only = only;
    return xpl_temporal_solve(&c->temporal, &c->problem);
}

/* True if there is an order when all default reads may observe anything; otherwise nothing helps. */
static bool has_order(xpl_checker *c)
{
    for (size_t i = 0; i < c->scenario->edges.len; i++)
        if (xpl_checker_has_event(c, c->scenario->edges.at[i].read))
            xpl_checker_couple(c, c->event_of.at[c->scenario->edges.at[i].read]);
    return solve(c, XPL_ANY) != XPL_NO_ORDER;
}

/* Another thread writes the place. */
static bool is_contended(const xpl_checker *c, const xpl_event *read)
{
    const xpl_event_vec *events = &c->problem.events;
    for (size_t i = 0; i < events->len; i++)
        if (events->at[i].writes && events->at[i].place == read->place &&
            events->at[i].thread != read->thread)
            return true;
    return false;
}

/* One read whose default is impossible by itself is a better core than any other: whatever comes
 * of the candidate, this read has another source. */
static bool find_forced(xpl_checker *c)
{
    for (uint32_t i = 0; i < c->problem.events.len; i++) {
        const xpl_event *e = &c->problem.events.at[i];
        if (!e->reads || e->place == XPL_NOTHING || e->source == XPL_ANY || !e->is_free ||
            !is_contended(c, e))
            continue;
        if (solve(c, i) != XPL_NO_ORDER)
            continue;
        xpl_u32_vec_clear(&c->core);
        xpl_helper_vec_clear(&c->helpers);
        c->broken = EXP_NONE;
        blame_order(c);
        return true;
    }
    return false;
}

/* Handles an unsatisfiable condition; the core has the reason. */
static xpl_verdict refuse_data(xpl_checker *c)
{
    bool ordered = has_order(c);
    if (!ordered && c->temporal.waiting.len == 0)
        return XPL_CONFLICT;
    if (ordered && c->core.len > 1)
        find_forced(c);
    return refuse(c);
}

static xpl_verdict check_order(xpl_checker *c)
{
    for (uint32_t i = 0; c->couples_all && i < c->problem.events.len; i++)
        if (c->problem.events.at[i].reads)
            xpl_checker_couple(c, i);
    switch (solve(c, XPL_NOTHING)) {
    case XPL_ORDERED:
        write_steps(c);
        return ask(c);
    case XPL_NO_ORDER:
        break;
    default:
        return XPL_UNDECIDED;
    }
    blame_order(c);
    if (c->core.len > 1 && has_order(c))
        find_forced(c);
    return refuse(c);
}

/* ---- what cannot help ---- */

bool xpl_would_hold(const xpl_forest *f, exp_ref condition, uint32_t read, uint32_t write)
{
    const exp_dag *d = pth_dag(f->path);
    uint32_t variable = xpl_node_at(f, read)->variable;
    td_u128 value = 0;
    exp_u32_vec members = {0};
    exp_set_list(d, exp_inputs(d, condition), &members);
    bool alone = members.len == 1 && members.at[0] == variable;
    exp_u32_vec_fini(&members);
    if (!alone || !exp_is_const(d, xpl_node_at(f, write)->written, &value))
        return true;
    exp_value_vec values = {0};
    exp_value_vec_reserve(&values, variable + 1);
    memset(values.at, 0, (variable + 1) * sizeof values.at[0]);
    values.at[variable] = value;
    bool holds = exp_eval(d, condition, (exp_values){values.at, variable + 1}) != 0;
    exp_value_vec_fini(&values);
    return holds;
}

/* ---- both ---- */

xpl_verdict xpl_check(xpl_checker *c, const xpl_scenario *s, const xpl_target *t)
{
    c->scenario = s;
    c->target = t;
    start(c);
    if (!gather(c))
        return XPL_CONFLICT;
    for (size_t i = 0; i < c->trees.len; i++) {
        xpl_u32_vec_push(&c->problem.first, (uint32_t)c->nodes.len);
        list_path(c, c->trees.at[i]);
        if (c->trees.at[i] == t->tree && aims_at_operation(t))
            xpl_u32_vec_push(&c->nodes, XPL_NONE);
    }
    xpl_u32_vec_push(&c->problem.first, (uint32_t)c->nodes.len);
    for (uint32_t i = 0; i + 1 < c->problem.first.len; i++)
        if (is_short(c, i))
            return XPL_NEEDS;
    if (c->is_over)
        return XPL_CONFLICT;
    TD_ASSERT(c->trees.at[0] == 0); /* main is there from the start */
    add_events(c);
    TD_ASSERT(c->problem.events.len == c->nodes.len);
    exp_u32_vec_clear(&c->members);
    xpl_verdict data = check_data(c);
    if (data == XPL_IMPOSSIBLE)
        return refuse_data(c);
    return data == XPL_POSSIBLE ? check_order(c) : data;
}
