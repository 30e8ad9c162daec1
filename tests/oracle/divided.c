/* SPDX-License-Identifier: Apache-2.0 */
/* The searches unfold, optimal and graphs in parts (explore/core/item.h): treadle-divided is treadle with them.
 *
 * After every few runs the part of now is divided, at any event; what is given away is taken up
 * by an explorer of its own that knows nothing, as another worker would. Events and their digest
 * are the sums over the parts, so they are those of the undivided search only if the parts are
 * disjoint and leave nothing out. Every part is written as bytes and read again. */
#include "explore/core/explore_int.h"

#include "base/assert.h"

static const xpl_search divided_states, divided_traces, divided_graphs;

enum {
    RUNS_BETWEEN = 3, /* divisions */
    MAX_PARTS = 48,
};

TD_VEC(xpl_item, item_vec);
TD_VEC(xpl *, explorer_vec);

typedef struct divided {
    xpl head;
    xpl_opts opts;
    const xpl_search *by;
    item_vec waiting;
    explorer_vec all; /* the last one works; the others are done and keep their gaps */
    uint64_t base;    /* jobs handed out before its first */
    uint64_t n_jobs, n_open, n_since;
    uint64_t n_items, in_vain;
    bool is_open; /* its item is not complete */
    xpl_share sum;
} divided;

static xpl *new_of(const xpl_search *self, const xpl_search *by, const xpl_opts *opts)
{
    divided *x = td_alloc(sizeof *x);
    x->head.search = self;
    x->by = by;
    x->opts = *opts;
    x->opts.splits_anywhere = true;
    x->n_items = 1;
    item_vec_push(&x->waiting, (xpl_item){0});
    return &x->head;
}

static xpl *parts_new(const xpl_opts *opts)
{
    return new_of(&divided_states, &xpl_unfold, opts);
}

static xpl *parts_traces_new(const xpl_opts *opts)
{
    return new_of(&divided_traces, &xpl_optimal, opts);
}

static xpl *parts_graphs_new(const xpl_opts *opts)
{
    return new_of(&divided_graphs, &xpl_graphs, opts);
}

static void divided_free(xpl *head)
{
    divided *x = (divided *)head;
    if (!x)
        return;
    for (size_t i = 0; i < x->waiting.len; i++)
        xpl_item_fini(&x->waiting.at[i]);
    item_vec_fini(&x->waiting);
    for (size_t i = 0; i < x->all.len; i++)
        x->by->free(x->all.at[i]);
    explorer_vec_fini(&x->all);
    td_free(x);
}

/* ---- parts ---- */

/* As another worker gets it. */
static void put_away(divided *x, xpl_item *item)
{
    xpl_byte_vec bytes = {0};
    xpl_item again;
    td_diag diag = {0};
    xpl_item_write(item, &bytes);
    td_status status = xpl_item_read(bytes.at, bytes.len, &again, &diag);
    TD_ASSERT(status == TD_OK);
    item_vec_push(&x->waiting, again);
    xpl_byte_vec_fini(&bytes);
    xpl_item_fini(item);
}

static xpl *worker(const divided *x)
{
    return x->all.len > 0 ? x->all.at[x->all.len - 1] : NULL;
}

static void take_item(divided *x)
{
    xpl_opts with = x->opts;
    xpl_item item = item_vec_pop(&x->waiting);
    with.runs = 0;
    with.seed = x->opts.seed + x->all.len;
    explorer_vec_push(&x->all, x->by->new (&with));
    x->by->parts->take(worker(x), &item);
    xpl_item_fini(&item);
    x->base = x->n_jobs;
    x->n_since = 0;
    x->is_open = true;
}

/* What was run of the part at hand, since it was last asked. */
static void add_share(divided *x, const xpl_share *s)
{
    x->sum.events += s->events;
    x->sum.digest = td_id_sum(x->sum.digest, s->digest);
    x->sum.traces += s->traces;
    x->sum.whole_traces += s->whole_traces;
    x->sum.trace_digest = td_id_sum(x->sum.trace_digest, s->trace_digest);
}

static void end_item(divided *x)
{
    xpl_share s;
    xpl_counts counts = {0};
    x->by->parts->share(worker(x), &s);
    if (x->by->count)
        x->by->count(worker(x), &counts);
    add_share(x, &s);
    x->in_vain += counts.in_vain;
    x->is_open = false;
}

