/* SPDX-License-Identifier: Apache-2.0 */
/* Every execution graph of a memory model, each once (graph/graph.h).
 *
 * A job is a graph: its events in the order in which they were added; its steps are an order of
 * execution. Its run executes them and continues with events as late as possible; grf_alternatives
 * finds the alternatives. The newest job is handed out first, so that few wait at any time.
 *
 * A thread that must wait because of the value that its job makes it read is not run any further; the graph that
 * lets it read what opens the object is another job, and the run counts as blocked.
 *
 * A decision that depends on inputs is an event. The job for another outcome has inputs that do not
 * lead to the outcomes taken so far; its run shows which one it is, and requests the next. */
#include "explore/core/explore_int.h"

#include "base/assert.h"
#include "explore/graphs/graphs_int.h"

/* Sides of one decision that are tried: of an address there are many. */
enum { MAX_SIDES = 64 };

/* Returns the model of that name, or GRF_N_MODELS. */
static grf_model model_named(const char *name)
{
    grf_model m = GRF_SC;
    while (m < GRF_N_MODELS && strcmp(grf_model_name(m), name) != 0)
        m++;
    return m;
}

bool xpl_is_model(const char *name)
{
    return model_named(name) < GRF_N_MODELS;
}

static xpl *graphs_new(const xpl_opts *opts)
{
    graphs *x = td_alloc(sizeof *x);
    x->head.search = &xpl_graphs;
    x->opts = *opts;
    TD_ASSERT(xpl_is_model(opts->model));
    x->model = model_named(opts->model);
    xpl_sides_init(&x->sides, opts);
    xpl_graph_vec_push(&x->todo, XPL_EMPTY_GRAPH);
    return &x->head;
}

static void graphs_free(xpl *head)
{
    graphs *x = (graphs *)head;
    xpl_graphs_fini(&x->todo);
    xpl_graphs_fini(&x->under_way);
    xpl_sides_fini(&x->sides);
    td_free(x);
}

static bool graphs_next(xpl *head, xpl_job *out)
{
    graphs *x = (graphs *)head;
    bool is_bounded = x->opts.runs > 0 && x->n_jobs >= x->opts.runs;
    if (x->todo.len == 0 || is_bounded)
        return false;
    xpl_graph j = xpl_graph_vec_pop(&x->todo);
    j.id = ++x->n_jobs;
    xpl_graph_vec_push(&x->under_way, j);
    *out = (xpl_job){.id = j.id,
                     .policy = WIRE_POLICY_LOWEST,
                     .flags = WIRE_JOB_STORES | WIRE_JOB_PENDING,
                     .steps = j.steps.at,
                     .n_steps = j.steps.len,
                     .inputs = j.inputs.at,
                     .n_inputs = j.inputs.len};
    return true;
}

/* ---- a job from a graph ---- */

/* Writes of atomics that the thread of e has made up to e. */
static uint32_t nth_store(const grf *g, uint32_t event)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i <= event; i++) {
        const grf_event *e = &g->events.at[i];
        n += e->kind == GRF_WRITE && !e->is_sync &&
             e->thread == g->events.at[event].thread;
    }
    return n;
}

static void name_store(const grf *g, uint32_t what, uint32_t store, trc_step_vec *out)
{
    wire_step step = {what, 0};
    if (store != GRF_INIT)
        step = (wire_step){what | g->events.at[store].thread, nth_store(g, store)};
    trc_step_vec_push(out, step);
}

