/* SPDX-License-Identifier: Apache-2.0 */
/* Which graphs to run next (TruSt).
 *
 * A run takes the events of its job and then adds others, each as late as can be: a read reads
 * the last write, a write comes last in mo. When such an event was added there were
 * alternatives: a read could have read another write, a write could have come earlier in mo;
 * and an earlier read r could have read a new write w. For that everything that was added after
 * r and that w does not depend on is taken away, and will be added again later, perhaps otherwise.
 * So that this does not give a graph twice, r and all that is taken away must be as if it had been
 * added as late as can be without what is taken away behind it (is_latest): of the many
 * graphs that differ only in this, one makes the step.
 *
 * An update is two events. Reading what another update has read already is no graph by itself:
 * its write would have to stand between two events that nothing may stand between. But if the
 * other update then reads the new write, it is one. */
#include "graph/graph_int.h"

#include "base/assert.h"

TD_VEC(grf, grf_vec);

typedef struct finder {
    grf_model model;
    grf_found *found;
    void *ctx;
    td_stop *stop;
    grf_room *room;
    grf_vec *spare; /* graphs that are not in use */
} finder;

/* An empty graph; give_back ends its use. */
static grf take_graph(const finder *f)
{
    return f->spare->len > 0 ? grf_vec_pop(f->spare) : (grf){0};
}

static void give_back(const finder *f, grf g)
{
    grf_clear(&g);
    grf_vec_push(f->spare, g);
}

/* The write of an update whose read is read. */
static grf_event write_of(const grf *g, uint32_t read)
{
    grf_event w = g->events.at[read];
    w.value = grf_written(g, &w);
    w.rank = grf_from_rank(g, &w) + 1;
    w.kind = GRF_WRITE;
    w.is_update = true;
    w.before = read;
    w.from = GRF_NONE;
    return w;
}

/* ---- what an event depends on ---- */

typedef struct marks {
    bool *at;
} marks;

static void mark_prefix(const grf *g, uint32_t i, marks *m)
{
    grf_u32_vec todo = {0};
    grf_u32_vec_push(&todo, i);
    while (todo.len > 0) {
        i = grf_u32_vec_pop(&todo);
        while (i != GRF_NONE && i != GRF_INIT && !m->at[i]) {
            const grf_event *e = &g->events.at[i];
            m->at[i] = true;
            if (e->kind == GRF_READ || e->kind == GRF_OTHER)
                grf_u32_vec_push(&todo, e->from);
            i = e->before;
        }
    }
    grf_u32_vec_fini(&todo);
}

/* ---- was it added as late as can be ---- */

/* What counts as there already when e is added again. */
static bool is_previous(const marks *prefix, uint32_t i, uint32_t e)
{
    return i <= e || prefix->at[i];
}

static bool is_latest(const grf *g, uint32_t e, const marks *prefix)
{
    const grf_event *x = &g->events.at[e];
    if (!grf_is_access(x))
        return true;
    uint32_t rank = x->kind == GRF_WRITE ? x->rank : grf_from_rank(g, x);
    for (uint32_t i = 0; i < g->events.len; i++) {
        const grf_event *y = &g->events.at[i];
        if (!is_previous(prefix, i, e) || !grf_is_access(y) || y->location != x->location)
            continue;
        if (y->kind == GRF_WRITE && y->rank > rank)
            return false;
        if (x->kind == GRF_WRITE && y->kind == GRF_READ && y->from == e)
            return false;
    }
    return true;
}

/* ---- a read reads a new write ---- */

static void settle(const finder *f, const grf *g, uint32_t reader);

/* The first n events of g, and those of prefix; numbers: the new ones, by the old ones. */
static void without(const grf *g, uint32_t n, const marks *prefix, grf *out,
                    uint32_t *numbers)
{
    grf_clear(out);
    grf_u64_vec_append(&out->inits, g->inits.at, g->inits.len);
    out->n_threads = g->n_threads;
    for (uint32_t i = 0; i < g->events.len; i++) {
        bool is_kept = i < n || prefix->at[i];
        numbers[i] = is_kept ? (uint32_t)out->events.len : GRF_NONE;
        if (is_kept)
            grf_event_vec_push(&out->events, g->events.at[i]);
    }
    for (size_t i = 0; i < out->events.len; i++) {
        grf_event *e = &out->events.at[i];
        if (e->before != GRF_NONE)
            e->before = numbers[e->before];
        if (e->from != GRF_NONE && e->from != GRF_INIT)
            e->from = numbers[e->from];
    }
    for (size_t i = 0; i < out->events.len; i++) { /* ranks without gaps */
        grf_event *e = &out->events.at[i];
        if (e->kind != GRF_WRITE)
            continue;
        uint32_t gone = 0;
        for (uint32_t k = 0; k < g->events.len; k++) {
            const grf_event *y = &g->events.at[k];
            gone += numbers[k] == GRF_NONE && y->kind == GRF_WRITE &&
                    y->location == e->location && y->rank < e->rank;
        }
        e->rank -= gone;
    }
}

