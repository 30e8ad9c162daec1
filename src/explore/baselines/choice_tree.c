/* SPDX-License-Identifier: Apache-2.0 */
#include "explore/baselines/choice_tree.h"

#include "base/assert.h"

#define MAX_BITS 8u
#define WIDE_TEXT "inputs of more than 8 bits were not enumerated"
#define LOOPS_TEXT "runs with a spin loop; this search may miss its continuations"

/* ---- nodes ---- */

xpl_choice *xpl_choice_tree_node(const xpl_choice_tree *x, uint32_t node)
{
    TD_DASSERT(node < x->nodes.len && x->nodes.at[node].n_refs > 0);
    return &x->nodes.at[node];
}

/* It lives at least until the run is fed. */
static uint32_t node_new(xpl_choice_tree *x, xpl_work from)
{
    TD_ASSERT(x->nodes.len < XPL_NO_CHOICE);
    uint32_t ix = x->free_node;
    if (ix == XPL_NO_CHOICE) {
        ix = (uint32_t)x->nodes.len;
        xpl_choice_vec_push(&x->nodes, (xpl_choice){0});
    } else {
        x->free_node = x->nodes.at[ix].parent;
    }
    xpl_choice *n = &x->nodes.at[ix];
    n->parent = from.node;
    n->in = from.child;
    n->n_refs = 1;
    n->is_input = false;
    trc_u32_vec_clear(&n->enabled);
    xpl_sleeper_vec_clear(&n->asleep);
    xpl_child_vec_clear(&n->children);
    if (from.node != XPL_NO_CHOICE)
        xpl_choice_tree_node(x, from.node)->n_refs++;
    trc_u32_vec_push(&x->fresh, ix);
    return ix;
}

static void node_drop(xpl_choice_tree *x, uint32_t ix)
{
    while (ix != XPL_NO_CHOICE) {
        xpl_choice *n = xpl_choice_tree_node(x, ix);
        if (--n->n_refs > 0)
            return;
        uint32_t parent = n->parent;
        n->parent = x->free_node;
        x->free_node = ix;
        ix = parent;
    }
}

bool xpl_choice_enables(const xpl_choice *n, uint32_t thread)
{
    for (size_t i = 0; i < n->enabled.len; i++)
        if (n->enabled.at[i] == thread)
            return true;
    return false;
}

bool xpl_choice_has(const xpl_choice *n, uint32_t thread)
{
    for (size_t i = 0; i < n->children.len; i++)
        if (n->children.at[i].thread == thread)
            return true;
    for (size_t i = 0; i < n->asleep.len; i++)
        if (n->asleep.at[i].thread == thread)
            return true;
    return false;
}

/* A child that is to be run. It may have to wait for those before it (E1). */
static void child_add(xpl_choice_tree *x, uint32_t node, xpl_child c)
{
    xpl_choice *n = xpl_choice_tree_node(x, node);
    size_t i = n->children.len;
    xpl_child_vec_push(&n->children, c);
    n->n_refs++;
    if (n->is_input || i == 0 || n->children.at[i - 1].has_run)
        xpl_work_vec_push(&x->todo, (xpl_work){node, (uint32_t)i});
}

void xpl_choice_tree_ask(xpl_choice_tree *x, uint32_t node, uint32_t thread)
{
    TD_ASSERT(xpl_choice_enables(xpl_choice_tree_node(x, node),
                                 thread)); /* else the run could not follow */
    if (!xpl_choice_has(xpl_choice_tree_node(x, node), thread))
        child_add(x, node, (xpl_child){.thread = thread});
}

/* The child has run, or is lost: the next one can be handed out. */
static void child_ran(xpl_choice_tree *x, xpl_work w)
{
    xpl_choice *n = xpl_choice_tree_node(x, w.node);
    TD_ASSERT(w.child < n->children.len && !n->children.at[w.child].has_run);
    n->children.at[w.child].has_run = true;
    if (!n->is_input && w.child + 1 < n->children.len)
        xpl_work_vec_push(&x->todo, (xpl_work){w.node, w.child + 1});
}

