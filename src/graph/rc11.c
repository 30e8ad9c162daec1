/* SPDX-License-Identifier: Apache-2.0 */
/* RC11, the repaired model of C11 (Lahav et al., PLDI 2017): coherence, atomicity, psc, and no cycle
 * of program order and reads-from.
 *
 * Most graphs are decided by two simpler questions. A graph that sequential consistency allows is
 * allowed here: all that RC11 forbids is made of program order, rf, mo and from-read. And seq_cst
 * events that alone have no order are forbidden. */
#include "graph/graph_int.h"

#include "base/assert.h"

static bool same_location(const grf_event *a, const grf_event *b)
{
    return grf_is_access(a) && grf_is_access(b) && a->location == b->location;
}

static void find_places(const grf *g, grf_u32_vec *out)
{
    grf_u32_vec_clear(out);
    grf_u32_vec_reserve(out, g->events.len + 1);
    for (size_t i = 0; i < g->events.len; i++) {
        const grf_event *e = &g->events.at[i];
        grf_u32_vec_push(out, grf_is_access(e) ? grf_place(g, e) : 0);
    }
}

/* What happens before is not behind in rf, mo and from-read. */
static bool is_coherent_at(const grf_hb *h, const grf_u32_vec *places, uint32_t b)
{
    const grf_event *y = &h->g->events.at[b];
    if (!grf_is_access(y) || y->is_stuck)
        return true;
    for (uint32_t a = 0; a < h->n; a++) {
        const grf_event *x = &h->g->events.at[a];
        if (!same_location(x, y) || x->is_stuck || places->at[a] == places->at[b])
            continue;
        bool is_behind = places->at[a] > places->at[b];
        if (is_behind ? grf_happens_before(h, a, b) : grf_happens_before(h, b, a))
            return false;
    }
    return true;
}

static bool is_coherent(const grf_hb *h, grf_news news, const grf_u32_vec *places)
{
    bool is_all = news.write == GRF_NONE && news.read == GRF_NONE;
    for (uint32_t b = 0; is_all && b < h->n; b++)
        if (!is_coherent_at(h, places, b))
            return false;
    return (news.write == GRF_NONE || is_coherent_at(h, places, news.write)) &&
           (news.read == GRF_NONE || is_coherent_at(h, places, news.read));
}

/* ---- psc ---- */

static uint64_t *bits_row(const grf_bits *b, uint32_t i)
{
    return b->at.at + (size_t)i * b->words;
}

static void bits_init(grf_bits *b, uint32_t rows, uint32_t columns)
{
    b->words = columns / 64 + 1;
    size_t len = (size_t)rows * b->words;
    grf_u64_vec_reserve(&b->at, len + 1);
    memset(b->at.at, 0, len * sizeof(uint64_t));
    b->at.len = len;
}

static void bits_set(grf_bits *b, uint32_t i, uint32_t j)
{
    bits_row(b, i)[j / 64] |= UINT64_C(1) << (j % 64);
}

static bool bits_has(const grf_bits *b, uint32_t i, uint32_t j)
{
    return bits_row(b, i)[j / 64] >> (j % 64) & 1;
}

/* to |= union of the rows of b that from names. */
static void bits_follow(const grf_bits *b, const uint64_t *from, uint64_t *to)
{
    for (uint32_t w = 0; w < b->words; w++)
        for (uint64_t left = from[w]; left; left &= left - 1) {
            const uint64_t *r = bits_row(b, w * 64 + (uint32_t)__builtin_ctzll(left));
            for (uint32_t k = 0; k < b->words; k++)
                to[k] |= r[k];
        }
}

/* What is done to an object of the library has one order with seq_cst events: else a program that uses nothing
 * weaker could see more than sequential consistency allows, by a signal or a try that fails, which order
 * nothing by themselves. */
static bool is_sc(const grf_event *e)
{
    if (e->is_sync)
        return !e->is_stuck;
    return e->order == __ATOMIC_SEQ_CST && e->kind != GRF_OTHER;
}

