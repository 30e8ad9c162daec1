/* SPDX-License-Identifier: Apache-2.0 */
#include "explore/core/explore_int.h"

#include <stdio.h>

#include "base/assert.h"
#include "explore/core/target_estimate.h"

/* Every interleaving of the operations and every value of small inputs, by replay of prefixes.
 *
 * A job is a prefix of choices, continued by the runner's default. A choice is the scheduler's, or
 * the value of an input of at most MAX_BITS bits at its position in the run. When the run of a job is
 * fed, each choice at or behind the end of the prefix gives one new job for every other thread or
 * value that could have been chosen there: the choices before, then that one. So each interleaving
 * with each combination of values is the run of exactly one job. The newest job is handed out first;
 * where preemptions matter, the newest of those with the fewest. Wider inputs keep their fixed
 * values: a gap.
 *
 * Prefixes are paths in a tree of choices, shared and counted: a node is kept as long as a
 * job not yet handed out, a job under way or another node needs it. */

#define NO_NODE UINT32_MAX
#define MAX_BITS 8u
#define WIDE_TEXT "inputs of more than 8 bits were not enumerated"

/* thread is chosen count times after the choices of parent; count 0: input takes its value, and thread is
 * the one chosen before, or 0. */
typedef struct node {
    uint32_t parent; /* NO_NODE: the start; in a free node: the next free one */
    uint32_t thread, count;
    uint32_t n_refs; /* jobs and nodes that name it; 0: free */
    wire_input input;
} node;

/* How far a prefix goes in its run. */
typedef struct extent {
    uint32_t length;      /* choices of the scheduler */
    uint32_t preemptions; /* among them */
    uint32_t n_inputs;    /* those before the last choice, and itself; wide ones too */
} extent;

/* A job not yet handed out: the choices up to prefix, then last. */
typedef struct work {
    uint32_t prefix;
    node last; /* parent and n_refs are not used */
    extent extent;
} work;

/* A job under way. node ends with the last choice of its prefix. */
typedef struct flight {
    uint32_t node;
    extent extent;
    bool is_open; /* not fed yet */
} flight;

TD_VEC(node, node_vec);
TD_VEC(work, work_vec);
TD_VEC(work_vec, shelf_vec);
TD_VEC(flight, flight_vec);

typedef struct all {
    xpl head;
    xpl_opts opts;
    node_vec nodes;
    uint32_t free_node; /* list by parent, NO_NODE at its end */
    shelf_vec todo; /* by preemptions where they matter; the last one of each is next */
    size_t n_todo;
    flight_vec flights; /* jobs in flight, from first_flight on */
    uint64_t first_flight;
    size_t n_closed; /* at the front of flights */
    uint64_t n_jobs, n_open;
    uint64_t n_cut; /* jobs that the bound on preemptions left out */
    char cut_text[40];
    uint64_t n_wide; /* inputs with too many values */
    uint64_t n_lost; /* jobs or choices whose children are not known */
    uint64_t n_fed;
    xpl_estimate estimate; /* estimate of jobs, by their choices */
    uint32_t scale;        /* choices that make one level; 0: no run yet */
    trc_step_vec steps;
    trc_chosen_vec inputs;
} all;

/* ---- tree of choices ---- */

static void node_take(all *a, uint32_t ix)
{
    TD_ASSERT(ix == NO_NODE ||
              a->nodes.at[ix].n_refs > 0); /* a free node would come back to life */
    if (ix != NO_NODE)
        a->nodes.at[ix].n_refs++;
}

static void node_drop(all *a, uint32_t ix)
{
    while (ix != NO_NODE) {
        node *n = &a->nodes.at[ix];
        TD_ASSERT(n->n_refs > 0);
        if (--n->n_refs > 0)
            return;
        uint32_t parent = n->parent;
        n->parent = a->free_node;
        a->free_node = ix;
        ix = parent;
    }
}

/* A node with one reference, the caller's. Takes over the caller's reference to parent. */
static uint32_t node_new(all *a, uint32_t parent, node what)
{
    uint32_t ix = a->free_node;
    if (ix == NO_NODE) {
        ix = (uint32_t)a->nodes.len;
        TD_ASSERT(ix != NO_NODE);
        node_vec_push(&a->nodes, (node){0});
    } else {
        a->free_node = a->nodes.at[ix].parent;
    }
    what.parent = parent;
    what.n_refs = 1;
    a->nodes.at[ix] = what;
    return ix;
}

static void steps_reverse(trc_step_vec *v)
{
    for (size_t i = 0, j = v->len; i + 1 < j; i++) {
        wire_step swapped = v->at[i];
        v->at[i] = v->at[--j];
        v->at[j] = swapped;
    }
}

