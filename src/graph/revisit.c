/* SPDX-License-Identifier: Apache-2.0 */
/* Chooses the graphs to run next (TruSt).
 *
 * A run takes the events of its job and then adds others, each as late as possible: a read reads
 * the last write, a write comes last in mo. When such an event was added there were
 * alternatives: a read could have read another write, a write could have come earlier in mo;
 * and an earlier read r could have read a new write w. For that everything that was added after r and
 * that w does not depend on is removed, and will be added again later, perhaps differently. So that
 * no graph occurs twice, r and everything removed must be as if added as late as possible without the
 * events removed after it (is_latest): of the many graphs that differ only in this, one makes the
 * step.
 *
 * A decision takes every outcome that inputs allow; the first of these counts as added as late as
 * possible. A thread decides at once, after its previous event: so decisions stay with the event that
 * they follow, and the reads that a write may change are examined when the decisions after it are
 * there.
 *
 * Whether a compare-exchange succeeds may also depend on inputs (asked). With the value it reads in
 * the run, the other outcome is tried with other inputs. Then values are not known before the run, so
 * neither is the outcome of a compare-exchange that reads the new write of another.
 *
 * An update is two events. Reading a store that another update has read does not give a graph by
 * itself: its write would have to come between two adjacent events. But if the other update then
 * reads the new write, it does. */
#include "graph/graph_int.h"

#include "base/assert.h"

TD_VEC(grf, grf_vec);

TD_VEC(const grf_event *, event_vec);

typedef struct finder {
    const grf_search *s;
    grf_scratch *scratch;
    grf_vec *spare;    /* graphs that are not in use */
    event_vec *others; /* scratch */
    bool is_turned;    /* other inputs are needed */
} finder;

/* A write that comes next, and the decisions that follow it at once. */
typedef struct news {
    grf_event w;
    const grf_event *decisions;
    size_t n;
} news;

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
    w.asked = 0;
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
    for (uint32_t k = 0; k < g->events.len; k++) { /* decisions follow at once */
        const grf_event *e = &g->events.at[k];
        if (e->kind == GRF_DECIDE && e->before != GRF_NONE && m->at[e->before] &&
            g->events.at[e->before].thread == e->thread)
            m->at[k] = true;
    }
}

/* ---- was it added as late as can be ---- */

/* What counts as there already when e is added again. */
static bool is_previous(const marks *prefix, uint32_t i, uint32_t e)
{
    return i <= e || prefix->at[i];
}

static bool is_first(const finder *f, const grf *g, uint32_t e, const marks *prefix,
                     const news *w)
{
    event_vec_clear(f->others);
    for (uint32_t i = 0; i < g->events.len; i++)
        if (i != e && is_previous(prefix, i, e) && g->events.at[i].asked > 0)
            event_vec_push(f->others, &g->events.at[i]);
    for (size_t i = 0; i < w->n; i++)
        event_vec_push(f->others, &w->decisions[i]);
    return f->s->is_first(f->s->ctx, &g->events.at[e], f->others->at, f->others->len);
}

