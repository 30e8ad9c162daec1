/* SPDX-License-Identifier: Apache-2.0 */
/* RC11, the repaired model of C11 (Lahav et al., PLDI 2017): coherence, atomicity, psc, and no cycle
 * of program order and reads-from.
 *
 * Happens-before is kept as a clock for each event: how many events of each thread are before
 * it, itself among them. A write also has what those learn that acquire it, by its release
 * sequence; a thread has what its relaxed reads have seen, for an acquire fence. */
#include "graph/graph_int.h"

#include "base/assert.h"

typedef struct hb {
    const grf *g;
    uint32_t n, n_threads;
    grf_u32_vec nth;      /* of events: which of its thread, from 1 */
    grf_u32_vec clocks;   /* n rows of n_threads */
    grf_u32_vec messages; /* likewise, of writes */
    grf_u32_vec seen;     /* a row for each thread */
    grf_u32_vec released; /* likewise: the last release fence */
    grf_u32_vec order;    /* events, as they can be executed */
} hb;

static bool acquires(uint8_t order)
{
    return order == __ATOMIC_ACQUIRE || order == __ATOMIC_CONSUME ||
           order == __ATOMIC_ACQ_REL || order == __ATOMIC_SEQ_CST;
}

static bool releases(uint8_t order)
{
    return order == __ATOMIC_RELEASE || order == __ATOMIC_ACQ_REL ||
           order == __ATOMIC_SEQ_CST;
}

static uint32_t *row(const hb *h, const grf_u32_vec *rows, uint32_t i)
{
    return rows->at + (size_t)i * h->n_threads;
}

static void join(const hb *h, uint32_t *to, const uint32_t *from)
{
    for (uint32_t t = 0; t < h->n_threads; t++)
        to[t] = to[t] > from[t] ? to[t] : from[t];
}

static void rows_init(const hb *h, grf_u32_vec *rows, uint32_t n)
{
    size_t len = (size_t)n * h->n_threads;
    grf_u32_vec_reserve(rows, len + 1);
    memset(rows->at, 0, len * sizeof(uint32_t));
    rows->len = len;
}

static bool happens_before(const hb *h, uint32_t a, uint32_t b)
{
    return a != b && row(h, &h->clocks, b)[h->g->events.at[a].thread] >= h->nth.at[a];
}

/* An earlier release of the same thread to the location goes on with its later writes. */
static void own_sequence(hb *h, uint32_t i)
{
    const grf_event *e = &h->g->events.at[i];
    for (uint32_t j = e->before; j != GRF_NONE; j = h->g->events.at[j].before) {
        const grf_event *other = &h->g->events.at[j];
        if (other->thread != e->thread)
            return;
        if (other->kind == GRF_WRITE && other->location == e->location &&
            releases(other->order)) {
            join(h, row(h, &h->messages, i), row(h, &h->clocks, j));
            return;
        }
    }
}

static void read_event(hb *h, uint32_t i)
{
    const grf_event *e = &h->g->events.at[i];
    if (e->from == GRF_INIT || e->is_stuck)
        return;
    const uint32_t *message = row(h, &h->messages, e->from);
    join(h, acquires(e->order) ? row(h, &h->clocks, i) : row(h, &h->seen, e->thread),
         message);
}

static void write_event(hb *h, uint32_t i)
{
    const grf_event *e = &h->g->events.at[i];
    uint32_t *message = row(h, &h->messages, i);
    join(h, message,
         releases(e->order) ? row(h, &h->clocks, i) : row(h, &h->released, e->thread));
    if (!releases(e->order))
        own_sequence(h, i);
    if (!e->is_update)
        return;
    const grf_event *read = &h->g->events.at[e->before];
    if (read->from != GRF_INIT)
        join(h, message, row(h, &h->messages, read->from));
}

static void fence_event(hb *h, uint32_t i)
{
    const grf_event *e = &h->g->events.at[i];
    uint32_t *clock = row(h, &h->clocks, i);
    if (acquires(e->order))
        join(h, clock, row(h, &h->seen, e->thread));
    if (releases(e->order))
        memcpy(row(h, &h->released, e->thread), clock, h->n_threads * sizeof(uint32_t));
}

/* In an order of execution, so that what an event depends on is there. */
static void event_clock(hb *h, uint32_t i)
{
    const grf_event *e = &h->g->events.at[i];
    uint32_t *clock = row(h, &h->clocks, i);
    if (e->before != GRF_NONE)
        join(h, clock, row(h, &h->clocks, e->before));
    clock[e->thread] = h->nth.at[i];
    if (e->kind == GRF_OTHER && e->from != GRF_NONE)
        join(h, clock, row(h, &h->clocks, e->from));
    if (e->kind == GRF_READ)
        read_event(h, i);
    else if (e->kind == GRF_WRITE)
        write_event(h, i);
    else if (e->kind == GRF_FENCE)
        fence_event(h, i);
}