static void relate(const grf_scratch *scratch, grf_psc *p, uint32_t a, uint32_t b)
{
    const grf_hb *h = &scratch->hb;
    const grf_event *x = &h->g->events.at[a], *y = &h->g->events.at[b];
    if (x->kind == GRF_DECIDE || y->kind == GRF_DECIDE) /* no event of the model */
        return;
    bool is_same = same_location(x, y);
    bool is_before = grf_happens_before(h, a, b);
    bool is_own = is_before && x->thread == y->thread;
    bool is_earlier = is_same && a != b && scratch->places.at[a] < scratch->places.at[b];
    if (is_before)
        bits_set(&p->happens, a, b);
    if (is_own && !is_same)
        bits_set(&p->away, a, b);
    if (is_earlier)
        bits_set(&p->eco, a, b);
    bool is_read_by = y->is_sync && y->kind == GRF_READ && y->from == a;
    if (is_own || (is_same && is_before) || (is_earlier && y->kind == GRF_WRITE) ||
        is_read_by)
        bits_set(&p->scb, a, b);
}

/* scb has also: away, happens-before, away. */
static void scb_around(grf_psc *p, uint32_t n)
{
    enum { AWAY, BACK, N_SETS };
    for (uint32_t a = 0; a < n; a++) {
        bits_init(&p->set, N_SETS, n);
        bits_follow(&p->happens, bits_row(&p->away, a), bits_row(&p->set, AWAY));
        bits_follow(&p->away, bits_row(&p->set, AWAY), bits_row(&p->set, BACK));
        for (uint32_t k = 0; k < p->scb.words; k++)
            bits_row(&p->scb, a)[k] |= bits_row(&p->set, BACK)[k];
    }
}

/* psc of fences: hb, or hb, eco, hb. */
static void psc_of_fence(const grf *g, grf_psc *p, uint32_t a)
{
    enum { STEP, BEHIND, N_SETS };
    uint32_t n = (uint32_t)g->events.len;
    bits_init(&p->set, N_SETS, n);
    bits_follow(&p->eco, bits_row(&p->happens, a), bits_row(&p->set, STEP));
    bits_follow(&p->happens, bits_row(&p->set, STEP), bits_row(&p->set, BEHIND));
    for (uint32_t b = 0; b < n; b++) {
        const grf_event *y = &g->events.at[b];
        if (is_sc(y) && y->kind == GRF_FENCE &&
            (bits_has(&p->happens, a, b) || bits_has(&p->set, BEHIND, b)))
            bits_set(&p->edges, a, b);
    }
}

/* All b with psc from a, not only seq_cst ones. */
static void psc_from(const grf *g, grf_psc *p, uint32_t a)
{
    enum { START, STEP, BEHIND, N_SETS };
    uint32_t n = (uint32_t)g->events.len;
    bool is_fence = g->events.at[a].kind == GRF_FENCE;
    bits_init(&p->set, N_SETS, n);
    uint64_t *start = bits_row(&p->set, START), *step = bits_row(&p->set, STEP);
    bits_set(&p->set, START, a);
    for (uint32_t k = 0; is_fence && k < p->set.words; k++)
        start[k] |= bits_row(&p->happens, a)[k];
    bits_follow(&p->scb, start, step);
    bits_follow(&p->happens, step, bits_row(&p->set, BEHIND));
    for (uint32_t b = 0; b < n; b++) {
        const grf_event *y = &g->events.at[b];
        if (is_sc(y) && (bits_has(&p->set, STEP, b) ||
                         (y->kind == GRF_FENCE && bits_has(&p->set, BEHIND, b))))
            bits_set(&p->edges, a, b);
    }
    if (is_fence)
        psc_of_fence(g, p, a);
}

