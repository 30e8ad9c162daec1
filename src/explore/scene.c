/* SPDX-License-Identifier: Apache-2.0 */
#include "explore/scene.h"

/* ---- candidates ---- */

void xpl_scene_fini(xpl_scene *s)
{
    xpl_u32_vec_fini(&s->ends);
    xpl_edge_vec_fini(&s->edges);
}

void xpl_scene_copy(xpl_scene *to, const xpl_scene *from)
{
    to->target = from->target;
    to->degree = from->degree;
    xpl_u32_vec_clear(&to->ends);
    xpl_u32_vec_append(&to->ends, from->ends.at, from->ends.len);
    xpl_edge_vec_clear(&to->edges);
    xpl_edge_vec_append(&to->edges, from->edges.at, from->edges.len);
}

bool xpl_scene_reach(xpl_scene *s, const xpl_forest *f, const xpl_target *t,
                     uint32_t node)
{
    uint32_t tree = xpl_node_at(f, node)->tree;
    if (tree == t->tree)
        return t->before != XPL_NONE && xpl_forest_leads(f, node, t->before);
    size_t i = 0;
    while (i < s->ends.len && xpl_node_at(f, s->ends.at[i])->tree < tree)
        i++;
    if (i < s->ends.len && xpl_node_at(f, s->ends.at[i])->tree == tree) {
        if (xpl_forest_leads(f, node, s->ends.at[i]))
            return true;
        if (!xpl_forest_leads(f, s->ends.at[i], node))
            return false;
        s->ends.at[i] = node;
        return true;
    }
    xpl_u32_vec_push(&s->ends, node);
    memmove(&s->ends.at[i + 1], &s->ends.at[i],
            (s->ends.len - 1 - i) * sizeof s->ends.at[0]);
    s->ends.at[i] = node;
    return true;
}

void xpl_scene_couple(xpl_scene *s, uint32_t read, uint32_t write)
{
    size_t i = 0;
    while (i < s->edges.len && s->edges.at[i].read < read)
        i++;
    xpl_edge_vec_push(&s->edges, (xpl_edge){read, write});
    memmove(&s->edges.at[i + 1], &s->edges.at[i],
            (s->edges.len - 1 - i) * sizeof s->edges.at[0]);
    s->edges.at[i] = (xpl_edge){read, write};
}

uint32_t xpl_scene_source(const xpl_scene *s, uint32_t read)
{
    for (size_t i = 0; i < s->edges.len; i++)
        if (s->edges.at[i].read == read)
            return s->edges.at[i].write;
    return XPL_NONE;
}

static uint32_t explicit_end(const xpl_scene *s, const xpl_forest *f, uint32_t tree)
{
    for (size_t i = 0; i < s->ends.len; i++)
        if (xpl_node_at(f, s->ends.at[i])->tree == tree)
            return s->ends.at[i];
    return XPL_NONE;
}

/* Seen from node, which may be XPL_NONE. */
static bool is_before(const xpl_scene *s, const xpl_forest *f, uint32_t write,
                      uint32_t node)
{
    for (; node != XPL_NONE; node = f->trees.at[xpl_node_at(f, node)->tree].create) {
        if (xpl_node_at(f, node)->tree == xpl_node_at(f, write)->tree)
            return xpl_forest_leads(f, write, node);
        for (uint32_t k = node; k != XPL_NONE; k = xpl_node_at(f, k)->before)
            if (xpl_node_at(f, k)->kind == WIRE_JOIN) {
                uint32_t end = explicit_end(s, f, xpl_node_at(f, k)->other);
                bool is_its = end != XPL_NONE &&
                              xpl_node_at(f, end)->tree == xpl_node_at(f, write)->tree;
                if (is_its || (end != XPL_NONE && is_before(s, f, write, end)))
                    return true;
            }
    }
    return false;
}

bool xpl_scene_before(const xpl_scene *s, const xpl_forest *f, uint32_t write,
                      uint32_t read)
{
    return is_before(s, f, write, read);
}