static bool hb_init(hb *h, const grf *g)
{
    *h = (hb){.g = g, .n = (uint32_t)g->events.len, .n_threads = g->n_threads};
    if (!grf_execution(g, GRF_NONE, &h->order))
        return false;
    grf_u32_vec counts = {0};
    rows_init(h, &counts, 1);
    for (uint32_t i = 0; i < h->n; i++)
        grf_u32_vec_push(&h->nth, ++counts.at[g->events.at[i].thread]);
    grf_u32_vec_fini(&counts);
    rows_init(h, &h->clocks, h->n);
    rows_init(h, &h->messages, h->n);
    rows_init(h, &h->seen, h->n_threads);
    rows_init(h, &h->released, h->n_threads);
    for (uint32_t i = 0; i < h->n; i++)
        event_clock(h, h->order.at[i]);
    return true;
}

static void hb_fini(hb *h)
{
    grf_u32_vec_fini(&h->nth);
    grf_u32_vec_fini(&h->clocks);
    grf_u32_vec_fini(&h->messages);
    grf_u32_vec_fini(&h->seen);
    grf_u32_vec_fini(&h->released);
    grf_u32_vec_fini(&h->order);
}

static bool same_location(const grf_event *a, const grf_event *b)
{
    return grf_is_access(a) && grf_is_access(b) && a->location == b->location;
}

/* What happens before is not behind in rf, mo and from-read. */
static bool is_coherent(const hb *h)
{
    for (uint32_t b = 0; b < h->n; b++) {
        const grf_event *y = &h->g->events.at[b];
        if (!grf_is_access(y) || y->is_stuck)
            continue;
        uint32_t place = grf_place(h->g, y);
        for (uint32_t a = 0; a < h->n; a++) {
            const grf_event *x = &h->g->events.at[a];
            if (same_location(x, y) && !x->is_stuck && grf_place(h->g, x) > place &&
                happens_before(h, a, b))
                return false;
        }
    }
    return true;
}

/* ---- psc ---- */

/* Relations as rows of bits. */
typedef struct bits {
    uint32_t words;
    grf_u64_vec at;
} bits;

static uint64_t *bits_row(const bits *b, uint32_t i)
{
    return b->at.at + (size_t)i * b->words;
}

static void bits_init(bits *b, uint32_t rows, uint32_t columns)
{
    b->words = columns / 64 + 1;
    size_t len = (size_t)rows * b->words;
    grf_u64_vec_reserve(&b->at, len + 1);
    memset(b->at.at, 0, len * sizeof(uint64_t));
    b->at.len = len;
}

static void bits_set(bits *b, uint32_t i, uint32_t j)
{
    bits_row(b, i)[j / 64] |= UINT64_C(1) << (j % 64);
}

static bool bits_has(const bits *b, uint32_t i, uint32_t j)
{
    return bits_row(b, i)[j / 64] >> (j % 64) & 1;
}

/* to |= union of the rows of b that from names. */
static void bits_follow(const bits *b, const uint64_t *from, uint64_t *to)
{
    for (uint32_t w = 0; w < b->words; w++)
        for (uint64_t left = from[w]; left; left &= left - 1) {
            const uint64_t *r = bits_row(b, w * 64 + (uint32_t)__builtin_ctzll(left));
            for (uint32_t k = 0; k < b->words; k++)
                to[k] |= r[k];
        }
}

typedef struct psc {
    const hb *h;
    bits happens; /* hb */
    bits away;    /* program order to another location, or to no access */
    bits scb;
    bits eco;
    bits edges; /* psc, among seq_cst events */
} psc;

static bool is_sc(const grf_event *e)
{
    return e->order == __ATOMIC_SEQ_CST && e->kind != GRF_OTHER && !e->is_sync;
}

static void relations(psc *p)
{
    const hb *h = p->h;
    for (uint32_t a = 0; a < h->n; a++)
        for (uint32_t b = 0; b < h->n; b++) {
            const grf_event *x = &h->g->events.at[a], *y = &h->g->events.at[b];
            bool is_same = same_location(x, y);
            bool is_before = happens_before(h, a, b);
            bool is_own = is_before && x->thread == y->thread;
            if (is_before)
                bits_set(&p->happens, a, b);
            if (is_own && !is_same)
                bits_set(&p->away, a, b);
            uint32_t from = is_same ? grf_place(h->g, x) : 0;
            uint32_t to = is_same ? grf_place(h->g, y) : 0;
            if (is_same && a != b && from < to)
                bits_set(&p->eco, a, b);
            bool is_ordered = is_same && a != b && from < to && y->kind == GRF_WRITE;
            if (is_own || (is_same && is_before) || is_ordered)
                bits_set(&p->scb, a, b);
        }
}

