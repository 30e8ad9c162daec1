/* SPDX-License-Identifier: Apache-2.0 */
/* The search forests of treadle-divided: every interleaving, by all, in runs that tell what values were made of. What
 * it counts are the nodes of the forest that all these runs fill, so that the goal observations
 * can be compared with it node by node: the digests are equal only if the sets are. */
#include "explore/core/explore_int.h"
#include "explore/interfere/forest.h"

const xpl_search xpl_forests;

typedef struct forests {
    xpl head;
    xpl *inner;
    pth *path;
    xpl_forest forest;
} forests;

static xpl *forests_new(const xpl_opts *opts)
{
    forests *x = td_alloc(sizeof *x);
    x->head.search = &xpl_forests;
    x->inner = xpl_all.new(opts);
    x->path = pth_new();
    xpl_forest_init(&x->forest, x->path);
    return &x->head;
}

static void forests_free(xpl *head)
{
    forests *x = (forests *)head;
    if (!x)
        return;
    xpl_all.free(x->inner);
    xpl_forest_fini(&x->forest);
    pth_free(x->path);
    td_free(x);
}

static bool forests_next(xpl *head, xpl_job *out)
{
    if (!xpl_all.next(((forests *)head)->inner, out))
        return false;
    out->flags |= WIRE_JOB_READS | WIRE_JOB_ROUNDS | WIRE_JOB_DETAIL;
    return true;
}

static void forests_feed(xpl *head, const trc *t)
{
    forests *x = (forests *)head;
    xpl_forest_add(&x->forest, t);
    xpl_all.feed(x->inner, t);
}

static void forests_lost(xpl *head, uint64_t job)
{
    xpl_all.lost(((forests *)head)->inner, job);
}

static bool forests_complete(const xpl *head)
{
    return xpl_all.complete(((const forests *)head)->inner);
}

static void forests_count(const xpl *head, xpl_counts *out)
{
    *out = (xpl_counts){0};
    xpl_forest_count(&((const forests *)head)->forest, &out->events, &out->digest);
}

/* Memory that threads share is promoted, as for the search product. */
static void forests_sides(const xpl *head, xpl_side_vec *out, uint64_t *n_candidates)
{
    (void)head;
    (void)out;
    *n_candidates = 0;
}

static size_t forests_gaps(const xpl *head, xpl_gap *out, size_t max)
{
    return xpl_gaps(((const forests *)head)->inner, out, max);
}

const xpl_search xpl_forests = {
    .name = "forests",
    .text = "every interleaving; counts what threads decide by what they read",
    .covers = XPL_OBSERVATIONS,
    .goal = "observations",
    .follows = true,
    .new = forests_new,
    .next = forests_next,
    .feed = forests_feed,
    .lost = forests_lost,
    .complete = forests_complete,
    .count = forests_count,
    .sides = forests_sides,
    .gaps = forests_gaps,
    .free = forests_free,
};