/* Steps in an order of execution. done: events executed; what is last among these need not be named. */
static void add_step(const grf *g, uint32_t i, const bool *done, trc_step_vec *out)
{
    const grf_event *e = &g->events.at[i];
    uint32_t rank = e->kind == GRF_WRITE ? e->rank - 1 : 0, last = 0, behind = 0;
    if (e->kind == GRF_READ)
        rank = grf_from_rank(g, e);
    for (uint32_t k = 0; k < g->events.len; k++) {
        const grf_event *w = &g->events.at[k];
        if (!done[k] || w->kind != GRF_WRITE || w->location != e->location)
            continue;
        last = w->rank > last ? w->rank : last;
        behind = w->rank > behind && w->rank <= rank ? w->rank : behind;
    }
    bool is_named = (e->kind == GRF_READ || e->kind == GRF_WRITE) && !e->is_sync;
    if (is_named && e->kind == GRF_READ && rank != last)
        name_store(g, WIRE_STEP_READS, grf_write_at(g, e->location, rank), out);
    if (is_named && e->kind == GRF_WRITE && behind != last)
        name_store(g, WIRE_STEP_BEHIND, grf_write_at(g, e->location, behind), out);
    if (e->is_choice)
        trc_step_add(out, e->thread);
}

static void steps_of(const grf *g, uint32_t late, trc_step_vec *out)
{
    grf_u32_vec order = {0};
    bool *done = td_alloc((g->events.len + 1) * sizeof *done);
    bool is = grf_execution(g, late, &order);
    TD_ASSERT(is);
    for (size_t i = 0; i < order.len; i++) {
        uint32_t at = order.at[i];
        const grf_event *e = &g->events.at[at];
        if (!(e->kind == GRF_WRITE && e->is_update) && !e->is_stuck && !done[at])
            add_step(g, at, done, out);
        done[at] = true;
        /* The write of an update is executed with its read. */
        for (uint32_t k = at + 1; e->kind == GRF_READ && k < g->events.len; k++)
            done[k] |= g->events.at[k].kind == GRF_WRITE && g->events.at[k].is_update &&
                       g->events.at[k].before == at;
    }
    for (size_t i = 0; i < g->events.len; i++)
        if (g->events.at[i].is_stuck)
            trc_step_vec_push(out, (wire_step){g->events.at[i].thread, 0});
    td_free(done);
    grf_u32_vec_fini(&order);
}

static xpl_graph job_of(const grf *g)
{
    xpl_graph j = XPL_EMPTY_GRAPH;
    for (size_t i = 0; i < g->events.len; i++) {
        const grf_event *e = &g->events.at[i];
        xpl_key_vec_push(&j.keys,
                         (xpl_key){.thread = e->thread,
                                   .op = e->op,
                                   .is_write = e->kind == GRF_WRITE && e->is_update,
                                   .is_stuck = e->is_stuck,
                                   .from = e->from,
                                   .side = e->kind == GRF_DECIDE ? e->value : 0});
        if (e->is_stuck)
            grf_event_vec_push(&j.stuck, *e);
    }
    return j;
}

static bool inputs_of(graphs *x, const grf_next *next, trc_chosen_vec *out)
{
    if (next->is_turned)
        return xpl_sides_find(&x->sides, next->g, out);
    for (size_t i = 0; i < x->run->inputs.len; i++) {
        const trc_input *in = &x->run->inputs.at[i];
        trc_chosen_vec_push(out, (wire_input){in->key, in->value});
    }
    return true;
}

static void keep_job(void *ctx, const grf_next *next)
{
    graphs *x = ctx;
    const grf *g = next->g;
    uint32_t reader = next->reader, last = (uint32_t)g->events.len - 1;
    trc_chosen_vec inputs = {0};
    if (!inputs_of(x, next, &inputs)) {
        trc_chosen_vec_fini(&inputs);
        return;
    }
    xpl_graph j = job_of(g);
    j.inputs = inputs;
    j.reader = reader;
    if (reader != GRF_NONE) {
        grf_event_vec_push(&j.stuck, g->events.at[reader]);
        j.stuck.at[j.stuck.len - 1].asked = 0; /* known to this process only */
    }
    uint32_t late = reader != GRF_NONE ? reader : last;
    j.fresh = g->events.at[late].asked == 0 ? late : GRF_NONE;
    steps_of(next->whole, late, &j.steps);
    xpl_graph_vec_push(&x->todo, j);
}

static void on_lost(void *ctx)
{
    graphs *x = ctx;
    x->n_outcomes++;
}