static void inputs_reverse(trc_chosen_vec *v)
{
    for (size_t i = 0, j = v->len; i + 1 < j; i++) {
        wire_input swapped = v->at[i];
        v->at[i] = v->at[--j];
        v->at[j] = swapped;
    }
}

/* The choices up to a node as steps and inputs; neighbours of the same thread are joined. */
static void choices_of(all *a, uint32_t ix)
{
    trc_step_vec_clear(&a->steps);
    trc_chosen_vec_clear(&a->inputs);
    wire_step *last = NULL;
    for (; ix != NO_NODE; ix = a->nodes.at[ix].parent) {
        const node *n = &a->nodes.at[ix];
        TD_ASSERT(n->n_refs > 0);
        if (n->count == 0) {
            trc_chosen_vec_push(&a->inputs, n->input);
        } else if (last && last->thread == n->thread &&
                   last->count <= UINT32_MAX - n->count) {
            last->count += n->count;
        } else {
            trc_step_vec_push(&a->steps, (wire_step){n->thread, n->count});
            last = &a->steps.at[a->steps.len - 1];
        }
    }
    steps_reverse(&a->steps);
    inputs_reverse(&a->inputs);
}

/* ---- jobs under way ---- */

static uint64_t flight_add(all *a, flight f)
{
    flight_vec_push(&a->flights, f);
    a->n_open++;
    return ++a->n_jobs;
}

/* Forgets the closed ones at the front. */
static void flights_compact(all *a)
{
    TD_ASSERT(a->n_closed <= a->flights.len);
    a->flights.len -= a->n_closed;
    memmove(a->flights.at, a->flights.at + a->n_closed, a->flights.len * sizeof(flight));
    a->first_flight += a->n_closed;
    a->n_closed = 0;
}

/* The flight of a job, which is closed by this. */
static flight flight_take(all *a, uint64_t job)
{
    TD_ASSERT(job >= a->first_flight && job - a->first_flight < a->flights.len);
    flight *f = &a->flights.at[job - a->first_flight];
    TD_ASSERT(f->is_open);
    f->is_open = false;
    TD_ASSERT(a->n_open > 0);
    a->n_open--;
    flight taken = *f;

    while (a->n_closed < a->flights.len && !a->flights.at[a->n_closed].is_open)
        a->n_closed++;
    if (2 * a->n_closed >= a->flights.len)
        flights_compact(a);
    return taken;
}

/* ---- children of a run ---- */

/* Where we are while walking over the choices of a run. */
typedef struct walk {
    all *a;
    const trc *t;
    uint32_t node;    /* choices of the run that are in the tree; one reference is ours */
    uint32_t thread;  /* n_since choices of this thread have followed ... */
    uint32_t n_since; /* ... and are not in the tree yet */
    uint32_t running; /* thread of the choice before */
    extent extent;    /* extent of the choices before this one */
    uint32_t class;   /* class of the run's job */
} walk;

/* Levels that the choices of the first run fill. */
#define FIRST_LEVELS (XPL_LEVELS * 3 / 4)

static uint32_t class_of(const all *a, const extent *e)
{
    TD_ASSERT(a->scale > 0);
    return xpl_estimate_class((e->length + e->n_inputs) / a->scale, 0);
}

static void walk_flush(walk *w)
{
    if (w->n_since > 0)
        w->node =
            node_new(w->a, w->node, (node){.thread = w->thread, .count = w->n_since});
    w->n_since = 0;
}

/* The thread of the choice before, which leaving would preempt. A switch away from the exit of the
 * process is not a preemption: it would be the end of all. */
static bool could_go_on(const walk *w, const trc_op *op)
{
    if (op->thread == w->running)
        return !mdl_exits(op->kind);
    return (op->flags & WIRE_F_PREEMPTS) != 0;
}

static bool goes_by_preemptions(const all *a)
{
    return a->opts.bounded || a->opts.iterate;
}

/* A job for another choice than that of the run. Flushed before. */
static void push_work(const walk *w, node last, extent e)
{
    TD_ASSERT(w->n_since == 0); /* flushed: the node is where the choice is made */
    all *a = w->a;
    size_t shelf = goes_by_preemptions(a) ? e.preemptions : 0;
    while (a->todo.len <= shelf)
        shelf_vec_push(&a->todo, (work_vec){0});
    node_take(a, w->node);
    work_vec_push(&a->todo.at[shelf], (work){w->node, last, e});
    a->n_todo++;
    xpl_estimate_add(&a->estimate, w->class, class_of(a, &e));
}

static work pop_work(all *a)
{
    TD_ASSERT(a->n_todo > 0);
    size_t i = 0;
    while (a->todo.at[i].len == 0)
        i++;
    a->n_todo--;
    return work_vec_pop(&a->todo.at[i]);
}