static bool is_latest(const finder *f, const grf *g, uint32_t e, const marks *prefix,
                      const news *w)
{
    const grf_event *x = &g->events.at[e];
    if (x->asked > 0 && !is_first(f, g, e, prefix, w))
        return false;
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
static void settle_unknown(const finder *f, grf *g, uint32_t reader);
static void look_for_other(const finder *f, const grf *g, uint32_t i);

/* What was asked was so with another store. */
static void read_anew(const grf *g, grf_event *read)
{
    read->is_unsure =
        read->updates == GRF_IF_EQUAL && (read->asked > 0 || g->is_by_inputs);
    read->asked = 0;
}

/* The first n events of g, and those of prefix; numbers: the new ones, by the old ones. */
static void without(const grf *g, uint32_t n, const marks *prefix, grf *out,
                    uint32_t *numbers)
{
    grf_clear(out);
    grf_u64_vec_append(&out->inits, g->inits.at, g->inits.len);
    out->n_threads = g->n_threads;
    out->is_by_inputs = g->is_by_inputs;
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
static void read_it(const finder *f, const grf *g, uint32_t r, const news *n)
{
    TD_ASSERT(r < g->events.len);
    grf next = take_graph(f);
    grf_event w = n->w;
    grf_copy(&next, g);
    uint32_t number = grf_add(&next, w);
    for (size_t i = 0; i < n->n; i++) {
        grf_event d = n->decisions[i];
        d.before = number + (uint32_t)i;
        grf_add(&next, d);
    }
    grf_event *read = &next.events.at[r];
    read->from = number;
    read_anew(g, read);
    read->is_stuck = grf_has_to_wait(&next, read);
    if (f->is_turned && read->updates == GRF_IF_EQUAL)
        settle_unknown(f, &next, r);
    else {
        grf_turn(read, !read->is_stuck && grf_will_update(&next, read));
        if (grf_check(&next, f->s->model, (grf_news){number, r}, f->scratch))
            settle(f, &next, r);
        else
            look_for_other(f, &next, r);
    }
    give_back(f, next);
}

static bool may_read_instead(const finder *f, const grf *g, uint32_t r,
                             const marks *prefix, const news *w)
{
    for (uint32_t i = r; i < g->events.len; i++)
        if ((i == r || !prefix->at[i]) && !is_latest(f, g, i, prefix, w))
            return false;
    return true;
}

static void revisit(const finder *f, const grf *g, uint32_t r, const marks *prefix,
                    news n)
{
    TD_ASSERT(g->events.at[r].kind == GRF_READ && n.w.kind == GRF_WRITE);
    if (!may_read_instead(f, g, r, prefix, &n))
        return;
    grf less = take_graph(f);
    uint32_t *numbers = td_alloc((g->events.len + 1) * sizeof *numbers);
    without(g, r + 1, prefix, &less, numbers);
    if (n.w.before != GRF_NONE)
        n.w.before = numbers[n.w.before];
    r = numbers[r];
    if (n.w.is_update) {
        n.w.rank = grf_from_rank(&less, &less.events.at[n.w.before]) + 1;
        read_it(f, &less, r, &n);
    } else {
        uint32_t last = grf_last_rank(&less, n.w.location) + 1;
        for (n.w.rank = 1; n.w.rank <= last; n.w.rank++)
            read_it(f, &less, r, &n);
    }
    td_free(numbers);
    give_back(f, less);
}

/* What w, which comes next in g, makes of the reads before it. */
static void revisits(const finder *f, const grf *g, news n)
{
    marks prefix = {td_alloc((g->events.len + 1) * sizeof(bool))};
    mark_prefix(g, n.w.before, &prefix);
    for (uint32_t r = 0; r < g->events.len && !td_stops(f->s->stop); r++) {
        const grf_event *e = &g->events.at[r];
        if (e->kind == GRF_READ && e->location == n.w.location && !prefix.at[r])
            revisit(f, g, r, &prefix, n);
    }
    td_free(prefix.at);
}

/* Returns the first update from number i on whose write is not in the graph, or GRF_NONE. */
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

/* Tries which other reads the writes of the open updates before number `end` may change, in g, which has
 * none of these writes. */
static void open_revisits(const finder *f, const grf *g, uint32_t end)
{
    grf grows = take_graph(f);
    grf_copy(&grows, g);
    for (uint32_t i = open_update(g, 0); i <= end && i != GRF_NONE;
         i = open_update(g, i + 1)) {
        grf_event w = write_of(&grows, i);
        revisits(f, &grows, (news){.w = w});
        grf_add(&grows, w);
    }
    give_back(f, grows);
}

/* Handles a graph that the model allows: it is run, with the writes of open updates. If one of these cannot
 * be added, because another event is in its place, only the other reads that these writes may change are
 * tried. */
static void settle(const finder *f, const grf *g, uint32_t reader)
{
    grf whole = take_graph(f);
    grf_copy(&whole, g);
    bool is = true;
    for (uint32_t i = open_update(g, 0); is && i != GRF_NONE; i = open_update(g, i + 1)) {
        uint32_t w = grf_add(&whole, write_of(&whole, i));
        is = grf_check(&whole, f->s->model, (grf_news){w, GRF_NONE}, f->scratch);
        if (!is)
            open_revisits(f, g, i);
        if (!is)
            look_for_other(f, g, i);
    }
    if (is)
        f->s->found(f->s->ctx, &(grf_next){g, &whole, reader, f->is_turned});
    give_back(f, whole);
}

/* True if the model allows g with the writes of its open updates. */
static bool may_be(const finder *f, const grf *g)
{
    grf whole = take_graph(f);
    grf_copy(&whole, g);
    for (uint32_t i = open_update(g, 0); i != GRF_NONE; i = open_update(g, i + 1))
        grf_add(&whole, write_of(&whole, i));
    bool is = grf_check(&whole, f->s->model, GRF_ALL_NEW, f->scratch);
    give_back(f, whole);
    return is;
}

/* The model does not allow how a compare-exchange turns out. With other inputs, which are not known as no
 * run has it read that, it might turn out in a way that is allowed. */
static void look_for_other(const finder *f, const grf *g, uint32_t i)
{
    if (!g->events.at[i].is_unsure)
        return;
    grf other = take_graph(f);
    grf_copy(&other, g);
    grf_turn(&other.events.at[i], !other.events.at[i].is_update);
    if (may_be(f, &other))
        f->s->lost(f->s->ctx);
    give_back(f, other);
}

/* A compare-exchange reads a write whose value is not known: its run shows how it turns out, and both
 * outcomes must be allowed. */
static void settle_unknown(const finder *f, grf *g, uint32_t reader)
{
    grf_turn(&g->events.at[reader], true);
    bool succeeds = may_be(f, g);
    grf_turn(&g->events.at[reader], false);
    bool fails = may_be(f, g);
    if (succeeds && fails)
        settle(f, g, reader);
    else if (succeeds || fails)
        f->s->lost(f->s->ctx);
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
    for (uint32_t rank = known_rank(g, &e); rank <= last && !td_stops(f->s->stop);
         rank++) {
        if (rank == own)
            continue;
        grf_event read = e;
        read.from = grf_write_at(g, e.location, rank);
        read.is_stuck = false;
        read_anew(g, &read);
        if (grf_has_to_wait(g, &read))
            continue;
        grf_copy(&next, g);
        uint32_t i = grf_add(&next, read);
        grf_turn(&next.events.at[i], grf_will_update(&next, &read));
        if (grf_check(&next, f->s->model, (grf_news){GRF_NONE, i}, f->scratch))
            settle(f, &next, GRF_NONE);
        else
            look_for_other(f, &next, i);
    }
    give_back(f, next);
}

static void other_places(const finder *f, const grf *g, grf_event e)
{
    uint32_t last = grf_last_rank(g, e.location);
    grf next = take_graph(f);
    for (e.rank = known_rank(g, &e) + 1; e.rank <= last && !td_stops(f->s->stop);
         e.rank++) {
        grf_copy(&next, g);
        uint32_t w = grf_add(&next, e);
        if (grf_check(&next, f->s->model, (grf_news){w, GRF_NONE}, f->scratch))
            settle(f, &next, GRF_NONE);
    }
    give_back(f, next);
}

/* Read i of g turns out the other way, with other inputs. */
static void other_outcome(const finder *f, const grf *g, uint32_t i, uint32_t reader)
{
    finder turned = *f;
    grf next = take_graph(f);
    turned.is_turned = true;
    grf_copy(&next, g);
    grf_turn(&next.events.at[i], !next.events.at[i].is_update);
    if (grf_check(&next, f->s->model, GRF_ALL_NEW, f->scratch))
        settle(&turned, &next, reader);
    give_back(f, next);
}

/* The events of a run, added again one by one. */
typedef struct growth {
    grf grows;
    grf base; /* without the write that is due, and what came then */
    grf_event w;
    uint32_t due; /* its number, or GRF_NONE */
    grf_event_vec decisions;
} growth;

static void look_behind(const finder *f, growth *x)
{
    if (x->due != GRF_NONE)
        revisits(f, &x->base, (news){x->w, x->decisions.at, x->decisions.len});
    x->due = GRF_NONE;
}

static void set_due(growth *x, grf_event w)
{
    grf_copy(&x->base, &x->grows);
    grf_event_vec_clear(&x->decisions);
    x->w = w;
    x->due = (uint32_t)x->grows.events.len;
}

/* True if event i decides directly behind the one before it. */
static bool decides_at_once(const grf *g, uint32_t i)
{
    return i < g->events.len && g->events.at[i].kind == GRF_DECIDE &&
           g->events.at[i].before + 1 == i;
}

/* Event i of g, which decides behind the write that is due, or is a new event. */
static void grow(const finder *f, growth *x, const grf *g, uint32_t i)
{
    grf_event e = g->events.at[i];
    TD_ASSERT(x->grows.events.len == i);
    if (e.kind == GRF_WRITE)
        e.rank = e.is_update ? grf_from_rank(&x->grows, &x->grows.events.at[e.before]) + 1
                             : grf_last_rank(&x->grows, e.location) + 1;
    if (e.kind == GRF_READ)
        other_reads(f, &x->grows, e);
    if (e.kind == GRF_WRITE && !e.is_update)
        other_places(f, &x->grows, e);
    if (e.kind == GRF_WRITE && decides_at_once(g, i + 1))
        set_due(x, e);
    else if (e.kind == GRF_WRITE)
        revisits(f, &x->grows, (news){.w = e});
    grf_add(&x->grows, e);
    if (e.kind == GRF_READ && e.asked > 0)
        other_outcome(f, &x->grows, i, GRF_NONE);
    if (e.kind != GRF_DECIDE)
        return;
    f->s->decided(f->s->ctx, &x->grows, x->due);
    if (x->due != GRF_NONE)
        grf_event_vec_push(&x->decisions, e);
}

/* The kept events, without what the write that is due has brought. */
static void start(growth *x, const grf *g, grf_kept kept)
{
    marks none = {td_alloc((g->events.len + 1) * sizeof(bool))};
    uint32_t *numbers = td_alloc((g->events.len + 1) * sizeof *numbers);
    x->due = kept.due;
    if (kept.due != GRF_NONE) {
        TD_ASSERT(kept.due < kept.n && g->events.at[kept.due].kind == GRF_WRITE);
        without(g, kept.due, &none, &x->base, numbers);
        x->w = g->events.at[kept.due];
        grf_event_vec_append(&x->decisions, g->events.at + kept.due + 1,
                             kept.n - kept.due - 1);
    }
    without(g, kept.n, &none, &x->grows, numbers);
    td_free(numbers);
    td_free(none.at);
}

void grf_alternatives(const grf *g, grf_kept kept, const grf_search *s)
{
    TD_ASSERT(kept.n <= g->events.len && (kept.fresh == GRF_NONE || kept.fresh < kept.n));
    grf_scratch scratch = {0};
    grf_vec spare = {0};
    event_vec others = {0};
    const finder f = {s, &scratch, &spare, &others, false};
    growth x = {0};
    start(&x, g, kept);
    if (kept.fresh != GRF_NONE && g->events.at[kept.fresh].asked > 0)
        other_outcome(&f, &x.grows, kept.fresh,
                      kept.fresh + 1 < kept.n ? kept.fresh : GRF_NONE);
    if (!decides_at_once(g, kept.n))
        look_behind(&f, &x);
    for (uint32_t i = kept.n; i < g->events.len && !td_stops_now(s->stop); i++) {
        grow(&f, &x, g, i);
        if (!decides_at_once(g, i + 1))
            look_behind(&f, &x);
    }
    grf_fini(&x.grows);
    grf_fini(&x.base);
    grf_event_vec_fini(&x.decisions);
    for (size_t i = 0; i < spare.len; i++)
        grf_fini(&spare.at[i]);
    grf_vec_fini(&spare);
    event_vec_fini(&others);
    grf_scratch_fini(&scratch);
}
