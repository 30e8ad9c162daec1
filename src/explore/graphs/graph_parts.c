/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of the search graphs (docs/models.md).
 *
 * The remaining work is a list of graphs, from each of which others follow, and none from two. So an
 * item is a part of that list, for any worker. No run is repeated: the completed part of an item is
 * submitted when the item is divided, and counts. */
#include "explore/graphs/graphs_int.h"

#include "base/assert.h"

void graphs_count(graphs *x, const trc *t)
{
    if (t->done == WIRE_DONE_ASLEEP)
        return; /* another graph is run instead */
    x->done.traces++;
    if (t->is_cut)
        return;
    x->done.whole_traces++;
    x->done.trace_digest = td_id_sum(x->done.trace_digest, xpl_trace_name(t));
    x->done.digest = x->done.trace_digest;
    TD_ASSERT(x->done.whole_traces <= x->done.traces);
}

/* ---- what another process wrote ---- */

/* The events of the job alone, ranks without gaps. */
static void kept_of(const grf *g, size_t n, grf *out)
{
    grf_copy(out, g);
    out->events.len = n;
    for (size_t i = 0; i < n; i++) {
        grf_event *e = &out->events.at[i];
        if (e->kind != GRF_WRITE)
            continue;
        e->rank = 1;
        for (size_t k = 0; k < n; k++) {
            const grf_event *y = &g->events.at[k];
            e->rank += y->kind == GRF_WRITE && y->location == e->location &&
                       y->rank < g->events.at[i].rank;
        }
    }
}

/* True if the item's last, fresh and due events have the kinds that an item needs in g, and only
 * decisions follow the due write. */
static bool is_decided(const xpl_graph *j, const grf *g)
{
    size_t n = j->keys.len;
    if (j->taken.len > 0 && g->events.at[n - 1].kind != GRF_DECIDE)
        return false;
    if (j->fresh != GRF_NONE && g->events.at[j->fresh].kind == GRF_DECIDE)
        return false;
    if (j->due != GRF_NONE && g->events.at[j->due].kind != GRF_WRITE)
        return false;
    for (size_t i = (size_t)j->due + 1; j->due != GRF_NONE && i < n; i++)
        if (g->events.at[i].kind != GRF_DECIDE || g->events.at[i].before + 1 != i)
            return false;
    return true;
}

bool graphs_is_sound(const graphs *x, const xpl_graph *j, const grf *g)
{
    TD_ASSERT(j->is_given && j->keys.len <= g->events.len);
    size_t n = j->keys.len;
    if (!is_decided(j, g))
        return false;
    for (size_t i = 0; i < n; i++) {
        const grf_event *e = &g->events.at[i];
        if (e->before != GRF_NONE && e->before >= i)
            return false;
        if (e->kind != GRF_READ || e->from == GRF_INIT)
            continue;
        if (e->from >= n || g->events.at[e->from].kind != GRF_WRITE ||
            g->events.at[e->from].location != e->location)
            return false;
    }
    grf kept = {0};
    grf_u32_vec order = {0};
    kept_of(g, n, &kept);
    bool is = grf_consistent(&kept, x->model) && grf_execution(&kept, GRF_NONE, &order);
    grf_u32_vec_fini(&order);
    grf_fini(&kept);
    return is;
}

/* ---- items ---- */

/* A graph that fits into an item by itself. */
enum { MOST_ENTRIES = 50000, MOST_STUCK = 1000 };

static bool can_write(const graphs *x)
{
    for (size_t i = 0; i < x->todo.len; i++) {
        const xpl_graph *g = &x->todo.at[i];
        if (g->keys.len + g->steps.len + g->inputs.len > MOST_ENTRIES ||
            g->stuck.len > MOST_STUCK)
            return false;
    }
    return x->todo.len > 0;
}

/* The item without graphs is the whole search: if nothing else was taken, that is what is at hand. */
static void parts_take(xpl *head, const xpl_item *item)
{
    graphs *x = (graphs *)head;
    TD_ASSERT(x->under_way.len == 0 && item->literals.len == 0);
    if (item->graphs.len == 0 && !x->is_divided)
        return;
    xpl_item copy;
    xpl_item_copy(&copy, item);
    xpl_graphs_fini(&x->todo);
    x->todo = copy.graphs;
    if (x->todo.len == 0)
        xpl_graph_vec_push(&x->todo, XPL_EMPTY_GRAPH);
    x->is_divided = item->graphs.len > 0;
    x->has_diverged = false;
    x->done = (xpl_share){0};
}

static bool parts_rest(xpl *head, xpl_item *out)
{
    graphs *x = (graphs *)head;
    TD_ASSERT(x->under_way.len == 0);
    *out = (xpl_item){0};
    if (!can_write(x))
        return false;
    out->graphs = x->todo;
    x->todo = (xpl_graph_vec){0};
    x->is_divided = true;
    x->done = (xpl_share){0};
    return true;
}

static bool parts_split(xpl *head, xpl_item *mine, xpl_item *away)
{
    graphs *x = (graphs *)head;
    *mine = *away = (xpl_item){0};
    if (x->under_way.len > 0 || x->todo.len < 2 || !parts_rest(head, mine))
        return false;
    xpl_item_halve(mine, away);
    xpl_item copy;
    xpl_item_copy(&copy, mine);
    x->todo = copy.graphs;
    TD_ASSERT(x->todo.len > 0 && away->graphs.len > 0);
    return true;
}

static void parts_leave(xpl *head)
{
    graphs *x = (graphs *)head;
    for (size_t i = 0; i < x->under_way.len; i++) {
        x->under_way.at[i].id = 0;
        xpl_graph_vec_push(&x->todo, x->under_way.at[i]);
    }
    xpl_graph_vec_clear(&x->under_way);
}

static void parts_share(const xpl *head, xpl_share *out)
{
    *out = ((const graphs *)head)->done;
}

static bool parts_has_diverged(const xpl *head)
{
    return ((const graphs *)head)->has_diverged;
}

const xpl_parts graphs_parts = {
    .take = parts_take,
    .split = parts_split,
    .rest = parts_rest,
    .leave = parts_leave,
    .share = parts_share,
    .has_diverged = parts_has_diverged,
};