/* The operation that a decision follows at once; the read, if it is an update. */
static uint32_t operation_of(const grf *g, uint32_t i)
{
    while (g->events.at[i].kind == GRF_DECIDE && g->events.at[i].before != GRF_NONE)
        i = g->events.at[i].before;
    const grf_event *e = &g->events.at[i];
    return e->kind == GRF_WRITE && e->is_update ? e->before : i;
}

/* Keeps a job for another outcome of the last event of g, a decision that has taken these. */
static void keep_other_side(graphs *x, const grf *g, uint32_t due,
                            const grf_u64_vec *taken)
{
    trc_chosen_vec inputs = {0};
    if (taken->len >= MAX_SIDES)
        x->n_values++;
    else if (xpl_sides_find_other(&x->sides, g, taken->at, taken->len, &inputs)) {
        xpl_graph j = job_of(g);
        j.due = due;
        j.inputs = inputs;
        grf_u64_vec_append(&j.taken, taken->at, taken->len);
        steps_of(g, operation_of(g, (uint32_t)g->events.len - 1), &j.steps);
        xpl_graph_vec_push(&x->todo, j);
        return;
    }
    trc_chosen_vec_fini(&inputs);
}

static void on_decided(void *ctx, const grf *g, uint32_t due)
{
    grf_u64_vec taken = {0};
    grf_u64_vec_push(&taken, g->events.at[g->events.len - 1].value);
    keep_other_side(ctx, g, due, &taken);
    grf_u64_vec_fini(&taken);
}

static bool is_first(void *ctx, const grf_event *e, const grf_event *const *others,
                     size_t n)
{
    graphs *x = ctx;
    return xpl_sides_is_first(&x->sides, e, others, n);
}

/* ---- a graph from a run ---- */

/* Events of a run by thread, operation and whether it is the write of an update. */
typedef struct places {
    grf_u32_vec first; /* by thread, index in at */
    grf_u32_vec at;
} places;

static void places_of(const grf *g, places *out)
{
    uint32_t n = 0;
    for (uint32_t t = 0; t <= g->n_threads; t++)
        grf_u32_vec_push(&out->first, 0);
    for (size_t i = 0; i < g->events.len; i++) {
        uint32_t *end = &out->first.at[g->events.at[i].thread];
        uint32_t need = 2 * (g->events.at[i].op + 1);
        *end = need > *end ? need : *end;
    }
    for (uint32_t t = 0; t <= g->n_threads; t++) {
        uint32_t len = out->first.at[t];
        out->first.at[t] = n;
        n += len;
    }
    grf_u32_vec_reserve(&out->at, n + 1);
    out->at.len = n;
    memset(out->at.at, 0xff, n * sizeof(uint32_t));
    for (uint32_t i = (uint32_t)g->events.len; i-- > 0;) {
        const grf_event *e = &g->events.at[i];
        bool is_write = e->kind == GRF_WRITE && e->is_update;
        out->at.at[out->first.at[e->thread] + 2 * e->op + is_write] = i;
    }
}

static uint32_t event_of(const places *p, const xpl_key *k)
{
    if (k->thread + 1 >= p->first.len)
        return GRF_NONE;
    uint32_t at = p->first.at[k->thread] + 2 * k->op + k->is_write;
    return at < p->first.at[k->thread + 1] ? p->at.at[at] : GRF_NONE;
}

/* True if a decision took the side of its key, or one that the job has inputs for. */
static bool goes_its_way(const xpl_graph *j, size_t i, uint64_t side)
{
    if (j->taken.len == 0 || i + 1 < j->keys.len)
        return side == j->keys.at[i].side;
    for (size_t k = 0; k < j->taken.len; k++)
        if (j->taken.at[k] == side)
            return false;
    return true;
}

static void put_new(uint32_t at, uint32_t *numbers, grf_u32_vec *old)
{
    TD_ASSERT(numbers[at] == GRF_NONE);
    numbers[at] = (uint32_t)old->len;
    grf_u32_vec_push(old, at);
}