static void divide(divided *x)
{
    xpl_item mine = {0}, away = {0};
    xpl_share s = {0};
    x->n_since = 0;
    if (x->by->parts->rest)
        x->by->parts->share(worker(x), &s);
    if (x->n_items >= MAX_PARTS || !x->by->parts->split(worker(x), &mine, &away))
        return;
    add_share(x, &s);
    x->n_items++;
    put_away(x, &away);
    xpl_item_fini(&mine);
}

/* ---- jobs ---- */

static bool next_of_item(divided *x, xpl_job *out)
{
    if (x->n_since >= RUNS_BETWEEN && x->n_items < MAX_PARTS) {
        if (x->n_open > 0)
            return false;
        divide(x);
    }
    return x->by->next(worker(x), out);
}

static bool divided_next(xpl *head, xpl_job *out)
{
    divided *x = (divided *)head;
    if (x->opts.runs > 0 && x->n_jobs >= x->opts.runs)
        return false;
    while (!x->is_open || !next_of_item(x, out)) {
        if (x->is_open && (x->n_open > 0 || !x->by->complete(worker(x))))
            return false;
        if (x->is_open)
            end_item(x);
        if (x->waiting.len == 0)
            return false;
        take_item(x);
    }
    out->id += x->base;
    x->n_jobs++;
    x->n_open++;
    x->n_since++;
    return true;
}

static void divided_feed(xpl *head, const trc *result)
{
    divided *x = (divided *)head;
    trc renamed = *result;
    renamed.job = result->job - x->base;
    x->n_open--;
    x->by->feed(worker(x), &renamed);
}

static void divided_lost(xpl *head, uint64_t job)
{
    divided *x = (divided *)head;
    x->n_open--;
    x->by->lost(worker(x), job - x->base);
}

/* ---- what is known ---- */

static bool divided_complete(const xpl *head)
{
    const divided *x = (const divided *)head;
    return x->all.len > 0 && !x->is_open && x->waiting.len == 0;
}

static void divided_count(const xpl *head, xpl_counts *out)
{
    const divided *x = (const divided *)head;
    *out = (xpl_counts){x->sum.events, x->sum.digest, x->in_vain};
}

/* For graphs: the session asks for what was run. */
static void divided_share(const xpl *head, xpl_share *out)
{
    const divided *x = (const divided *)head;
    xpl_share s = {0};
    *out = x->sum;
    if (!x->is_open)
        return;
    x->by->parts->share(worker(x), &s);
    out->traces += s.traces;
    out->whole_traces += s.whole_traces;
    out->digest = td_id_sum(out->digest, s.digest);
    out->trace_digest = td_id_sum(out->trace_digest, s.trace_digest);
}

static void divided_leave(xpl *head)
{
}

/* It is not shared: nothing else is asked of it. */
static const xpl_parts divided_parts = {.share = divided_share, .leave = divided_leave};

static size_t divided_gaps(const xpl *head, xpl_gap *out, size_t max)
{
    const divided *x = (const divided *)head;
    size_t n = 0;
    for (size_t i = 0; i < x->all.len; i++)
        n += xpl_gaps(x->all.at[i], out + n, max - n);
    return n;
}

static const xpl_search divided_states = {
    .name = "parts",
    .text = "unfold, in parts that are divided at random",
    .covers = XPL_STATES | XPL_RACES,
    .new = parts_new,
    .next = divided_next,
    .feed = divided_feed,
    .lost = divided_lost,
    .complete = divided_complete,
    .count = divided_count,
    .gaps = divided_gaps,
    .free = divided_free,
};

static const xpl_search divided_traces = {
    .name = "parts-traces",
    .text = "optimal, in parts that are divided at random",
    .covers = XPL_STATES | XPL_TRACES | XPL_BRANCHES | XPL_RACES,
    .new = parts_traces_new,
    .next = divided_next,
    .feed = divided_feed,
    .lost = divided_lost,
    .complete = divided_complete,
    .count = divided_count,
    .gaps = divided_gaps,
    .free = divided_free,
};

static const xpl_search divided_graphs = {
    .name = "parts-graphs",
    .text = "graphs, in parts that are divided after every few runs",
    .covers = XPL_STATES | XPL_TRACES,
    .takes_model = true,
    .each_once = true,
    .new = parts_graphs_new,
    .next = divided_next,
    .feed = divided_feed,
    .lost = divided_lost,
    .complete = divided_complete,
    .gaps = divided_gaps,
    .parts = &divided_parts,
    .free = divided_free,
};

extern const xpl_search xpl_forests;

const xpl_search *const xpl_more_searches[] = {&divided_states,     &divided_traces,
                                               &divided_graphs,     &xpl_forests,
                                               &xpl_product_claims, NULL};