/* w is to be added to g, at rank, and r to read it. */
static void read_it(const finder *f, const grf *g, uint32_t r, grf_event w)
{
    TD_ASSERT(r < g->events.len);
    grf next = take_graph(f);
    grf_copy(&next, g);
    uint32_t number = grf_add(&next, w);
    grf_event *read = &next.events.at[r];
    read->from = number;
    read->is_stuck = read->waits && w.leaves == GRF_CLOSED;
    grf_turn(read, !read->is_stuck && grf_will_update(&next, read));
    if (grf_check(&next, f->model, (grf_news){number, r}, f->room))
        settle(f, &next, r);
    give_back(f, next);
}

static bool may_read_instead(const grf *g, uint32_t r, const marks *prefix)
{
    for (uint32_t i = r; i < g->events.len; i++)
        if ((i == r || !prefix->at[i]) && !is_latest(g, i, prefix))
            return false;
    return true;
}

static void revisit(const finder *f, const grf *g, uint32_t r, const marks *prefix,
                    grf_event w)
{
    TD_ASSERT(g->events.at[r].kind == GRF_READ && w.kind == GRF_WRITE);
    if (!may_read_instead(g, r, prefix))
        return;
    grf less = take_graph(f);
    uint32_t *numbers = td_alloc((g->events.len + 1) * sizeof *numbers);
    without(g, r + 1, prefix, &less, numbers);
    if (w.before != GRF_NONE)
        w.before = numbers[w.before];
    r = numbers[r];
    if (w.is_update) {
        w.rank = grf_from_rank(&less, &less.events.at[w.before]) + 1;
        read_it(f, &less, r, w);
    } else {
        uint32_t last = grf_last_rank(&less, w.location) + 1;
        for (w.rank = 1; w.rank <= last; w.rank++)
            read_it(f, &less, r, w);
    }
    td_free(numbers);
    give_back(f, less);
}

/* What w, which comes next in g, makes of the reads before it. */
static void revisits(const finder *f, const grf *g, grf_event w)
{
    marks prefix = {td_alloc((g->events.len + 1) * sizeof(bool))};
    mark_prefix(g, w.before, &prefix);
    for (uint32_t r = 0; r < g->events.len && !td_stops(f->stop); r++) {
        const grf_event *e = &g->events.at[r];
        if (e->kind == GRF_READ && e->location == w.location && !prefix.at[r])
            revisit(f, g, r, &prefix, w);
    }
    td_free(prefix.at);
}

/* The first update from number i on whose write is not in the graph; GRF_NONE: there is none. */
static uint32_t open_update(const grf *g, uint32_t i)
{
    for (; i < g->events.len; i++) {
        const grf_event *e = &g->events.at[i];
        bool is_open = e->kind == GRF_READ && e->is_update;
        for (uint32_t k = i + 1; is_open && k < g->events.len; k++)
            is_open = g->events.at[k].before != i || g->events.at[k].thread != e->thread;
        if (is_open)
            return i;
    }
    return GRF_NONE;
}

/* What the writes of the open updates before number end make of other reads, in g, which has none of
 * them. */
static void open_revisits(const finder *f, const grf *g, uint32_t end)
{
    grf grows = take_graph(f);
    grf_copy(&grows, g);
    for (uint32_t i = open_update(g, 0); i <= end && i != GRF_NONE;
         i = open_update(g, i + 1)) {
        grf_event w = write_of(&grows, i);
        revisits(f, &grows, w);
        grf_add(&grows, w);
    }
    give_back(f, grows);
}

/* A graph that the model allows: it is run, with the writes of open updates. If one of them cannot
 * write, because another event stands where its write belongs, only what these writes make
 * of other reads is left of it. */