static bool psc_acyclic(grf_scratch *scratch, uint32_t n)
{
    grf_edge_vec_clear(&scratch->edges);
    for (uint32_t a = 0; a < n; a++)
        for (uint32_t b = 0; b < n; b++)
            if (bits_has(&scratch->psc.edges, a, b))
                grf_edge_vec_push(&scratch->edges, (grf_edge){a, b});
    return grf_acyclic(scratch, n);
}

static bool sc_holds(grf_scratch *scratch, const grf *g)
{
    uint32_t n = (uint32_t)g->events.len;
    grf_psc *p = &scratch->psc;
    bits_init(&p->happens, n, n);
    bits_init(&p->away, n, n);
    bits_init(&p->scb, n, n);
    bits_init(&p->eco, n, n);
    bits_init(&p->edges, n, n);
    for (uint32_t a = 0; a < n; a++)
        for (uint32_t b = 0; b < n; b++)
            relate(scratch, p, a, b);
    scb_around(p, n);
    for (uint32_t a = 0; a < n; a++)
        if (is_sc(&g->events.at[a]))
            psc_from(g, p, a);
    return psc_acyclic(scratch, n);
}

/* ---- seq_cst events alone ---- */

/* Adds program order between neighbours, which is in psc. Returns how many events are not of the library:
 * among the others alone there is no cycle. */
static uint32_t edges_of_threads(const grf *g, grf_scratch *scratch)
{
    uint32_t n_sc = 0;
    grf_u32_vec *lasts = &scratch->waits; /* by thread: its last event, + 1 */
    grf_u32_vec_reserve(lasts, g->n_threads + 1);
    memset(lasts->at, 0, g->n_threads * sizeof(uint32_t));
    for (uint32_t i = 0; i < g->events.len; i++) {
        const grf_event *e = &g->events.at[i];
        if (!is_sc(e))
            continue;
        n_sc += !e->is_sync;
        if (lasts->at[e->thread] > 0)
            grf_edge_vec_push(&scratch->edges, (grf_edge){lasts->at[e->thread] - 1, i});
        lasts->at[e->thread] = i + 1;
    }
    return n_sc;
}

/* The next seq_cst write behind that rank; GRF_NONE. */
static uint32_t sc_write_behind(const grf *g, const grf_writes *w, uint32_t location,
                                uint32_t rank)
{
    uint32_t last = grf_writes_last(w, location);
    while (++rank <= last) {
        uint32_t i = grf_writes_at(w, location, rank);
        if (is_sc(&g->events.at[i]))
            return i;
    }
    return GRF_NONE;
}

/* Adds rf, mo and from-read, which are in psc, too. */
static void edges_of_locations(const grf *g, grf_scratch *scratch)
{
    for (uint32_t i = 0; i < g->events.len; i++) {
        const grf_event *e = &g->events.at[i];
        if (!is_sc(e) || !grf_is_access(e) || e->is_stuck)
            continue;
        uint32_t rank = scratch->places.at[i] / 2;
        uint32_t next = sc_write_behind(g, &scratch->writes, e->location, rank);
        if (next != GRF_NONE)
            grf_edge_vec_push(&scratch->edges, (grf_edge){i, next});
        bool reads = e->kind == GRF_READ && e->from != GRF_INIT;
        if (reads && is_sc(&g->events.at[e->from]))
            grf_edge_vec_push(&scratch->edges, (grf_edge){e->from, i});
    }
}

bool grf_rc11(const grf *g, grf_news news, grf_scratch *scratch)
{
    if (grf_sc(g, scratch))
        return true;
    if (!grf_hb_of(g, &scratch->writes, scratch))
        return false;
    find_places(g, &scratch->places);
    TD_DASSERT(scratch->places.len == g->events.len);
    if (!is_coherent(&scratch->hb, news, &scratch->places))
        return false;
    grf_edge_vec_clear(&scratch->edges);
    if (edges_of_threads(g, scratch) < 2)
        return true;
    edges_of_locations(g, scratch);
    return grf_acyclic(scratch, (uint32_t)g->events.len) && sc_holds(scratch, g);
}