/* ---- sleeping threads ---- */

/* Returns the last choice of the scheduler on the path to a child. */
static xpl_work choice_of(const xpl_choice_tree *x, xpl_work w)
{
    while (w.node != XPL_NO_CHOICE && xpl_choice_tree_node(x, w.node)->is_input) {
        const xpl_choice *n = xpl_choice_tree_node(x, w.node);
        w = (xpl_work){n->parent, n->in};
    }
    return w;
}

/* Threads that sleep while the child makes its move: in the node, and the children before. */
static void sleepers_of(xpl_choice_tree *x, xpl_work choice)
{
    xpl_sleeper_vec_clear(&x->sleepers);
    if (choice.node == XPL_NO_CHOICE)
        return;
    const xpl_choice *n = xpl_choice_tree_node(x, choice.node);
    xpl_sleeper_vec_append(&x->sleepers, n->asleep.at, n->asleep.len);
    for (uint32_t i = 0; i < choice.child; i++) {
        const xpl_child *c = &n->children.at[i];
        TD_ASSERT(c->has_run);
        if (c->may_sleep)
            xpl_sleeper_vec_push(&x->sleepers, (xpl_sleeper){c->thread, c->wanted});
    }
}

/* A move was made: threads whose next move depends on it wake up. */
static void sleepers_wake(xpl_choice_tree *x, const trc *t, trc_move m)
{
    for (uint32_t i = m.first; i < m.first + m.n; i++) {
        size_t n = 0;
        for (size_t k = 0; k < x->sleepers.len; k++)
            if (!trc_depends(&t->ops.at[i], &x->sleepers.at[k].wanted))
                x->sleepers.at[n++] = x->sleepers.at[k];
        x->sleepers.len = n;
    }
}

/* True if nothing of the move but its first operation is noticed by others. A move that ends
 * the run is noticed by all; so may be one that does different things by its inputs. */
static bool may_sleep(const xpl_choice_tree *x, const trc *t, uint32_t move)
{
    trc_move m = trc_order_at(x->order, move);
    uint32_t end = m.first + m.n;
    if (move + 1 == trc_order_len(x->order) && trc_order_is_stopped(x->order))
        return false;
    for (uint32_t i = m.first + 1; i < end; i++)
        if (mdl_effect_of(t->ops.at[i].kind) != MDL_EFFECT_N)
            return false;
    for (size_t i = 0; i < t->inputs.len; i++)
        if (t->inputs.at[i].before_op > m.first && t->inputs.at[i].before_op <= end)
            return false;
    return true;
}

/* ---- jobs ---- */

static void reverse(void *at, size_t n, size_t size)
{
    char *a = at, swapped[32];
    TD_ASSERT(size <= sizeof swapped);
    for (size_t i = 0, j = n; i + 1 < j; i++) {
        memcpy(swapped, a + i * size, size);
        memcpy(a + i * size, a + --j * size, size);
        memcpy(a + j * size, swapped, size);
    }
}

/* Lists the choices up to a child, and the threads that sleep after the last one. */
static void choices_of(xpl_choice_tree *x, xpl_work w)
{
    xpl_work choice = choice_of(x, w);
    trc_step_vec_clear(&x->steps);
    trc_chosen_vec_clear(&x->inputs);
    while (w.node != XPL_NO_CHOICE) {
        const xpl_choice *n = xpl_choice_tree_node(x, w.node);
        const xpl_child *c = &n->children.at[w.child];
        if (n->is_input)
            trc_chosen_vec_push(&x->inputs, (wire_input){n->key, c->value});
        else
            trc_step_add(&x->steps, c->thread);
        w = (xpl_work){n->parent, n->in};
    }
    reverse(x->steps.at, x->steps.len, sizeof x->steps.at[0]);
    reverse(x->inputs.at, x->inputs.len, sizeof x->inputs.at[0]);
    sleepers_of(x, choice);
    for (size_t i = 0; i < x->sleepers.len; i++)
        trc_step_vec_push(&x->steps, (wire_step){x->sleepers.at[i].thread, 0});
}