static void deepen(const xpl_forest *f, uint32_t tree, uint32_t node, uint32_t *deepest)
{
    for (; node != XPL_NONE; node = f->trees.at[xpl_node_at(f, node)->tree].create)
        if (xpl_node_at(f, node)->tree == tree &&
            (*deepest == XPL_NONE || xpl_forest_leads(f, *deepest, node)))
            *deepest = node;
}

uint32_t xpl_scene_end(const xpl_scene *s, const xpl_forest *f, const xpl_target *t,
                       uint32_t tree)
{
    uint32_t end = XPL_NONE;
    deepen(f, tree, t->before, &end);
    deepen(f, tree, f->trees.at[t->tree].create, &end);
    for (size_t i = 0; i < s->ends.len; i++)
        deepen(f, tree, s->ends.at[i], &end);
    return end;
}

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

static void widen(xpl_u32_vec *v, size_t n)
{
    xpl_u32_vec_reserve(v, n);
    if (v->len < n)
        memset(v->at + v->len, 0, (n - v->len) * sizeof v->at[0]);
    v->len = n > v->len ? n : v->len;
}

static void widen_refs(exp_ref_vec *v, size_t n)
{
    exp_ref_vec_reserve(v, n);
    if (v->len < n)
        memset(v->at + v->len, 0, (n - v->len) * sizeof v->at[0]);
    v->len = n > v->len ? n : v->len;
}