static void settle(const finder *f, const grf *g, uint32_t reader)
{
    grf whole = take_graph(f);
    grf_copy(&whole, g);
    bool is = true;
    for (uint32_t i = open_update(g, 0); is && i != GRF_NONE; i = open_update(g, i + 1)) {
        uint32_t w = grf_add(&whole, write_of(&whole, i));
        is = grf_check(&whole, f->model, (grf_news){w, GRF_NONE}, f->room);
        if (!is)
            open_revisits(f, g, i);
    }
    if (is)
        f->found(f->ctx, g, &whole, reader);
    give_back(f, whole);
}

/* ---- alternatives of one event ---- */

/* What the thread of e, or the one that created it, has read or written last of the location: no model
 * lets it see older stores afterwards. */
static uint32_t known_rank(const grf *g, const grf_event *e)
{
    for (uint32_t i = e->before; i != GRF_NONE; i = g->events.at[i].before) {
        const grf_event *x = &g->events.at[i];
        if (grf_is_access(x) && x->location == e->location)
            return grf_place(g, x) / 2;
    }
    return 0;
}

static void other_reads(const finder *f, const grf *g, grf_event e)
{
    uint32_t last = grf_last_rank(g, e.location);
    grf next = take_graph(f);
    uint32_t own = grf_from_rank(g, &e);
    for (uint32_t rank = known_rank(g, &e); rank <= last && !td_stops(f->stop); rank++) {
        if (rank == own)
            continue;
        grf_event read = e;
        read.from = grf_write_at(g, e.location, rank);
        read.is_stuck = false;
        grf_leaves leaves =
            read.from == GRF_INIT ? GRF_UNKNOWN : g->events.at[read.from].leaves;
        if (read.waits && leaves == GRF_CLOSED)
            continue;
        grf_copy(&next, g);
        uint32_t i = grf_add(&next, read);
        grf_turn(&next.events.at[i], grf_will_update(&next, &read));
        if (grf_check(&next, f->model, (grf_news){GRF_NONE, i}, f->room))
            settle(f, &next, GRF_NONE);
    }
    give_back(f, next);
}

static void other_places(const finder *f, const grf *g, grf_event e)
{
    uint32_t last = grf_last_rank(g, e.location);
    grf next = take_graph(f);
    for (e.rank = known_rank(g, &e) + 1; e.rank <= last && !td_stops(f->stop); e.rank++) {
        grf_copy(&next, g);
        uint32_t w = grf_add(&next, e);
        if (grf_check(&next, f->model, (grf_news){w, GRF_NONE}, f->room))
            settle(f, &next, GRF_NONE);
    }
    give_back(f, next);
}

static void alternatives_of(const finder *f, const grf *g, const grf_event *e)
{
    if (e->kind == GRF_READ)
        other_reads(f, g, *e);
    if (e->kind != GRF_WRITE)
        return;
    if (!e->is_update)
        other_places(f, g, *e);
    revisits(f, g, *e);
}

void grf_alternatives(const grf *g, uint32_t n_kept, grf_model model, td_stop *stop,
                      grf_found *found, void *ctx)
{
    TD_ASSERT(n_kept <= g->events.len);
    grf_room room = {0};
    grf_vec spare = {0};
    const finder f = {model, found, ctx, stop, &room, &spare};
    grf grows = {0};
    marks kept = {td_alloc((g->events.len + 1) * sizeof(bool))};
    uint32_t *numbers = td_alloc((g->events.len + 1) * sizeof *numbers);
    without(g, n_kept, &kept, &grows, numbers);
    for (uint32_t i = n_kept; i < g->events.len && !td_stops_now(stop); i++) {
        grf_event e = g->events.at[i];
        if (e.kind == GRF_WRITE)
            e.rank = e.is_update ? grf_from_rank(&grows, &grows.events.at[e.before]) + 1
                                 : grf_last_rank(&grows, e.location) + 1;
        alternatives_of(&f, &grows, &e);
        grf_add(&grows, e);
    }
    td_free(numbers);
    td_free(kept.at);
    grf_fini(&grows);
    for (size_t i = 0; i < spare.len; i++)
        grf_fini(&spare.at[i]);
    grf_vec_fini(&spare);
    grf_room_fini(&room);
}