bool xpl_choice_tree_next(xpl *head, xpl_job *out)
{
    xpl_choice_tree *x = (xpl_choice_tree *)head;
    xpl_work w = {XPL_NO_CHOICE, 0};
    if (x->opts.runs > 0 && x->n_jobs >= x->opts.runs)
        return false;
    if (x->n_jobs > 0) {
        if (x->todo.len == 0)
            return false;
        w = xpl_work_vec_pop(&x->todo);
    }
    choices_of(x, w);
    xpl_flight_vec_push(&x->flights, (xpl_flight){w, true});
    x->n_open++;
    *out = (xpl_job){.id = ++x->n_jobs,
                     .policy = WIRE_POLICY_FIRST,
                     .flags = WIRE_JOB_ENABLED | WIRE_JOB_PENDING,
                     .seed = x->opts.seed,
                     .steps = x->steps.at,
                     .n_steps = x->steps.len,
                     .inputs = x->inputs.at,
                     .n_inputs = x->inputs.len};
    return true;
}

/* The child of a job, which is closed by this. */
static xpl_work flight_take(xpl_choice_tree *x, uint64_t job)
{
    TD_ASSERT(job >= x->first_flight && job - x->first_flight < x->flights.len);
    xpl_flight *f = &x->flights.at[job - x->first_flight];
    TD_ASSERT(f->is_open);
    f->is_open = false;
    TD_ASSERT(x->n_open > 0);
    x->n_open--;
    xpl_work w = f->work;
    size_t n_closed = 0;
    while (n_closed < x->flights.len && !x->flights.at[n_closed].is_open)
        n_closed++;
    if (2 * n_closed >= x->flights.len) {
        x->flights.len -= n_closed;
        memmove(x->flights.at, x->flights.at + n_closed,
                x->flights.len * sizeof(xpl_flight));
        x->first_flight += n_closed;
    }
    return w;
}

/* ---- what a run adds ---- */

/* Fills the path with the nodes of choices down to the child; how many inputs are among them. */
static size_t path_to(xpl_choice_tree *x, xpl_work w)
{
    size_t n_inputs = 0;
    trc_u32_vec_clear(&x->path);
    while (w.node != XPL_NO_CHOICE) {
        const xpl_choice *n = xpl_choice_tree_node(x, w.node);
        n_inputs += n->is_input;
        if (!n->is_input)
            trc_u32_vec_push(&x->path, w.node);
        w = (xpl_work){n->parent, n->in};
    }
    reverse(x->path.at, x->path.len, sizeof x->path.at[0]);
    return n_inputs;
}

static bool is_wide(const trc_input *in)
{
    return in->bits > MAX_BITS;
}

/* The number of inputs of the run that belong to the child; SIZE_MAX: the run is not its. */
static size_t followed(xpl_choice_tree *x, xpl_work w, const trc *t)
{
    size_t n_inputs = path_to(x, w), k = 0;
    if (t->done == WIRE_DONE_DIVERGED || t->done == WIRE_DONE_THREADS ||
        trc_order_len(x->order) < x->path.len)
        return SIZE_MAX;
    xpl_work choice = choice_of(x, w);
    if (choice.node != XPL_NO_CHOICE) {
        uint32_t last = trc_order_at(x->order, (uint32_t)x->path.len - 1).thread;
        if (xpl_choice_tree_node(x, choice.node)->children.at[choice.child].thread !=
            last)
            return SIZE_MAX;
    }
    for (size_t n = 0; n < n_inputs; k++) {
        if (k == t->inputs.len)
            return SIZE_MAX;
        n += !is_wide(&t->inputs.at[k]);
    }
    if (w.node == XPL_NO_CHOICE || !xpl_choice_tree_node(x, w.node)->is_input)
        return k;
    const xpl_choice *n = xpl_choice_tree_node(x, w.node);
    return t->inputs.at[k - 1].key == n->key &&
                   t->inputs.at[k - 1].value == n->children.at[w.child].value
               ? k
               : SIZE_MAX;
}