static void push_alternatives(walk *w, const trc_op *op, bool running_can)
{
    all *a = w->a;
    walk_flush(w);
    for (uint32_t i = op->n_alternatives; i-- > 0;) {
        uint32_t thread = w->t->enabled.at[op->alternatives + i];
        extent e = w->extent;
        e.length++;
        e.preemptions += running_can && thread != w->running;
        if (a->opts.bounded && e.preemptions > a->opts.preemptions)
            a->n_cut++;
        else
            push_work(w, (node){.thread = thread, .count = 1}, e);
    }
}

/* A choice behind the prefix of the job. */
static void walk_choice(walk *w, const trc_op *op)
{
    bool running_can = false;
    if (op->n_alternatives > 0) {
        running_can = could_go_on(w, op);
        push_alternatives(w, op, running_can);
    } else if (op->n_enabled > 1) {
        w->a->n_lost++; /* the runner did not say which */
    }
    w->extent.preemptions += running_can && op->thread != w->running;
    if (op->thread != w->thread)
        walk_flush(w);
    w->thread = w->running = op->thread;
    w->n_since++;
    w->extent.length++;
}

/* An input behind the prefix of the job. */
static void walk_input(walk *w, const trc_input *in)
{
    w->extent.n_inputs++;
    if (in->bits > MAX_BITS) {
        w->a->n_wide++;
        return;
    }
    walk_flush(w);
    node last = {.thread = w->running, .input = {in->key, 0}};
    for (uint64_t value = UINT64_C(1) << in->bits; value-- > 0;) {
        last.input.value = value;
        if (value != in->value)
            push_work(w, last, w->extent);
    }
    last.input.value = in->value;
    w->node = node_new(w->a, w->node, last);
}

/* Index of the operation behind the choices of the job; SIZE_MAX: the run did not follow
 * them. */
static size_t end_of_steps(const all *a, const flight *f, const trc *t)
{
    if (t->n_choices < f->extent.length)
        return SIZE_MAX;
    uint32_t left = f->extent.length, thread = 0;
    size_t i = 0;
    for (; left > 0; i++) {
        TD_ASSERT(i < t->ops.len);
        thread = t->ops.at[i].thread;
        left -= trc_is_choice(&t->ops.at[i]);
    }
    return f->node == NO_NODE || a->nodes.at[f->node].thread == thread ? i : SIZE_MAX;
}

/* True if the inputs of the job were met where they should be, before the operation at end
 * or, if the last choice is one, behind it. */
static bool followed_inputs(const all *a, const flight *f, const trc *t, size_t end)
{
    size_t n = f->extent.n_inputs;
    if (t->inputs.len < n)
        return false;
    const node *last = f->node == NO_NODE ? NULL : &a->nodes.at[f->node];
    if (!last || last->count > 0)
        return n == 0 || t->inputs.at[n - 1].before_op < end;
    const trc_input *in = &t->inputs.at[n - 1];
    return in->before_op >= end && in->key == last->input.key &&
           in->value == last->input.value;
}

static void push_children(all *a, const flight *f, const trc *t)
{
    size_t i = end_of_steps(a, f, t);
    if (i == SIZE_MAX || t->done == WIRE_DONE_DIVERGED || t->done == WIRE_DONE_THREADS ||
        !followed_inputs(a, f, t, i)) {
        a->n_lost++;
        node_drop(a, f->node);
        return;
    }
    if (a->scale == 0)
        a->scale = 1 + (uint32_t)(t->n_choices + t->inputs.len) / FIRST_LEVELS;
    walk w = {.a = a,
              .t = t,
              .node = f->node,
              .extent = f->extent,
              .class = class_of(a, &f->extent),
              .running = f->node == NO_NODE ? 0 : a->nodes.at[f->node].thread};
    size_t k = f->extent.n_inputs;
    for (; i <= t->ops.len; i++) {
        for (; k < t->inputs.len && t->inputs.at[k].before_op <= i; k++)
            walk_input(&w, &t->inputs.at[k]);
        if (i < t->ops.len && trc_is_choice(&t->ops.at[i]))
            walk_choice(&w, &t->ops.at[i]);
    }
    node_drop(a, w.node);
}

/* ---- the search ---- */

static xpl *all_new(const xpl_opts *opts)
{
    all *a = td_alloc(sizeof *a);
    a->head.search = &xpl_all;
    a->opts = *opts;
    a->free_node = NO_NODE;
    a->first_flight = 1;
    snprintf(a->cut_text, sizeof a->cut_text, "at most %u preemption%s",
             opts->preemptions, opts->preemptions == 1 ? "" : "s");
    return &a->head;
}