static void start(xpl_checker *c)
{
    const xpl_forest *f = c->f;
    size_t n_vars = pth_n_inputs(f->path);
    widen(&c->end_of, f->trees.len);
    widen(&c->thread_of, f->trees.len);
    widen(&c->tree_stamp, f->trees.len);
    widen(&c->event_of, f->nodes.len);
    widen(&c->event_stamp, f->nodes.len);
    widen(&c->place_ix, f->places.len);
    widen(&c->place_stamp, f->places.len);
    widen(&c->object_ix, f->objects.len);
    widen(&c->object_stamp, f->objects.len);
    widen(&c->read_event, n_vars);
    widen(&c->var_stamp, n_vars);
    widen(&c->var_state, n_vars);
    widen(&c->blamed, n_vars);
    widen_refs(&c->var_expr, n_vars);
    widen_refs(&c->conditions, f->nodes.len);
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

static bool has_tree(const xpl_checker *c, uint32_t tree)
{
    return c->tree_stamp.at[tree] == c->stamp;
}

static void add_tree(xpl_checker *c, uint32_t tree, uint32_t end)
{
    c->tree_stamp.at[tree] = c->stamp;
    c->thread_of.at[tree] = (uint32_t)c->trees.len;
    c->end_of.at[tree] = end;
    xpl_u32_vec_push(&c->trees, tree);
}

/* The thread gets to the node at least. False: it cannot. */
static bool reach(xpl_checker *c, uint32_t node)
{
    uint32_t tree = xpl_node_at(c->f, node)->tree;
    if (!has_tree(c, tree)) {
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

/* Main is thread 0; whoever takes part was created. */
static bool gather(xpl_checker *c)
{
    const xpl_scene *s = c->scene;
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
    uint32_t end = has_tree(c, tree) ? c->end_of.at[tree] : XPL_NONE;
    if (end != XPL_NONE && xpl_node_at(c->f, end)->kind == WIRE_END)
        return false;
    if (!has_tree(c, tree))
        add_tree(c, tree, XPL_NONE);
    return needs(c, tree, WIRE_END);
}

/* Who is joined must have ended, and nobody stays in an atomic section. */
static bool is_short(xpl_checker *c, uint32_t thread)
{
    const uint32_t *first = c->problem.first.at;
    uint32_t inside = 0;
    for (uint32_t i = first[thread]; i < first[thread + 1]; i++) {
        if (c->nodes.at[i] == XPL_NONE)
            continue;
        const xpl_node *n = xpl_node_at(c->f, c->nodes.at[i]);
        c->is_over |= n->is_fatal;
        inside = n->kind == WIRE_ATOMIC_BEGIN ? 1
                 : n->kind == WIRE_ATOMIC_END ? 0
                                              : inside;
        if (n->kind == WIRE_JOIN && needs_end(c, n->other))
            return true;
    }
    uint32_t tree = c->trees.at[thread];
    if (tree == c->target->tree && c->target->other != XPL_NONE)
        return needs_end(c, c->target->other);
    return inside && tree != c->target->tree && needs(c, tree, WIRE_ATOMIC_END);
}

static bool has_event(const xpl_checker *c, uint32_t node)
{
    return c->event_stamp.at[node] == c->stamp;
}

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
        if (n->kind != WIRE_JOIN || !has_tree(c, n->other))
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

static bool resolve(xpl_checker *c, uint32_t variable);

/* All variables in e are resolved. False: they depend on each other in a circle. */
static bool resolve_all(xpl_checker *c, exp_ref e, bool *is_value)
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
    if (c->var_state.at[number] == VAR_VALUE)
        return exp_const(d, exp_width(d, e), c->var_value.at[number]);
    return c->var_state.at[number] == VAR_EXPR ? c->var_expr.at[number] : e;
}

static exp_ref rebuilt(xpl_checker *c, exp_ref e, const exp_node *n)
{
    exp_dag *d = pth_dag(c->f->path);
    exp_ref a[3];
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

/* e with what the reads in it read; they are resolved. */
static exp_ref substitute(xpl_checker *c, exp_ref root)
{
    const exp_dag *d = pth_dag(c->f->path);
    size_t n_refs = exp_count(d);
    widen_refs(&c->subst, n_refs);
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

/* The value of e, whose variables all have one. What was computed in this check stays. */
static td_u128 value_of(xpl_checker *c, exp_ref root)
{
    const exp_dag *d = pth_dag(c->f->path);
    size_t n_refs = exp_count(d);
    if (c->eval.len < n_refs) {
        exp_value_vec_reserve(&c->eval, n_refs);
        c->eval.len = n_refs;
        widen(&c->eval_stamp, n_refs);
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
        set_value(c, variable, value_of(c, e));
        return;
    }
    exp_ref as = substitute(c, e);
    if (exp_is_const(d, as, &value)) {
        set_value(c, variable, value);
        return;
    }
    c->var_state.at[variable] = VAR_EXPR;
    c->var_expr.at[variable] = as;
}

/* Its event has a source from now on. */
static uint32_t couple(xpl_checker *c, uint32_t event)
{
    xpl_event *e = &c->problem.events.at[event];
    if (e->source != XPL_ANY)
        return e->source;
    const xpl_node *n = xpl_node_at(c->f, c->nodes.at[event]);
    if (n->kind == WIRE_JOIN)
        return e->source = c->event_of.at[c->end_of.at[n->other]];
    uint32_t write = xpl_scene_source(c->scene, c->nodes.at[event]);
    e->is_free = write == XPL_NONE;
    if (write == XPL_NONE)
        e->source = default_source(c, event);
    else
        e->source = has_event(c, write)
                        ? c->event_of.at[write] - xpl_node_at(c->f, write)->is_outcome
                        : XPL_NO_EVENT;
    return e->source;
}

/* What the event writes; of an exchange, its outcome does. */
static exp_ref written_at(const xpl_checker *c, uint32_t event)
{
    exp_ref e = xpl_node_at(c->f, c->nodes.at[event])->written;
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
    uint32_t source = couple(c, event);
    if (source == XPL_NO_EVENT) {
        set_value(c, variable, c->f->places.at[n->place].value);
        return true;
    }
    exp_ref e = written_at(c, source);
    bool is_value;
    if (!resolve_all(c, e, &is_value))
        return false;
    set_written(c, variable, e, is_value);
    return true;
}

/* ---- the core ---- */

/* Reads by default that e depends on. */
static void blame_expr(xpl_checker *c, exp_ref e)
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

/* ---- data constraints ---- */

static exp_ref condition_of(xpl_checker *c, uint32_t node)
{
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

/* A thread decides before anybody else can move: not in a way that ends the run. all holds if it
 * gets to node. */
static void add_survivals(xpl_checker *c, uint32_t node, exp_ref all)
{
    exp_dag *d = pth_dag(c->f->path);
    for (; node != XPL_NONE; node = xpl_node_at(c->f, node)->next) {
        const xpl_node *n = xpl_node_at(c->f, node);
        if (n->kind != WIRE_DECIDE)
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

typedef enum truth { NEVER, HOLDS, ASKED, CIRCLE } truth;

static truth evaluate(xpl_checker *c, exp_ref e)
{
    const exp_dag *d = pth_dag(c->f->path);
    bool is_value;
    td_u128 value;
    if (!resolve_all(c, e, &is_value))
        return CIRCLE;
    if (is_value)
        return value_of(c, e) ? HOLDS : NEVER;
    exp_ref as = substitute(c, e);
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
        blame_expr(c, c->asked_of.at[i]);
    return refuse(c);
}

/* Keeps the smaller of two cores: that of e, which does not hold, and the one found before. */
static void blame_smaller(xpl_checker *c, exp_ref e, bool is_first)
{
    xpl_u32_vec_clear(&c->kept);
    xpl_u32_vec_append(&c->kept, c->core.at, c->core.len);
    xpl_u32_vec_clear(&c->core);
    c->blame_stamp++;
    blame_expr(c, e);
    if (is_first || c->core.len < c->kept.len) {
        c->broken = e;
        return;
    }
    xpl_u32_vec_clear(&c->core);
    xpl_u32_vec_append(&c->core, c->kept.at, c->kept.len);
}

/* All that must hold, beside what the target says. */
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
        truth now = evaluate(c, c->musts.at[i]);
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
    bool is_there = t->other != XPL_NONE && has_tree(c, t->other);
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
    bool created = n->kind == WIRE_CREATE || n->kind == WIRE_JOIN;
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
                   .other = created && has_tree(c, n->other) ? c->thread_of.at[n->other]
                                                             : XPL_NOTHING,
                   .source = XPL_ANY};
    if (e.reads) {
        c->read_event.at[n->variable] = event;
        c->var_stamp.at[n->variable] = c->stamp;
        c->var_state.at[n->variable] = VAR_NEW;
    }
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
    widen(number, c->trees.len);
    trc_step_vec_clear(&c->steps);
    for (size_t i = 0; i < order->len; i++) {
        const xpl_event *e = &c->problem.events.at[order->at[i]];
        uint32_t node = c->nodes.at[order->at[i]];
        if (node == XPL_NONE || xpl_node_at(c->f, node)->is_choice)
            trc_step_add(&c->steps, number->at[e->thread]);
        if (e->kind == WIRE_CREATE) {
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

/* Nothing helps if there is no order even where all reads by default see anything. */
static bool has_order(xpl_checker *c)
{
    for (size_t i = 0; i < c->scene->edges.len; i++)
        if (has_event(c, c->scene->edges.at[i].read))
            couple(c, c->event_of.at[c->scene->edges.at[i].read]);
    return solve(c, XPL_ANY) != XPL_NO_ORDER;
}

/* Somebody else writes the place. */
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

/* Some condition never holds: the core says why. */
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
            couple(c, i);
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

xpl_verdict xpl_check(xpl_checker *c, const xpl_scene *s, const xpl_target *t)
{
    c->scene = s;
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
    add_events(c);
    exp_u32_vec_clear(&c->members);
    xpl_verdict data = check_data(c);
    if (data == XPL_IMPOSSIBLE)
        return refuse_data(c);
    return data == XPL_POSSIBLE ? check_order(c) : data;
}