/* A node for an input, every value of which is to be tried; the child of this run. */
static xpl_work add_input(xpl_choice_tree *x, xpl_work at, const trc_input *in)
{
    if (is_wide(in)) {
        x->n_wide++;
        return at;
    }
    uint32_t ix = node_new(x, at);
    xpl_choice *n = xpl_choice_tree_node(x, ix);
    TD_ASSERT(in->bits > 0 && in->bits <= MAX_BITS); /* (E3) */
    n->is_input = true;
    n->key = in->key;
    xpl_child_vec_push(&n->children, (xpl_child){.value = in->value, .has_run = true});
    for (uint64_t value = UINT64_C(1) << in->bits; value-- > 0;)
        if (value != in->value)
            child_add(x, ix, (xpl_child){.value = value});
    return (xpl_work){ix, 0};
}

/* A node for the choice of a move. A thread that slept and was not woken by the move before sleeps. */
static xpl_work add_choice(xpl_choice_tree *x, xpl_work at, const trc *t, uint32_t move)
{
    trc_move m = trc_order_at(x->order, move);
    const trc_op *op = &t->ops.at[m.first];
    sleepers_of(x, choice_of(x, at));
    if (move > 0)
        sleepers_wake(x, t, trc_order_at(x->order, move - 1));
    uint32_t ix = node_new(x, at);
    xpl_choice *n = xpl_choice_tree_node(x, ix);
    xpl_sleeper_vec_append(&n->asleep, x->sleepers.at, x->sleepers.len);
    trc_u32_vec_push(&n->enabled, m.thread);
    if (op->n_alternatives > 0)
        trc_u32_vec_append(&n->enabled, t->enabled.at + op->alternatives,
                           op->n_alternatives);
    /* The runner did not say which other threads could continue, or which should sleep. */
    if (n->enabled.len < op->n_enabled || xpl_choice_has(n, m.thread))
        x->n_lost++;
    xpl_child_vec_push(&n->children, (xpl_child){.thread = m.thread,
                                                 .wanted = trc_wanted_of(op),
                                                 .has_run = true,
                                                 .may_sleep = may_sleep(x, t, move)});
    TD_ASSERT(x->path.len == move);
    trc_u32_vec_push(&x->path, ix);
    return (xpl_work){ix, 0};
}

/* True if the runner and the tree agree on the threads that sleep at the end of the run. */
static bool agreed(xpl_choice_tree *x, xpl_work at, const trc *t)
{
    uint32_t n = trc_order_len(x->order);
    if (t->done != WIRE_DONE_ASLEEP)
        return true;
    sleepers_of(x, choice_of(x, at));
    if (n > 0)
        sleepers_wake(x, t, trc_order_at(x->order, n - 1));
    return t->exit_code == x->sleepers.len;
}

/* The nodes of the run behind those of its path. */
static void add_run(xpl_choice_tree *x, xpl_work at, const trc *t, size_t k)
{
    uint32_t move = (uint32_t)x->path.len, n = trc_order_len(x->order);
    for (;;) {
        size_t i = move < n ? trc_order_at(x->order, move).first : t->ops.len;
        for (; k < t->inputs.len && t->inputs.at[k].before_op <= i; k++)
            at = add_input(x, at, &t->inputs.at[k]);
        if (move == n)
            break;
        at = add_choice(x, at, t, move++);
    }
    x->n_lost += !agreed(x, at, t);
}

/* The child of the job has run. */
static void child_set(xpl_choice_tree *x, xpl_work w, const trc *t)
{
    if (w.node == XPL_NO_CHOICE)
        return;
    xpl_choice *n = xpl_choice_tree_node(x, w.node);
    if (!n->is_input) {
        uint32_t move = (uint32_t)x->path.len - 1;
        xpl_child *c = &n->children.at[w.child];
        TD_ASSERT(x->path.len > 0 && x->path.at[move] == w.node);
        c->wanted = trc_wanted_of(&t->ops.at[trc_order_at(x->order, move).first]);
        c->may_sleep = may_sleep(x, t, move);
    }
    child_ran(x, w);
}