/* The decisions that follow an event at once, if they are new. */
static void put_decisions(const grf *run, uint32_t at, uint32_t *numbers,
                          grf_u32_vec *old)
{
    for (uint32_t i = at + 1; i < run->events.len; i++) {
        const grf_event *e = &run->events.at[i];
        if (e->kind != GRF_DECIDE || e->before + 1 != i || numbers[i] != GRF_NONE)
            return;
        put_new(i, numbers, old);
    }
}

/* Brings the events of the job to the front, in their order. False: the run did not do all of them. */
static bool in_order(const grf *run, const xpl_graph *j, grf *out)
{
    uint32_t *numbers = td_alloc((run->events.len + 1) * sizeof *numbers);
    grf_u32_vec old = {0};
    places p = {0};
    places_of(run, &p);
    memset(numbers, 0xff, (run->events.len + 1) * sizeof *numbers);
    grf_clear(out);
    grf_u64_vec_append(&out->inits, run->inits.at, run->inits.len);
    out->n_threads = run->n_threads;
    out->is_by_inputs = run->is_by_inputs;
    bool is = true;
    for (uint32_t i = 0; i < j->keys.len && is; i++) {
        uint32_t at = event_of(&p, &j->keys.at[i]);
        is = at != GRF_NONE && numbers[at] == GRF_NONE &&
             run->events.at[at].is_stuck == j->keys.at[i].is_stuck;
        if (is) {
            numbers[at] = i;
            grf_u32_vec_push(&old, at);
        }
    }
    if (is && old.len > 0)
        put_decisions(run, old.at[old.len - 1], numbers, &old);
    for (uint32_t i = 0; i < j->keys.len && is; i++) { /* the writes of open updates */
        xpl_key w = j->keys.at[i];
        w.is_write = true;
        uint32_t at = event_of(&p, &w);
        if (j->keys.at[i].is_write || at == GRF_NONE || numbers[at] != GRF_NONE)
            continue;
        put_new(at, numbers, &old);
        put_decisions(run, at, numbers, &old);
    }
    for (uint32_t i = 0; i < run->events.len && is; i++)
        if (numbers[i] == GRF_NONE)
            put_new(i, numbers, &old);
    for (size_t i = 0; i < old.len && is; i++) {
        grf_event e = run->events.at[old.at[i]];
        if (e.before != GRF_NONE)
            e.before = numbers[e.before];
        if (e.from != GRF_NONE && e.from != GRF_INIT)
            e.from = numbers[e.from];
        if (e.is_stuck && i < j->keys.len)
            e.from = j->keys.at[i].from;
        bool is_key = i < j->keys.len;
        if (is_key && e.kind == GRF_READ)
            is = e.from == j->keys.at[i].from;
        if (is_key && e.kind == GRF_DECIDE)
            is = goes_its_way(j, i, e.value);
        grf_event_vec_push(&out->events, e);
    }
    grf_u32_vec_fini(&old);
    grf_u32_vec_fini(&p.first);
    grf_u32_vec_fini(&p.at);
    td_free(numbers);
    return is;
}

/* The reader of the job has to wait with what it would read: the same again, and it is stuck. */
static void stick(graphs *x, const xpl_graph *j)
{
    xpl_graph again = XPL_EMPTY_GRAPH;
    xpl_key_vec_append(&again.keys, j->keys.at, j->keys.len);
    trc_chosen_vec_append(&again.inputs, j->inputs.at, j->inputs.len);
    grf_event_vec_append(&again.stuck, j->stuck.at, j->stuck.len);
    grf_event *e = &again.stuck.at[again.stuck.len - 1];
    e->is_stuck = true;
    grf_turn(e, false);
    again.keys.at[j->reader].is_stuck = true;
    uint32_t thread = j->keys.at[j->reader].thread;
    /* Its step is the last one of all, so that others can be before it. */
    trc_step_vec_append(&again.steps, j->steps.at, j->steps.len);
    for (size_t i = again.steps.len; i-- > 0;) {
        wire_step *s = &again.steps.at[i];
        if (s->thread != thread || s->count == 0)
            continue;
        s->count--;
        break;
    }
    trc_step_vec_push(&again.steps, (wire_step){thread, 0});
    xpl_graph_vec_push(&x->todo, again);
}

