/* SPDX-License-Identifier: Apache-2.0 */
#include "explore/explore_int.h"

#include <stdio.h>

#include "base/assert.h"

/* Every interleaving of the operations, by replay of prefixes.
 *
 * A job is a prefix of choices; what comes after it is the runner's default. When its run
 * is fed, each choice at or behind the end of the prefix gives one new job for every other
 * thread that could have been chosen there: the choices before, then that thread. So each
 * interleaving is the run of exactly one job. The newest job is handed out first.
 *
 * Prefixes are paths in a tree of choices, shared and counted: a node is kept as long as a
 * job not yet handed out, a job under way or another node needs it. */

#define NO_NODE UINT32_MAX

/* thread makes count choices after those of parent. */
typedef struct node {
    uint32_t parent; /* NO_NODE: the start; in a free node: the next free one */
    uint32_t thread, count;
    uint32_t n_refs; /* jobs and nodes that name it; 0: free */
} node;

/* A job not yet handed out: the choices up to prefix, then thread. */
typedef struct work {
    uint32_t prefix;
    uint32_t thread;
    uint32_t length;      /* choices, that of thread too */
    uint32_t preemptions; /* among them */
} work;

/* A job under way. node ends with the last choice of its steps. */
typedef struct flight {
    uint32_t node;
    uint32_t length, preemptions;
    bool is_open; /* not fed yet */
} flight;

TD_VEC(node, node_vec);
TD_VEC(work, work_vec);
TD_VEC(flight, flight_vec);

typedef struct all {
    xpl head;
    xpl_opts opts;
    node_vec nodes;
    uint32_t free_node; /* list by parent, NO_NODE at its end */
    work_vec todo;      /* the last one is next */
    flight_vec flights; /* of jobs first_flight.. */
    uint64_t first_flight;
    size_t n_closed; /* at the front of flights */
    uint64_t n_jobs, n_open;
    uint64_t n_cut; /* jobs that the bound on preemptions left out */
    char cut_text[40];
    uint64_t n_lost; /* jobs or choices whose children are not known */
    trc_step_vec steps;
} all;

/* ---- tree of choices ---- */

static void node_take(all *a, uint32_t ix)
{
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
static uint32_t node_new(all *a, uint32_t parent, uint32_t thread, uint32_t count)
{
    uint32_t ix = a->free_node;
    if (ix == NO_NODE) {
        ix = (uint32_t)a->nodes.len;
        TD_ASSERT(ix != NO_NODE);
        node_vec_push(&a->nodes, (node){0});
    } else {
        a->free_node = a->nodes.at[ix].parent;
    }
    a->nodes.at[ix] = (node){parent, thread, count, 1};
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

/* The choices up to a node as steps; neighbours of the same thread are joined. */
static void steps_of(all *a, uint32_t ix)
{
    trc_step_vec_clear(&a->steps);
    wire_step *last = NULL;
    while (ix != NO_NODE) {
        const node *n = &a->nodes.at[ix];
        if (last && last->thread == n->thread && last->count <= UINT32_MAX - n->count) {
            last->count += n->count;
        } else {
            trc_step_vec_push(&a->steps, (wire_step){n->thread, n->count});
            last = &a->steps.at[a->steps.len - 1];
        }
        ix = n->parent;
    }
    steps_reverse(&a->steps);
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
    uint32_t length;  /* choices before this one */
    uint32_t preemptions;
} walk;

static void walk_flush(walk *w)
{
    if (w->n_since > 0)
        w->node = node_new(w->a, w->node, w->thread, w->n_since);
    w->n_since = 0;
}

static bool could_go_on(const walk *w, const trc_op *op)
{
    if (op->thread == w->running)
        return true;
    const uint32_t *others = w->t->enabled.at + op->alternatives;
    for (uint32_t i = 0; i < op->n_alternatives; i++)
        if (others[i] == w->running)
            return true;
    return false;
}

static void push_alternatives(walk *w, const trc_op *op, bool running_can)
{
    all *a = w->a;
    walk_flush(w);
    for (uint32_t i = op->n_alternatives; i-- > 0;) {
        uint32_t thread = w->t->enabled.at[op->alternatives + i];
        uint32_t preemptions = w->preemptions + (running_can && thread != w->running);
        if (preemptions > a->opts.preemptions) {
            a->n_cut++;
            continue;
        }
        node_take(a, w->node);
        work_vec_push(&a->todo, (work){w->node, thread, w->length + 1, preemptions});
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
    w->preemptions += running_can && op->thread != w->running;
    if (op->thread != w->thread)
        walk_flush(w);
    w->thread = w->running = op->thread;
    w->n_since++;
    w->length++;
}

/* Index of the operation behind the prefix of the job; SIZE_MAX: the run did not follow
 * it. */
static size_t end_of_prefix(const all *a, const flight *f, const trc *t)
{
    if (t->n_choices < f->length)
        return SIZE_MAX;
    uint32_t left = f->length, thread = 0;
    size_t i = 0;
    for (; left > 0; i++) {
        thread = t->ops.at[i].thread;
        left -= trc_is_choice(&t->ops.at[i]);
    }
    return f->node == NO_NODE || a->nodes.at[f->node].thread == thread ? i : SIZE_MAX;
}

static void push_children(all *a, const flight *f, const trc *t)
{
    size_t i = end_of_prefix(a, f, t);
    if (i == SIZE_MAX || t->done == WIRE_DONE_DIVERGED || t->done == WIRE_DONE_THREADS) {
        a->n_lost++;
        node_drop(a, f->node);
        return;
    }
    walk w = {.a = a,
              .t = t,
              .node = f->node,
              .length = f->length,
              .preemptions = f->preemptions,
              .running = f->node == NO_NODE ? 0 : a->nodes.at[f->node].thread};
    for (; i < t->ops.len; i++)
        if (trc_is_choice(&t->ops.at[i]))
            walk_choice(&w, &t->ops.at[i]);
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
        if (a->todo.len == 0)
            return false;
        work next = work_vec_pop(&a->todo);
        f.node = node_new(a, next.prefix, next.thread, 1);
        f.length = next.length;
        f.preemptions = next.preemptions;
    }
    steps_of(a, f.node);
    *out = (xpl_job){.id = flight_add(a, f),
                     .policy = WIRE_POLICY_FIRST,
                     .flags = WIRE_JOB_ENABLED,
                     .seed = a->opts.seed,
                     .steps = a->steps.at,
                     .n_steps = a->steps.len};
    return true;
}

static void all_feed(xpl *x, const trc *result)
{
    all *a = (all *)x;
    flight f = flight_take(a, result->job);
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
    return a->n_jobs > 0 && a->n_open == 0 && a->todo.len == 0 && a->n_lost == 0;
}

static size_t all_gaps(const xpl *x, xpl_gap *out, size_t max)
{
    const all *a = (const all *)x;
    if (a->n_cut == 0 || max == 0)
        return 0;
    out[0] = (xpl_gap){"preemptions", a->cut_text, a->n_cut};
    return 1;
}

static void all_free(xpl *x)
{
    all *a = (all *)x;
    if (!a)
        return;
    node_vec_fini(&a->nodes);
    work_vec_fini(&a->todo);
    flight_vec_fini(&a->flights);
    trc_step_vec_fini(&a->steps);
    td_free(a);
}

const xpl_search xpl_all = {
    .name = "all",
    .text = "every interleaving of the operations",
    .is_exhaustive = true,
    .takes_preemptions = true,
    .new = all_new,
    .next = all_next,
    .feed = all_feed,
    .lost = all_lost,
    .complete = all_complete,
    .gaps = all_gaps,
    .free = all_free,
};