static void child_lost(xpl_choice_tree *x, xpl_work w)
{
    x->n_lost++;
    if (w.node != XPL_NO_CHOICE)
        child_ran(x, w);
    node_drop(x, w.node);
}

void xpl_choice_tree_feed(xpl *head, const trc *t)
{
    xpl_choice_tree *x = (xpl_choice_tree *)head;
    xpl_work w = flight_take(x, t->job);
    TD_ASSERT(x->fresh.len == 0);
    trc_order_take(x->order, t);
    /* A thread that waits in a loop moves again when what it read has changed, and not where it
     * was chosen before: races with such moves are not turned round as they should be. */
    x->n_loops += trc_has(t, mdl_spins);
    size_t n_inputs = followed(x, w, t);
    if (n_inputs == SIZE_MAX) {
        child_lost(x, w);
        return;
    }
    /* The move of the child itself is new, too. */
    uint32_t from = x->path.len > 0 ? (uint32_t)x->path.len - 1 : 0;
    child_set(x, w, t);
    add_run(x, w, t, n_inputs);
    x->rule(x, t, from);
    while (x->fresh.len > 0)
        node_drop(x, trc_u32_vec_pop(&x->fresh));
    node_drop(x, w.node);
    TD_AUDIT(xpl_choice_tree_valid(x, NULL, 0));
}

void xpl_choice_tree_lost(xpl *head, uint64_t job)
{
    xpl_choice_tree *x = (xpl_choice_tree *)head;
    child_lost(x, flight_take(x, job));
    TD_AUDIT(xpl_choice_tree_valid(x, NULL, 0));
}

/* ---- the search ---- */

xpl *xpl_choice_tree_new(const xpl_search *search, const xpl_opts *opts, xpl_rule *rule)
{
    xpl_choice_tree *x = td_alloc(sizeof *x);
    x->head.search = search;
    x->opts = *opts;
    x->rule = rule;
    x->order = trc_order_new();
    x->free_node = XPL_NO_CHOICE;
    x->first_flight = 1;
    return &x->head;
}

bool xpl_choice_tree_complete(const xpl *head)
{
    const xpl_choice_tree *x = (const xpl_choice_tree *)head;
    return x->n_jobs > 0 && x->n_open == 0 && x->todo.len == 0 && x->n_lost == 0;
}

size_t xpl_choice_tree_gaps(const xpl *head, xpl_gap *out, size_t max)
{
    const xpl_choice_tree *x = (const xpl_choice_tree *)head;
    size_t n = 0;
    if (x->n_wide > 0 && n < max)
        out[n++] = (xpl_gap){"inputs", WIDE_TEXT, x->n_wide};
    if (x->n_loops > 0 && n < max)
        out[n++] = (xpl_gap){"loops", LOOPS_TEXT, x->n_loops};
    return n;
}

void xpl_choice_tree_left(const xpl *x, xpl_left *out)
{
    const xpl_choice_tree *t = (const xpl_choice_tree *)x;
    *out = (xpl_left){.targets = t->todo.len + t->n_open};
}

void xpl_choice_tree_free(xpl *head)
{
    xpl_choice_tree *x = (xpl_choice_tree *)head;
    if (!x)
        return;
    for (size_t i = 0; i < x->nodes.len; i++) {
        trc_u32_vec_fini(&x->nodes.at[i].enabled);
        xpl_sleeper_vec_fini(&x->nodes.at[i].asleep);
        xpl_child_vec_fini(&x->nodes.at[i].children);
    }
    xpl_choice_vec_fini(&x->nodes);
    xpl_work_vec_fini(&x->todo);
    xpl_flight_vec_fini(&x->flights);
    trc_u32_vec_fini(&x->path);
    trc_u32_vec_fini(&x->fresh);
    trc_race_vec_fini(&x->races);
    trc_u32_vec_fini(&x->starters);
    trc_step_vec_fini(&x->steps);
    trc_chosen_vec_fini(&x->inputs);
    xpl_sleeper_vec_fini(&x->sleepers);
    trc_order_free(x->order);
    td_free(x);
}