/* scb has also: away, happens-before, away. */
static void scb_around(psc *p)
{
    uint32_t words = p->scb.words;
    bits hops = {0};
    bits_init(&hops, 2, p->h->n);
    for (uint32_t a = 0; a < p->h->n; a++) {
        memset(hops.at.at, 0, hops.at.len * sizeof(uint64_t));
        bits_follow(&p->happens, bits_row(&p->away, a), bits_row(&hops, 0));
        bits_follow(&p->away, bits_row(&hops, 0), bits_row(&hops, 1));
        for (uint32_t k = 0; k < words; k++)
            bits_row(&p->scb, a)[k] |= bits_row(&hops, 1)[k];
    }
    grf_u64_vec_fini(&hops.at);
}

/* All b with psc from a, not only seq_cst ones. */
static void psc_from(psc *p, uint32_t a)
{
    const hb *h = p->h;
    bool is_fence = h->g->events.at[a].kind == GRF_FENCE;
    bits set = {0};
    enum { START, STEP, BEHIND, N_SETS };
    bits_init(&set, N_SETS, h->n);
    uint64_t *start = bits_row(&set, START), *step = bits_row(&set, STEP);
    bits_set(&set, START, a);
    if (is_fence)
        for (uint32_t k = 0; k < set.words; k++)
            start[k] |= bits_row(&p->happens, a)[k];
    bits_follow(&p->scb, start, step);
    bits_follow(&p->happens, step, bits_row(&set, BEHIND));
    for (uint32_t b = 0; b < h->n; b++) {
        const grf_event *y = &h->g->events.at[b];
        if (is_sc(y) && (bits_has(&set, STEP, b) ||
                         (y->kind == GRF_FENCE && bits_has(&set, BEHIND, b))))
            bits_set(&p->edges, a, b);
    }
    if (is_fence) { /* psc of fences: hb, or hb, eco, hb */
        memset(step, 0, set.words * sizeof(uint64_t));
        memset(bits_row(&set, BEHIND), 0, set.words * sizeof(uint64_t));
        bits_follow(&p->eco, bits_row(&p->happens, a), step);
        bits_follow(&p->happens, step, bits_row(&set, BEHIND));
        for (uint32_t b = 0; b < h->n; b++) {
            const grf_event *y = &h->g->events.at[b];
            if (is_sc(y) && y->kind == GRF_FENCE &&
                (bits_has(&p->happens, a, b) || bits_has(&set, BEHIND, b)))
                bits_set(&p->edges, a, b);
        }
    }
    grf_u64_vec_fini(&set.at);
}

static bool psc_acyclic(const psc *p)
{
    grf_edge_vec edges = {0};
    bool is = true;
    for (uint32_t a = 0; a < p->h->n; a++)
        for (uint32_t b = 0; b < p->h->n; b++)
            if (bits_has(&p->edges, a, b)) {
                is &= a != b;
                grf_edge_vec_push(&edges, (grf_edge){a, b});
            }
    is = is && grf_acyclic(p->h->n, &edges);
    grf_edge_vec_fini(&edges);
    return is;
}

static bool sc_holds(const hb *h)
{
    uint32_t n_sc = 0;
    for (uint32_t i = 0; i < h->n; i++)
        n_sc += is_sc(&h->g->events.at[i]);
    if (n_sc < 2)
        return true;
    psc p = {.h = h};
    bits_init(&p.happens, h->n, h->n);
    bits_init(&p.away, h->n, h->n);
    bits_init(&p.scb, h->n, h->n);
    bits_init(&p.eco, h->n, h->n);
    bits_init(&p.edges, h->n, h->n);
    relations(&p);
    scb_around(&p);
    for (uint32_t a = 0; a < h->n; a++)
        if (is_sc(&h->g->events.at[a]))
            psc_from(&p, a);
    bool is = psc_acyclic(&p);
    grf_u64_vec_fini(&p.happens.at);
    grf_u64_vec_fini(&p.away.at);
    grf_u64_vec_fini(&p.scb.at);
    grf_u64_vec_fini(&p.eco.at);
    grf_u64_vec_fini(&p.edges.at);
    return is;
}

bool grf_rc11(const grf *g, const grf_writes *w)
{
    (void)w;
    hb h;
    bool is = hb_init(&h, g) && is_coherent(&h) && sc_holds(&h);
    hb_fini(&h);
    return is;
}