static xpl_graph take_back(graphs *x, uint64_t id)
{
    for (size_t i = 0; i < x->under_way.len; i++)
        if (x->under_way.at[i].id == id) {
            xpl_graph j = x->under_way.at[i];
            x->under_way.at[i] = x->under_way.at[--x->under_way.len];
            return j;
        }
    TD_ASSERT(!"a run of a job that was handed out");
    return (xpl_graph){0};
}

/* Atomic accesses whose stores are not kept, and futexes, which look at memory: they have one order. */
static bool has_strong(const trc *t)
{
    for (size_t i = 0; i < t->ops.len; i++) {
        const trc_op *op = &t->ops.at[i];
        uint8_t type = mdl_type_of(op->kind);
        if (type == WIRE_TYPE_FUTEX ||
            (type == WIRE_TYPE_MEMORY && !trc_keeps_stores(op)))
            return true;
    }
    return false;
}

/* The run stopped before all events of its job, at a step that was not possible. */
static void on_stopped(graphs *x, const xpl_graph *j, const trc *t)
{
    uint32_t reader = j->reader != GRF_NONE ? j->keys.at[j->reader].thread : GRF_NONE;
    uint32_t last = j->keys.len > 0 ? j->keys.at[j->keys.len - 1].thread : GRF_NONE;
    if (t->done == WIRE_DONE_ASLEEP && t->exit_code == reader && reader != GRF_NONE)
        stick(x, j); /* what is new to it makes it wait */
    else if (t->done != WIRE_DONE_ASLEEP || t->exit_code != last)
        x->n_lost++;
}

/* Graphs of so many events are left off at once where the session is to stop. */
enum { LARGE = 256 };

/* The run shows all events of its job: what else there is. */
static void go_on(graphs *x, xpl_graph *j, const grf *g, td_stop *stop)
{
    uint32_t n_kept = (uint32_t)j->keys.len;
    if (j->taken.len > 0) {
        grf kept = *g; /* borrows all of it */
        kept.events.len = n_kept;
        grf_u64_vec_push(&j->taken, g->events.at[n_kept - 1].value);
        keep_other_side(x, &kept, j->due, &j->taken);
    }
    const grf_search search = {.model = x->model,
                               .stop = stop,
                               .found = keep_job,
                               .decided = on_decided,
                               .is_first = is_first,
                               .lost = on_lost,
                               .ctx = x};
    grf_alternatives(g, (grf_kept){n_kept, j->due, j->fresh}, &search);
}

/* Handles the run of a job. False: its successors are not completely known, and the run must be repeated if
 * the search is resumed. */
static bool on_done(graphs *x, xpl_graph *j, const grf *g)
{
    size_t n = x->todo.len, n_taken = j->taken.len;
    td_stop *stop = g->events.len > LARGE ? x->opts.stop : NULL;
    go_on(x, j, g, stop);
    if (!td_stops_now(stop))
        return true;
    while (x->todo.len > n) {
        xpl_graph other = xpl_graph_vec_pop(&x->todo);
        xpl_graph_fini(&other);
    }
    j->id = 0;
    j->taken.len = n_taken;
    xpl_graph_vec_push(&x->todo, *j);
    *j = (xpl_graph){0};
    return false;
}

/* True if a thread waits for something released since, because its job makes it: another graph ends like
 * this one, and the thread waits there for the last event. */
static bool is_blocked(const grf *g)
{
    for (size_t i = 0; i < g->events.len; i++) {
        const grf_event *e = &g->events.at[i];
        if (e->is_stuck && e->is_sync &&
            grf_from_rank(g, e) != grf_last_rank(g, e->location))
            return true;
    }
    return false;
}