static bool all_next(xpl *x, xpl_job *out)
{
    all *a = (all *)x;
    flight f = {.node = NO_NODE, .is_open = true};
    if (a->opts.runs > 0 && a->n_jobs >= a->opts.runs)
        return false;
    if (a->n_jobs > 0) {
        if (a->n_todo == 0)
            return false;
        work next = pop_work(a);
        f.node = node_new(a, next.prefix, next.last);
        f.extent = next.extent;
    }
    choices_of(a, f.node);
    uint32_t stay = goes_by_preemptions(a) ? WIRE_JOB_STAY : 0;
    *out = (xpl_job){.id = flight_add(a, f),
                     .policy = WIRE_POLICY_FIRST,
                     .flags = WIRE_JOB_ENABLED | stay,
                     .seed = a->opts.seed,
                     .steps = a->steps.at,
                     .n_steps = a->steps.len,
                     .inputs = a->inputs.at,
                     .n_inputs = a->inputs.len};
    return true;
}

static void all_feed(xpl *x, const trc *result)
{
    all *a = (all *)x;
    flight f = flight_take(a, result->job);
    a->n_fed++;
    push_children(a, &f, result);
}

static void all_lost(xpl *x, uint64_t job)
{
    all *a = (all *)x;
    flight f = flight_take(a, job);
    node_drop(a, f.node);
    a->n_lost++;
}

static bool all_complete(const xpl *x)
{
    const all *a = (const all *)x;
    return a->n_jobs > 0 && a->n_open == 0 && a->n_todo == 0 && a->n_lost == 0;
}

static size_t all_gaps(const xpl *x, xpl_gap *out, size_t max)
{
    const all *a = (const all *)x;
    size_t n = 0;
    if (a->n_cut > 0 && n < max)
        out[n++] = (xpl_gap){"preemptions", a->cut_text, a->n_cut};
    if (a->n_wide > 0 && n < max)
        out[n++] = (xpl_gap){"inputs", WIDE_TEXT, a->n_wide};
    return n;
}

/* The fewest preemptions of a job that is not fed yet: what it leads to has no fewer. */
static int64_t fewest_open(const all *a)
{
    size_t fewest = 0;
    while (fewest < a->todo.len && a->todo.at[fewest].len == 0)
        fewest++;
    for (size_t i = 0; i < a->flights.len; i++)
        if (a->flights.at[i].is_open && a->flights.at[i].extent.preemptions < fewest)
            fewest = a->flights.at[i].extent.preemptions;
    return (int64_t)fewest;
}

static void all_preemptions(const xpl *x, xpl_preemptions *out)
{
    const all *a = (const all *)x;
    int64_t completed = fewest_open(a) - 1;
    if (a->opts.bounded && all_complete(x))
        completed = a->opts.preemptions;
    *out = (xpl_preemptions){.is_bounded = goes_by_preemptions(a),
                             .completed = a->n_lost > 0 ? -1 : completed,
                             .what = "interleaving",
                             .done = "run"};
}

/* Every job is a run. With a bound some are left out, after others of their kind were run. */
static void all_left(const xpl *x, xpl_left *out)
{
    const all *a = (const all *)x;
    uint64_t open[XPL_CLASSES] = {0};
    for (size_t i = 0; i < a->todo.len; i++)
        for (size_t k = 0; k < a->todo.at[i].len; k++)
            open[class_of(a, &a->todo.at[i].at[k].extent)]++;
    for (size_t i = 0; i < a->flights.len; i++)
        if (a->flights.at[i].is_open && a->scale > 0)
            open[class_of(a, &a->flights.at[i].extent)]++;
    *out = (xpl_left){.targets = a->n_todo + a->n_open,
                      .is_known = a->n_fed > 0 && !a->opts.bounded,
                      .runs = xpl_estimate_left(&a->estimate, open)};
}

static void all_free(xpl *x)
{
    all *a = (all *)x;
    if (!a)
        return;
    node_vec_fini(&a->nodes);
    xpl_estimate_fini(&a->estimate);
    for (size_t i = 0; i < a->todo.len; i++)
        work_vec_fini(&a->todo.at[i]);
    shelf_vec_fini(&a->todo);
    flight_vec_fini(&a->flights);
    trc_step_vec_fini(&a->steps);
    trc_chosen_vec_fini(&a->inputs);
    td_free(a);
}

const xpl_search xpl_all = {
    .name = "all",
    .text = "every interleaving of the operations, every value of small inputs",
    .covers = XPL_STATES | XPL_TRACES | XPL_BRANCHES | XPL_RACES | XPL_OBSERVATIONS,
    .covered = "every interleaving was run",
    .takes_preemptions = true,
    .iterates = true,
    .takes_depth = true,
    .new = all_new,
    .next = all_next,
    .feed = all_feed,
    .lost = all_lost,
    .complete = all_complete,
    .gaps = all_gaps,
    .preemptions = all_preemptions,
    .left = all_left,
    .free = all_free,
};