static void graphs_feed(xpl *head, const trc *t)
{
    graphs *x = (graphs *)head;
    xpl_graph j = take_back(x, t->job);
    grf run = {0}, g = {0};
    x->run = t;
    xpl_sides_take(&x->sides, t);
    x->n_strong += x->model != GRF_SC && has_strong(t);
    grf_event_vec stuck = j.stuck;
    stuck.len -= j.reader != GRF_NONE;
    bool is = xpl_graph_of(t, &stuck, &x->sides, &run), counts = true;
    if (!is || t->done == WIRE_DONE_DIVERGED || t->done == WIRE_DONE_THREADS) {
        x->n_lost++;
    } else if (!in_order(&run, &j, &g)) {
        on_stopped(x, &j, t);
    } else if (j.is_given && !graphs_is_sound(x, &j, &g)) {
        x->has_diverged = true;
        x->n_lost++;
    } else {
        bool is_repeated = is_blocked(&g);
        counts = on_done(x, &j, &g) && !is_repeated;
    }
    if (counts)
        graphs_count(x, t);
    grf_fini(&run);
    grf_fini(&g);
    xpl_graph_fini(&j);
}

static void graphs_lost(xpl *head, uint64_t id)
{
    graphs *x = (graphs *)head;
    xpl_graph j = take_back(x, id);
    xpl_graph_fini(&j);
    x->n_lost++;
}

static bool graphs_complete(const xpl *head)
{
    const graphs *x = (const graphs *)head;
    return x->todo.len == 0 && x->under_way.len == 0 && x->n_lost == 0 &&
           x->sides.n_unknown == 0 && x->n_values == 0 && x->n_outcomes == 0 &&
           x->n_strong == 0;
}

static size_t graphs_gaps(const xpl *head, xpl_gap *out, size_t max)
{
    const graphs *x = (const graphs *)head;
    const xpl_gap gaps[] = {
        {"runs", "runs that diverged from their schedule", x->n_lost},
        {"solver", "path conditions that the solver could not decide",
         x->sides.n_unknown},
        {"values", "addresses or lengths with more values than were tried", x->n_values},
        {"inputs",
         "outcomes of compare-exchanges with symbolic values that were not tried",
         x->n_outcomes},
        {"memory",
         "atomics of 16 bytes, futex words and promoted accesses have one order",
         x->n_strong},
    };
    size_t n = 0;
    for (size_t i = 0; i < sizeof gaps / sizeof gaps[0]; i++)
        if (gaps[i].count > 0 && n < max)
            out[n++] = gaps[i];
    return n;
}

/* Returns false if the run has no stores. */
static bool graph_alone(const trc *t, grf *out)
{
    const grf_event_vec none = {0};
    return t->has_stores && xpl_graph_of(t, &none, NULL, out);
}

const char *xpl_strongest_model(const trc *t)
{
    grf g = {0};
    const char *name = NULL;
    bool is = graph_alone(t, &g);
    for (grf_model m = GRF_SC; is && m < GRF_N_MODELS && !name; m++)
        if (grf_consistent(&g, m))
            name = grf_model_name(m);
    grf_fini(&g);
    return name;
}

bool xpl_model_allows(const char *model, const trc *t)
{
    grf g = {0};
    grf_model m = model_named(model);
    bool is = m < GRF_N_MODELS && graph_alone(t, &g) && grf_consistent(&g, m);
    grf_fini(&g);
    return is;
}

const xpl_search xpl_graphs = {
    .name = "graphs",
    .text = "every execution graph of a memory model (--model)",
    .covers = XPL_TRACES | XPL_STATES,
    .covered = "every execution graph was run",
    .takes_model = true,
    .each_once = true,
    .new = graphs_new,
    .next = graphs_next,
    .feed = graphs_feed,
    .lost = graphs_lost,
    .complete = graphs_complete,
    .gaps = graphs_gaps,
    .parts = &graphs_parts,
    .free = graphs_free,
};
