/* SPDX-License-Identifier: Apache-2.0 */
/* Unit tests of graph/: small random programs, in each model, against a search that tries
 * everything and axioms that are written a second time here, straight from their definitions. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/id.h"
#include "base/rng.h"
#include "graph/graph.h"

/* ---- programs ---- */

enum { MAX_THREADS = 4, MAX_INSTR = 8, MAX_EVENTS = 56, N_PLACES = 5 };
enum { OTHER_MUTEX = 2, MUTEX = 3, N_MUTEXES = 3 };
enum { N_INPUTS = 4 }; /* values of the input of a program */

typedef enum instr_kind {
    LOAD,
    STORE,
    ADD,
    CAS,
    FENCE,
    LOCK,
    UNLOCK,
    TRYLOCK,
    DECIDE /* at once, by the input: bit number input of value, the other way if adds and the last read was odd */
} instr_kind;

typedef struct instr {
    instr_kind kind;
    uint32_t place;
    uint8_t order;
    uint8_t fails; /* order of a compare-exchange that fails */
    uint64_t value;
    bool adds;    /* what its thread read last is added to value */
    bool is_cond; /* done only if its thread read 0 last */
    bool
        by_input; /* of a store or what a compare-exchange expects: one more if the input is odd */
    bool if_side; /* done only if its thread decided 1 last */
} instr;

typedef struct program {
    uint32_t n_threads;
    uint32_t n[MAX_THREADS];
    instr at[MAX_THREADS][MAX_INSTR];
    bool has_inputs;
} program;

/* Where a thread is. */
typedef struct where {
    uint32_t next;
    uint64_t last; /* what it read */
    bool is_other; /* it decided 0 */
} where;

static const instr *next_of(const program *p, uint32_t t, where *at)
{
    while (at->next < p->n[t]) {
        const instr *i = &p->at[t][at->next];
        if ((!i->is_cond || at->last == 0) && !(i->if_side && at->is_other))
            return i;
        at->next++;
    }
    return NULL;
}

static uint64_t value_of(const instr *i, const where *at, uint32_t input)
{
    return i->value + (i->adds ? at->last : 0) + (i->by_input ? input & 1 : 0);
}

static uint64_t side_of(const instr *i, uint64_t last, uint32_t input)
{
    return (i->value >> input & 1) ^ (i->adds ? last & 1 : 0);
}

/* ---- runs, as the program would make them ---- */

/* The read, or the only event, of an instruction; from and rank are for the caller. */
static grf_event event_of(const instr *i, const where *at, uint32_t thread,
                          uint32_t input)
{
    grf_event e = {.kind = GRF_READ,
                   .order = i->order,
                   .size = 8,
                   .thread = thread,
                   .op = at->next,
                   .before = GRF_NONE,
                   .from = GRF_NONE,
                   .location = i->place,
                   .drains = i->order == __ATOMIC_SEQ_CST};
    switch (i->kind) {
    case LOAD:
        e.drains = false;
        break;
    case STORE:
        e.kind = GRF_WRITE;
        e.value = value_of(i, at, input);
        break;
    case ADD:
        e.updates = GRF_ALWAYS;
        e.rmw = 1; /* WIRE_RMW_ADD */
        e.operand = value_of(i, at, 0);
        e.drains = true;
        break;
    case CAS:
        e.updates = GRF_IF_EQUAL;
        e.operand = i->value + (i->by_input ? input & 1 : 0);
        e.desired = i->value + 1;
        e.order = i->fails; /* until it is known to succeed */
        e.otherwise = i->order;
        e.drains = true;
        break;
    case FENCE:
        e.kind = GRF_FENCE;
        break;
    case LOCK:
    case UNLOCK:
        e.updates = GRF_ALWAYS;
        e.is_sync = e.drains = true;
        e.waits_if = i->kind == LOCK ? 1 << GRF_CLOSED : 0;
        e.leaves = i->kind == LOCK ? GRF_CLOSED : GRF_OPEN;
        break;
    case TRYLOCK:
        e.updates = GRF_IF_OPEN;
        e.leaves = GRF_CLOSED;
        e.fails_if = 1 << GRF_CLOSED;
        e.is_sync = e.drains = true;
        break;
    case DECIDE:
        e.kind = GRF_DECIDE;
        e.drains = false;
        e.value = side_of(i, at->last, input);
        break;
    }
    if (e.is_sync) {
        e.acquires =
            i->order == __ATOMIC_ACQUIRE || i->order >= __ATOMIC_ACQ_REL ? GRF_ALL : 0;
        e.releases = i->order >= __ATOMIC_RELEASE ? GRF_ALL : 0;
    }
    return e;
}

/* ---- what a graph would be with another input, as far as nothing turns out otherwise ---- */

static uint64_t read_under(const program *p, const grf *g, const grf_event *e,
                           uint32_t input);

/* What the thread of an event has read before it. */
static uint64_t last_under(const program *p, const grf *g, uint32_t before,
                           uint32_t input)
{
    for (uint32_t i = before; i != GRF_NONE; i = g->events.at[i].before)
        if (g->events.at[i].kind == GRF_READ && !g->events.at[i].is_sync)
            return read_under(p, g, &g->events.at[i], input);
    return 0;
}

static uint64_t written_under(const program *p, const grf *g, uint32_t i, uint32_t input)
{
    const grf_event *w = &g->events.at[i];
    const instr *in = &p->at[w->thread][w->op];
    uint32_t before = w->is_update ? g->events.at[w->before].before : w->before;
    where at = {.last = in->adds ? last_under(p, g, before, input) : 0};
    if (in->kind == STORE)
        return value_of(in, &at, input);
    if (in->kind == CAS)
        return in->value + 1;
    if (in->kind == ADD)
        return read_under(p, g, &g->events.at[w->before], input) + value_of(in, &at, 0);
    return 0;
}

static uint64_t read_under(const program *p, const grf *g, const grf_event *e,
                           uint32_t input)
{
    return e->from == GRF_INIT ? 0 : written_under(p, g, e->from, input);
}

/* Inputs with which an event that is asked turns out as 1, a bit each. */
static uint32_t ones_of(const program *p, const grf *g, const grf_event *e)
{
    const instr *in = &p->at[e->thread][e->op];
    uint32_t ones = 0;
    for (uint32_t input = 0; input < N_INPUTS; input++) {
        bool is =
            in->kind == CAS
                ? read_under(p, g, e, input) == in->value + (in->by_input ? input & 1 : 0)
                : side_of(in, last_under(p, g, e->before, input), input);
        ones |= (uint32_t)is << input;
    }
    return ones;
}

enum { ALL_INPUTS = (1 << N_INPUTS) - 1 };

static uint32_t asked_of(const program *p, const grf *g, const grf_event *e)
{
    uint32_t ones = ones_of(p, g, e);
    bool is_open = e->kind == GRF_DECIDE || (ones != 0 && ones != ALL_INPUTS);
    return is_open ? ones + 1 : 0;
}

/* Inputs with which it turns out as it does. */
static uint32_t inputs_of(const grf_event *e)
{
    uint64_t side = e->kind == GRF_DECIDE ? e->value : e->is_update;
    if (e->asked == 0)
        return ALL_INPUTS;
    return side ? e->asked - 1 : ALL_INPUTS & ~(e->asked - 1);
}

static uint32_t inputs_of_all(const grf *g)
{
    uint32_t inputs = ALL_INPUTS;
    for (size_t i = 0; i < g->events.len; i++)
        inputs &= inputs_of(&g->events.at[i]);
    return inputs;
}

typedef struct machine {
    const program *p;
    grf *g; /* grows */
    where at[MAX_THREADS];
    uint32_t last[MAX_THREADS]; /* event of the thread, GRF_NONE */
    bool stays[MAX_THREADS];    /* stuck */
    uint32_t input;
} machine;

static uint32_t last_write(const grf *g, uint32_t location)
{
    return grf_write_at(g, location, grf_last_rank(g, location));
}

/* Whether the instruction can be done with what it reads. */
static bool can_read(const grf *g, const grf_event *e)
{
    bool is_closed = e->from != GRF_INIT && g->events.at[e->from].leaves == GRF_CLOSED;
    return !(e->waits_if && is_closed);
}

/* What the thread decides before it does anything else. */
static void decide(machine *m, uint32_t t)
{
    const instr *i;
    while ((i = next_of(m->p, t, &m->at[t])) && i->kind == DECIDE && !m->stays[t]) {
        grf_event e = event_of(i, &m->at[t], t, m->input);
        e.before = m->last[t];
        e.asked = asked_of(m->p, m->g, &e);
        m->last[t] = grf_add(m->g, e);
        m->at[t].is_other = e.value == 0;
        m->at[t].next++;
    }
}

/* Does the next instruction of a thread at the end of mo; false: it cannot. */
static bool step(machine *m, uint32_t t)
{
    const instr *i = next_of(m->p, t, &m->at[t]);
    if (!i || m->stays[t])
        return false;
    grf_event e = event_of(i, &m->at[t], t, m->input);
    e.before = m->last[t];
    if (e.kind == GRF_READ) {
        e.from = last_write(m->g, e.location);
        if (!can_read(m->g, &e))
            return false;
        grf_turn(&e, grf_will_update(m->g, &e));
        e.asked = i->kind == CAS ? asked_of(m->p, m->g, &e) : 0;
    }
    if (e.kind == GRF_WRITE)
        e.rank = grf_last_rank(m->g, e.location) + 1;
    m->last[t] = grf_add(m->g, e);
    if (e.kind == GRF_READ && !e.is_sync)
        m->at[t].last = grf_value_of(m->g, &e);
    if (e.is_update) {
        grf_event w = e;
        w.kind = GRF_WRITE;
        w.value = grf_written(m->g, &e);
        w.rank = grf_from_rank(m->g, &e) + 1;
        w.before = m->last[t];
        w.from = GRF_NONE;
        w.asked = 0;
        m->last[t] = grf_add(m->g, w);
    }
    m->at[t].next++;
    decide(m, t);
    return true;
}

/* A thread that waits at the end has read that it has to. */
static void add_stuck(machine *m, uint32_t t)
{
    const instr *i = next_of(m->p, t, &m->at[t]);
    if (!i || m->stays[t])
        return;
    grf_event e = event_of(i, &m->at[t], t, m->input);
    assert_true(e.waits_if);
    e.before = m->last[t];
    e.from = last_write(m->g, e.location);
    e.is_stuck = true;
    grf_add(m->g, e);
}

static int find(const grf *g, uint32_t thread, uint32_t op, uint8_t kind)
{
    for (size_t i = 0; i < g->events.len; i++)
        if (g->events.at[i].thread == thread && g->events.at[i].op == op &&
            g->events.at[i].kind == kind)
            return (int)i;
    return -1;
}

/* A graph to run, with an input that leads there. */
typedef struct job {
    grf g;
    uint32_t input;
    uint32_t due, fresh; /* for grf_alternatives */
} job;

/* The events of a job with its input. False: a thread does not go that way. */
static bool under_input(const program *p, const job *j, grf *g)
{
    for (uint32_t i = 0; i < g->events.len; i++) {
        grf_event *e = &g->events.at[i];
        const instr *in = &p->at[e->thread][e->op];
        if (e->kind == GRF_WRITE)
            e->value = written_under(p, g, i, j->input);
        if (e->kind == GRF_DECIDE)
            e->asked = asked_of(p, g, e);
        if (e->kind == GRF_READ && in->kind == CAS && !e->is_stuck) {
            e->operand = in->value + (in->by_input ? j->input & 1 : 0);
            if (i == j->fresh)
                grf_turn(e, ones_of(p, g, e) >> j->input & 1);
            e->asked = asked_of(p, g, e);
        }
        if (e->kind == GRF_READ && in->kind == ADD)
            e->operand =
                in->value + (in->adds ? last_under(p, g, e->before, j->input) : 0);
        if (!(inputs_of(e) >> j->input & 1))
            return false;
    }
    return true;
}

/* Makes the run of a job: where threads are after its events, the writes of open updates, and
 * then the first thread that can continue. False: the run cannot follow it. */
static bool run_of(const program *p, const job *j, grf *g)
{
    machine m = {.p = p, .g = g, .input = j->input};
    grf_copy(g, &j->g);
    g->is_by_inputs = p->has_inputs;
    assert_true(under_input(p, j, g));
    grf_u32_vec order = {0};
    assert_true(grf_execution(g, GRF_NONE, &order));
    for (uint32_t t = 0; t < p->n_threads; t++)
        m.last[t] = GRF_NONE;
    grf_u32_vec open = {0};
    uint32_t n_kept = (uint32_t)g->events.len;
    bool is = true;
    for (uint32_t i = 0; i < n_kept && is; i++) {
        const grf_event *e = &g->events.at[i];
        const instr *in = next_of(p, e->thread, &m.at[e->thread]);
        m.last[e->thread] = i;
        if (e->kind == GRF_WRITE && e->is_update)
            continue;
        is = in && m.at[e->thread].next == e->op;
        if (e->is_stuck) {
            m.stays[e->thread] = true;
            continue;
        }
        is &= e->kind != GRF_READ || can_read(g, e);
        if (e->kind == GRF_READ && !e->is_sync)
            m.at[e->thread].last = grf_value_of(g, e);
        if (e->kind == GRF_DECIDE)
            m.at[e->thread].is_other = e->value == 0;
        if (e->is_update && find(&j->g, e->thread, e->op, GRF_WRITE) < 0)
            grf_u32_vec_push(&open, i);
        m.at[e->thread].next++;
    }
    grf_u32_vec_fini(&order);
    if (is && n_kept > 0 && !g->events.at[n_kept - 1].is_update)
        decide(&m, g->events.at[n_kept - 1].thread);
    for (size_t i = 0; i < open.len && is; i++) {
        grf_event w = g->events.at[open.at[i]];
        w.kind = GRF_WRITE;
        w.value = grf_written(g, &g->events.at[open.at[i]]);
        w.rank = grf_from_rank(g, &g->events.at[open.at[i]]) + 1;
        w.before = open.at[i];
        w.from = GRF_NONE;
        w.asked = 0;
        m.last[w.thread] = grf_add(g, w);
        decide(&m, w.thread);
    }
    grf_u32_vec_fini(&open);
    for (uint32_t t = 0; t < p->n_threads && is; t++)
        decide(&m, t);
    for (bool goes_on = is; goes_on;) {
        goes_on = false;
        for (uint32_t t = 0; t < p->n_threads && !goes_on; t++)
            goes_on = step(&m, t);
    }
    for (uint32_t t = 0; t < p->n_threads && is; t++)
        add_stuck(&m, t);
    return is;
}

/* ---- names of graphs ---- */

typedef struct name_part {
    uint32_t thread, op, kind, from_thread, from_op, rank;
} name_part;

static int by_place(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(uint32_t) * 3);
}

static td_id name_of(const grf *g)
{
    name_part parts[MAX_EVENTS];
    assert_true(g->events.len <= MAX_EVENTS);
    for (size_t i = 0; i < g->events.len; i++) {
        const grf_event *e = &g->events.at[i];
        const grf_event *from =
            e->kind == GRF_READ && e->from != GRF_INIT ? &g->events.at[e->from] : NULL;
        parts[i] = (name_part){e->thread,
                               e->op,
                               e->kind,
                               from ? from->thread + 1 : 0,
                               from ? from->op : 0,
                               e->kind == GRF_WRITE    ? e->rank
                               : e->kind == GRF_DECIDE ? (uint32_t)e->value
                                                       : 0};
    }
    qsort(parts, g->events.len, sizeof parts[0], by_place);
    return td_id_hash(parts, g->events.len * sizeof parts[0]);
}

/* True if a thread that is not at its end waits only because it is made to. */
static bool is_blocked(const grf *g)
{
    for (size_t i = 0; i < g->events.len; i++) {
        const grf_event *e = &g->events.at[i];
        if (e->is_stuck && last_write(g, e->location) != e->from)
            return true;
    }
    return false;
}

/* A graph without its stuck reads. */
static td_id name_without_stuck(const grf *g)
{
    grf less = {0};
    for (size_t i = 0; i < g->events.len; i++)
        assert_true(g->events.at[i].from == GRF_NONE ||
                    g->events.at[i].from == GRF_INIT ||
                    !g->events.at[g->events.at[i].from].is_stuck);
    grf_copy(&less, g);
    size_t n = 0;
    uint32_t numbers[MAX_EVENTS];
    for (size_t i = 0; i < g->events.len; i++) {
        numbers[i] = (uint32_t)n;
        if (!g->events.at[i].is_stuck)
            less.events.at[n++] = g->events.at[i];
    }
    less.events.len = n;
    for (size_t i = 0; i < n; i++)
        if (less.events.at[i].kind == GRF_READ && less.events.at[i].from != GRF_INIT)
            less.events.at[i].from = numbers[less.events.at[i].from];
    td_id id = name_of(&less);
    grf_fini(&less);
    return id;
}

/* ---- the search ---- */

TD_VEC(job, job_vec);

typedef struct search {
    grf_model model;
    job_vec jobs;
    td_id_set found;
    uint64_t n_whole, n_blocked, n_repeated, n_wrong, n_lost;
    uint32_t input; /* of the run */
} search;

static void add_job(search *s, const grf *g, uint32_t inputs, uint32_t due,
                    uint32_t fresh)
{
    if (inputs == 0)
        return;
    job j = {.due = due, .fresh = fresh, .input = (uint32_t)__builtin_ctz(inputs)};
    grf_copy(&j.g, g);
    job_vec_push(&s->jobs, j);
}

static void keep_job(void *ctx, const grf_next *next)
{
    search *s = ctx;
    uint32_t late =
        next->reader != GRF_NONE ? next->reader : (uint32_t)next->g->events.len - 1;
    uint32_t inputs = next->is_turned ? inputs_of_all(next->g) : 1u << s->input;
    add_job(s, next->g, inputs, GRF_NONE,
            next->g->events.at[late].asked == 0 ? late : GRF_NONE);
}

static void on_decided(void *ctx, const grf *g, uint32_t due)
{
    grf other = {0};
    grf_copy(&other, g);
    other.events.at[other.events.len - 1].value ^= 1;
    add_job(ctx, &other, inputs_of_all(&other), due, GRF_NONE);
    grf_fini(&other);
}

static bool is_first(void *ctx, const grf_event *e, const grf_event *const *others,
                     size_t n)
{
    (void)ctx;
    bool is_one = e->kind == GRF_DECIDE ? e->value == 1 : e->is_update;
    uint32_t inputs = ALL_INPUTS & ~(e->asked - 1);
    for (size_t i = 0; i < n; i++)
        inputs &= inputs_of(others[i]);
    return !is_one || inputs == 0;
}

static void on_lost(void *ctx)
{
    search *s = ctx;
    s->n_lost++;
}

static void explore(const program *p, grf_model model, search *s)
{
    *s = (search){.model = model};
    const grf_search how = {.model = model,
                            .found = keep_job,
                            .decided = on_decided,
                            .is_first = is_first,
                            .lost = on_lost,
                            .ctx = s};
    job first = {.g.n_threads = p->n_threads, .due = GRF_NONE, .fresh = GRF_NONE};
    for (int i = 0; i < N_PLACES; i++)
        grf_u64_vec_push(&first.g.inits, 0);
    job_vec_push(&s->jobs, first);
    while (s->jobs.len > 0) {
        job j = job_vec_pop(&s->jobs);
        grf g = {0};
        s->input = j.input;
        if (run_of(p, &j, &g)) {
            s->n_wrong += !grf_consistent(&g, model);
            if (is_blocked(&g))
                s->n_blocked++;
            else if (td_id_set_add(&s->found, name_without_stuck(&g)))
                s->n_whole++;
            else
                s->n_repeated++;
            grf_alternatives(&g, (grf_kept){(uint32_t)j.g.events.len, j.due, j.fresh},
                             &how);
        } else {
            s->n_blocked++;
        }
        grf_fini(&g);
        grf_fini(&j.g);
    }
    job_vec_fini(&s->jobs);
}

/* ---- everything, naively ---- */

typedef bool relation[MAX_EVENTS][MAX_EVENTS];

static void close_over(relation r, size_t n)
{
    for (size_t k = 0; k < n; k++)
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++)
                r[i][j] |= r[i][k] && r[k][j];
}

static bool is_acyclic(relation r, size_t n)
{
    static relation c;
    memcpy(c, r, sizeof c);
    close_over(c, n);
    for (size_t i = 0; i < n; i++)
        if (c[i][i])
            return false;
    return true;
}

/* out = a ; b, reflexive where asked. */
static void compose(relation a, bool a_too, relation b, bool b_too, relation out,
                    size_t n)
{
    static relation c;
    memset(c, 0, sizeof c);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n; k++)
            for (size_t j = 0; j < n; j++)
                c[i][j] |=
                    (a[i][k] || (a_too && i == k)) && (b[k][j] || (b_too && k == j));
    memcpy(out, c, sizeof c);
}

static struct {
    size_t n;
    relation po, rf, mo, fr, hb, eco, same;
} r;

static bool access_of(const grf_event *e)
{
    return e->kind == GRF_READ || e->kind == GRF_WRITE;
}

static void relations_of(const grf *g)
{
    memset(&r, 0, sizeof r);
    r.n = g->events.len;
    for (size_t a = 0; a < r.n; a++)
        for (size_t b = 0; b < r.n; b++) {
            const grf_event *x = &g->events.at[a], *y = &g->events.at[b];
            r.po[a][b] = x->thread == y->thread && x->kind != GRF_DECIDE &&
                         y->kind != GRF_DECIDE && /* no events of a model */
                         (x->op < y->op || (x->op == y->op && x->kind == GRF_READ &&
                                            y->kind == GRF_WRITE));
            r.same[a][b] = access_of(x) && access_of(y) && x->location == y->location;
            r.rf[a][b] = y->kind == GRF_READ && y->from == a;
            r.mo[a][b] = r.same[a][b] && x->kind == GRF_WRITE && y->kind == GRF_WRITE &&
                         x->rank < y->rank;
            r.fr[a][b] = r.same[a][b] && x->kind == GRF_READ && y->kind == GRF_WRITE &&
                         grf_from_rank(g, x) < y->rank;
            r.eco[a][b] = r.rf[a][b] || r.mo[a][b] || r.fr[a][b];
        }
    close_over(r.eco, r.n);
}

static bool rel(const grf_event *e)
{
    if (e->is_sync)
        return (e->releases & GRF_ALL) != 0;
    return e->order == __ATOMIC_RELEASE || e->order == __ATOMIC_ACQ_REL ||
           e->order == __ATOMIC_SEQ_CST;
}

static bool acq(const grf_event *e)
{
    if (e->is_sync)
        return (e->acquires & GRF_ALL) != 0;
    return e->order == __ATOMIC_ACQUIRE || e->order == __ATOMIC_ACQ_REL ||
           e->order == __ATOMIC_SEQ_CST;
}

static void synchronises(const grf *g, relation sw)
{
    static relation rs, to;
    memset(rs, 0, sizeof rs);
    for (size_t a = 0; a < r.n; a++)
        for (size_t b = 0; b < r.n; b++)
            rs[a][b] = g->events.at[a].kind == GRF_WRITE &&
                       g->events.at[b].kind == GRF_WRITE &&
                       (a == b || (r.po[a][b] && r.same[a][b]));
    for (bool grows = true; grows;) { /* rs ; rf ; rmw */
        grows = false;
        for (size_t a = 0; a < r.n; a++)
            for (size_t b = 0; b < r.n; b++)
                for (size_t c = 0; rs[a][b] && c < r.n; c++)
                    for (size_t d = 0; r.rf[b][c] && d < r.n; d++)
                        if (g->events.at[d].kind == GRF_WRITE &&
                            g->events.at[d].is_update && g->events.at[d].before == c &&
                            !rs[a][d])
                            rs[a][d] = grows = true;
    }
    compose(rs, false, r.rf, false, to, r.n);
    for (size_t a = 0; a < r.n; a++)
        for (size_t b = 0; b < r.n; b++)
            for (size_t c = 0; c < r.n; c++)
                for (size_t d = 0; to[b][c] && d < r.n; d++) {
                    const grf_event *x = &g->events.at[a], *y = &g->events.at[d];
                    /* A fence does nothing for what is done to objects of the library. */
                    bool starts = a == b || (x->kind == GRF_FENCE && r.po[a][b] &&
                                             !g->events.at[b].is_sync);
                    bool ends = c == d || (y->kind == GRF_FENCE && r.po[c][d] &&
                                           !g->events.at[c].is_sync);
                    sw[a][d] |= starts && ends && rel(x) && acq(y);
                }
}

static bool naive_sc(void)
{
    static relation all;
    for (size_t a = 0; a < r.n; a++)
        for (size_t b = 0; b < r.n; b++)
            all[a][b] = r.po[a][b] || r.eco[a][b];
    return is_acyclic(all, r.n);
}

/* A fence weaker than seq_cst is no instruction of x86. */
static bool is_nothing(const grf_event *e)
{
    return e->kind == GRF_FENCE && !e->drains;
}

static bool naive_tso(const grf *g)
{
    static relation local, all;
    for (size_t a = 0; a < r.n; a++)
        for (size_t b = 0; b < r.n; b++) {
            const grf_event *x = &g->events.at[a], *y = &g->events.at[b];
            local[a][b] = (r.po[a][b] && r.same[a][b]) || r.eco[a][b];
            bool is_kept =
                !(x->kind == GRF_WRITE && y->kind == GRF_READ) || x->drains || y->drains;
            for (size_t c = 0; c < r.n; c++)
                is_kept |= r.po[a][c] && r.po[c][b] && g->events.at[c].drains;
            is_kept &= !is_nothing(x) && !is_nothing(y);
            bool external = r.rf[a][b] && x->thread != y->thread;
            all[a][b] = (r.po[a][b] && is_kept) || external || r.mo[a][b] || r.fr[a][b];
        }
    return is_acyclic(local, r.n) && is_acyclic(all, r.n);
}

/* It has one order with all others of this sort. */
static bool is_strong(const grf_event *e)
{
    return e->is_sync ? !e->is_stuck : e->order == __ATOMIC_SEQ_CST;
}

static bool naive_psc(const grf *g)
{
    static relation away, scb, psc, left, right, around;
    for (size_t a = 0; a < r.n; a++)
        for (size_t b = 0; b < r.n; b++)
            away[a][b] = r.po[a][b] && !r.same[a][b];
    compose(away, false, r.hb, false, around, r.n);
    compose(around, false, away, false, around, r.n);
    for (size_t a = 0; a < r.n; a++)
        for (size_t b = 0; b < r.n; b++)
            scb[a][b] = r.po[a][b] || around[a][b] || (r.hb[a][b] && r.same[a][b]) ||
                        r.mo[a][b] || r.fr[a][b] ||
                        (r.rf[a][b] && g->events.at[b].is_sync);
    memset(left, 0, sizeof left);
    memset(right, 0, sizeof right);
    for (size_t a = 0; a < r.n; a++) {
        const grf_event *x = &g->events.at[a];
        if (!is_strong(x))
            continue;
        left[a][a] = right[a][a] = true;
        for (size_t b = 0; x->kind == GRF_FENCE && b < r.n; b++) {
            left[a][b] |= r.hb[a][b];
            right[b][a] |= r.hb[b][a];
        }
    }
    compose(left, false, scb, false, psc, r.n);
    compose(psc, false, right, false, psc, r.n);
    static relation fences;
    compose(r.hb, false, r.eco, false, fences, r.n);
    compose(fences, false, r.hb, false, fences, r.n);
    for (size_t a = 0; a < r.n; a++)
        for (size_t b = 0; b < r.n; b++) {
            const grf_event *x = &g->events.at[a], *y = &g->events.at[b];
            bool are = x->kind == GRF_FENCE && y->kind == GRF_FENCE &&
                       x->order == __ATOMIC_SEQ_CST && y->order == __ATOMIC_SEQ_CST;
            psc[a][b] |= are && (r.hb[a][b] || fences[a][b]);
        }
    return is_acyclic(psc, r.n);
}

static bool naive_rc11(const grf *g)
{
    static relation bad, porf;
    memset(r.hb, 0, sizeof r.hb);
    synchronises(g, r.hb);
    for (size_t a = 0; a < r.n; a++)
        for (size_t b = 0; b < r.n; b++) {
            r.hb[a][b] |= r.po[a][b];
            porf[a][b] = r.po[a][b] || r.rf[a][b];
        }
    close_over(r.hb, r.n);
    compose(r.hb, false, r.eco, true, bad, r.n);
    for (size_t a = 0; a < r.n; a++)
        if (bad[a][a])
            return false;
    return is_acyclic(porf, r.n) && naive_psc(g);
}

static bool naive_atomic(const grf *g)
{
    for (size_t a = 0; a < r.n; a++) /* no fr ; mo from a read to its own write */
        for (size_t b = 0; b < r.n; b++) {
            if (!g->events.at[b].is_update || g->events.at[b].kind != GRF_WRITE ||
                g->events.at[b].before != a)
                continue;
            if (!r.fr[a][b])
                return false;
            for (size_t c = 0; c < r.n; c++)
                if (r.fr[a][c] && r.mo[c][b])
                    return false;
        }
    return true;
}

static bool naive_consistent(const grf *g, grf_model model)
{
    relations_of(g);
    if (!naive_atomic(g))
        return false;
    return model == GRF_SC ? naive_sc() : model == GRF_TSO ? naive_tso(g) : naive_rc11(g);
}

typedef struct naive {
    const program *p;
    td_id_set seen;               /* graphs, on the way too */
    td_id_set ends[GRF_N_MODELS]; /* whole ones, by what allows them */
    uint64_t n_disagree;          /* grf_consistent says otherwise */
    bool is_large;
    uint32_t input;
} naive;

enum { MOST_SEEN = 20000 };

static void try_all(naive *s, const grf *g, const where at[MAX_THREADS],
                    const uint32_t last[MAX_THREADS]);

static void try_event(naive *s, const grf *g, const where at[MAX_THREADS],
                      const uint32_t last[MAX_THREADS], grf_event e)
{
    grf next = {0};
    where then[MAX_THREADS];
    uint32_t tail[MAX_THREADS];
    memcpy(then, at, sizeof then);
    memcpy(tail, last, sizeof tail);
    grf_copy(&next, g);
    tail[e.thread] = grf_add(&next, e);
    if (e.kind == GRF_READ && !e.is_sync)
        then[e.thread].last = grf_value_of(&next, &e);
    if (e.kind == GRF_DECIDE)
        then[e.thread].is_other = e.value == 0;
    if (e.kind == GRF_READ && grf_will_update(&next, &e)) {
        if (e.updates == GRF_IF_EQUAL)
            e.order = s->p->at[e.thread][e.op].order;
        e.is_update = true;
        next.events.at[tail[e.thread]] = e;
        grf_event w = e;
        w.kind = GRF_WRITE;
        w.is_update = true;
        w.value = grf_written(&next, &e);
        w.rank = grf_from_rank(&next, &e) + 1;
        w.before = tail[e.thread];
        w.from = GRF_NONE;
        tail[e.thread] = grf_add(&next, w);
    }
    then[e.thread].next++;
    try_all(s, &next, then, tail);
    grf_fini(&next);
}

static void try_thread(naive *s, const grf *g, where at[MAX_THREADS],
                       const uint32_t last[MAX_THREADS], uint32_t t)
{
    const instr *i = next_of(s->p, t, &at[t]);
    if (!i)
        return;
    grf_event e = event_of(i, &at[t], t, s->input);
    e.before = last[t];
    uint32_t n = grf_last_rank(g, e.location);
    if (e.kind == GRF_FENCE || e.kind == GRF_DECIDE) {
        try_event(s, g, at, last, e);
        return;
    }
    uint32_t first = e.is_sync ? n : 0;
    for (uint32_t k = first; e.kind == GRF_READ && k <= n; k++) {
        e.from = grf_write_at(g, e.location, k);
        if (can_read(g, &e))
            try_event(s, g, at, last, e);
    }
    for (uint32_t k = 1; e.kind == GRF_WRITE && k <= n + 1; k++) {
        e.rank = k;
        try_event(s, g, at, last, e);
    }
}

static void try_all(naive *s, const grf *g, const where at[MAX_THREADS],
                    const uint32_t last[MAX_THREADS])
{
    if (s->seen.len > MOST_SEEN) {
        s->is_large = true;
        return;
    }
    td_id name = name_of(g);
    if (!td_id_zero(name) && !td_id_set_add(&s->seen, name))
        return;
    where here[MAX_THREADS];
    memcpy(here, at, sizeof here);
    size_t before = s->seen.len;
    for (uint32_t t = 0; t < s->p->n_threads; t++)
        try_thread(s, g, here, last, t);
    bool is_end = true;
    for (uint32_t t = 0; t < s->p->n_threads; t++) {
        const instr *i = next_of(s->p, t, &here[t]);
        grf_event e = i ? event_of(i, &here[t], t, s->input) : (grf_event){0};
        e.from = i ? last_write(g, e.location) : GRF_INIT;
        is_end &= !i || (e.is_sync && !can_read(g, &e));
    }
    (void)before;
    for (grf_model m = 0; is_end && m < GRF_N_MODELS; m++) {
        bool is = naive_consistent(g, m);
        s->n_disagree += is != grf_consistent(g, m);
        if (is)
            td_id_set_add(&s->ends[m], name);
    }
}

static void try_program(const program *p, naive *s)
{
    *s = (naive){.p = p};
    grf first = {.n_threads = p->n_threads};
    for (int i = 0; i < N_PLACES; i++)
        grf_u64_vec_push(&first.inits, 0);
    where at[MAX_THREADS] = {{0}};
    uint32_t last[MAX_THREADS] = {GRF_NONE, GRF_NONE, GRF_NONE, GRF_NONE};
    for (s->input = 0; s->input < (p->has_inputs ? N_INPUTS : 1); s->input++) {
        td_id_set_fini(&s->seen);
        try_all(s, &first, at, last);
    }
    grf_fini(&first);
}

static void naive_fini(naive *s)
{
    td_id_set_fini(&s->seen);
    for (grf_model m = 0; m < GRF_N_MODELS; m++)
        td_id_set_fini(&s->ends[m]);
}

/* ---- random programs ---- */

static uint8_t draw_order(td_rng *rng, const uint8_t *orders, uint64_t n)
{
    return orders[td_rng_below(rng, n)];
}

static instr draw_instr(td_rng *rng, uint32_t n_places)
{
    static const uint8_t reads[] = {__ATOMIC_RELAXED, __ATOMIC_ACQUIRE, __ATOMIC_SEQ_CST};
    static const uint8_t writes[] = {__ATOMIC_RELAXED, __ATOMIC_RELEASE,
                                     __ATOMIC_SEQ_CST};
    static const uint8_t both[] = {__ATOMIC_RELAXED, __ATOMIC_ACQUIRE, __ATOMIC_RELEASE,
                                   __ATOMIC_ACQ_REL, __ATOMIC_SEQ_CST};
    instr i = {.place = (uint32_t)td_rng_below(rng, n_places),
               .value = 1 + td_rng_below(rng, 2),
               .adds = td_rng_below(rng, 4) == 0,
               .is_cond = td_rng_below(rng, 6) == 0};
    uint64_t kind = td_rng_below(rng, 12);
    if (kind < 4) {
        i.kind = LOAD;
        i.order = draw_order(rng, reads, 3);
    } else if (kind < 8) {
        i.kind = STORE;
        i.order = draw_order(rng, writes, 3);
    } else if (kind < 10) {
        i.kind = kind == 8 ? ADD : CAS;
        i.value = kind == 8 ? i.value : td_rng_below(rng, 2);
        i.order = draw_order(rng, both, 5);
        i.fails = draw_order(rng, reads, 3);
    } else {
        i.kind = FENCE;
        i.order = draw_order(rng, both + 1, 4);
    }
    return i;
}

static void draw_section(td_rng *rng, program *p, uint32_t t)
{
    bool tries = td_rng_below(rng, 4) == 0;
    if (p->n[t] + 3 > MAX_INSTR || tries) {
        if (p->n[t] < MAX_INSTR)
            p->at[t][p->n[t]++] =
                (instr){.kind = TRYLOCK, .place = MUTEX, .order = __ATOMIC_RELAXED};
        return;
    }
    bool is_nested = p->n[t] + 5 <= MAX_INSTR && td_rng_below(rng, 2) == 0;
    uint32_t outer = is_nested && td_rng_below(rng, 2) == 0 ? OTHER_MUTEX : MUTEX;
    uint32_t inner = outer == MUTEX ? OTHER_MUTEX : MUTEX;
    instr lock = {.kind = LOCK, .place = outer, .order = __ATOMIC_ACQUIRE};
    instr unlock = {.kind = UNLOCK, .place = outer, .order = __ATOMIC_RELEASE};
    p->at[t][p->n[t]++] = lock;
    lock.place = inner;
    if (is_nested)
        p->at[t][p->n[t]++] = lock;
    if (!is_nested || td_rng_below(rng, 2) == 0)
        p->at[t][p->n[t]++] = draw_instr(rng, 2);
    unlock.place = inner;
    if (is_nested)
        p->at[t][p->n[t]++] = unlock;
    unlock.place = outer;
    p->at[t][p->n[t]++] = unlock;
}

static void draw(td_rng *rng, program *p, bool locks)
{
    *p = (program){.n_threads = 2 + (uint32_t)td_rng_below(rng, 3)};
    uint32_t left = 7;
    for (uint32_t t = 0; t < p->n_threads; t++) {
        uint32_t n = 1 + (uint32_t)td_rng_below(rng, p->n_threads == 2 ? 4 : 3);
        if (locks && td_rng_below(rng, 3) > 0)
            draw_section(rng, p, t);
        while (p->n[t] < n && left > 0) {
            p->at[t][p->n[t]++] = draw_instr(rng, 2);
            left--;
        }
    }
}

/* Decisions, and values that depend on the input. What a thread does depends on nothing else then. */
static void draw_inputs(td_rng *rng, program *p)
{
    p->has_inputs = true;
    for (uint32_t t = 0; t < p->n_threads; t++) {
        program old = *p;
        p->n[t] = 0;
        for (uint32_t i = 0; i < old.n[t]; i++) {
            instr in = old.at[t][i];
            bool is_sync = in.kind >= LOCK;
            in.is_cond = false;
            in.by_input =
                (in.kind == STORE || in.kind == CAS) && td_rng_below(rng, 2) == 0;
            in.if_side = !is_sync && td_rng_below(rng, 3) == 0;
            bool decides = !is_sync && td_rng_below(rng, 3) == 0;
            if (decides && p->n[t] + (old.n[t] - i) < MAX_INSTR)
                p->at[t][p->n[t]++] = (instr){.kind = DECIDE,
                                              .order = __ATOMIC_RELAXED,
                                              .value = td_rng_below(rng, ALL_INPUTS + 1),
                                              .adds = td_rng_below(rng, 2) == 0};
            p->at[t][p->n[t]++] = in;
        }
    }
}

static void print_program(const program *p)
{
    static const char *const names[] = {"load", "store",  "add",     "cas",   "fence",
                                        "lock", "unlock", "trylock", "decide"};
    for (uint32_t t = 0; t < p->n_threads; t++)
        for (uint32_t i = 0; i < p->n[t]; i++) {
            const instr *in = &p->at[t][i];
            fprintf(stderr, "T%u %s%s%s %u order %u %u value %d%s%s\n", t,
                    in->is_cond ? "if 0: " : "", in->if_side ? "if side: " : "",
                    names[in->kind], in->place, in->order, in->fails, (int)in->value,
                    in->adds ? "+last" : "", in->by_input ? "+input" : "");
        }
}

static uint64_t n_lost, n_decided;

static uint64_t compare(const program *p, const char *what, uint64_t number)
{
    naive all;
    uint64_t n_bad = 0;
    try_program(p, &all);
    for (grf_model m = 0; m < GRF_N_MODELS && !all.is_large; m++) {
        search s;
        explore(p, m, &s);
        /* Where an outcome was not tried some may be missing, which the search says. */
        bool is = (s.n_whole == all.ends[m].len || s.n_lost > 0) && s.n_repeated == 0 &&
                  s.n_wrong == 0 && all.n_disagree == 0;
        n_lost += s.n_lost > 0;
        n_decided += p->has_inputs && all.ends[m].len > 1;
        for (size_t i = 0; i < s.found.cap; i++)
            is &= td_id_zero(s.found.slots[i]) ||
                  td_id_set_has(&all.ends[m], s.found.slots[i]);
        if (!is) {
            fprintf(stderr,
                    "%s %d, model %d: %d graphs, %d repeated, %d blocked, %d wrong; "
                    "naively %d, %d disagree\n",
                    what, (int)number, (int)m, (int)s.n_whole, (int)s.n_repeated,
                    (int)s.n_blocked, (int)s.n_wrong, (int)all.ends[m].len,
                    (int)all.n_disagree);
            print_program(p);
            n_bad++;
        }
        td_id_set_fini(&s.found);
    }
    naive_fini(&all);
    return n_bad;
}

static uint64_t count_of(const char *name, uint64_t otherwise)
{
    const char *text = getenv(name);
    return text ? strtoull(text, NULL, 10) : otherwise;
}

static void compare_many(bool locks, bool inputs)
{
    uint64_t n_bad = 0;
    td_rng rng = {count_of("TREADLE_GRAPH_SEED", 1)};
    for (uint64_t i = 0;
         i < count_of("TREADLE_GRAPH_COUNT", inputs ? 200 : 400) && n_bad < 3; i++) {
        program p;
        draw(&rng, &p, locks);
        if (inputs)
            draw_inputs(&rng, &p);
        n_bad += compare(&p, locks ? "with locks" : "atomics", i);
    }
    assert_int_equal(n_bad, 0);
}

static void test_atomics(void **state)
{
    (void)state;
    compare_many(false, false);
}

static void test_locks(void **state)
{
    (void)state;
    compare_many(true, false);
}

static void test_inputs(void **state)
{
    (void)state;
    n_lost = n_decided = 0;
    compare_many(false, true);
    compare_many(true, true);
    assert_true(n_decided > 0);
    if (n_lost * 10 > n_decided)
        fail_msg("%d of %d have outcomes that were not tried", (int)n_lost,
                 (int)n_decided);
}

/* ---- known counts ---- */

static program two(instr a, instr b, instr c, instr d)
{
    return (program){.n_threads = 2, .n = {2, 2}, .at = {{a, b}, {c, d}}};
}

static void counts_are(const program *p, uint64_t sc, uint64_t tso, uint64_t rc11)
{
    const uint64_t want[] = {sc, tso, rc11};
    for (grf_model m = 0; m < GRF_N_MODELS; m++) {
        search s;
        explore(p, m, &s);
        assert_int_equal(s.n_whole, want[m]);
        assert_int_equal(s.n_repeated, 0);
        td_id_set_fini(&s.found);
    }
}

static void test_litmus(void **state)
{
    (void)state;
    enum { RLX = __ATOMIC_RELAXED, SC = __ATOMIC_SEQ_CST };
    instr wx = {.kind = STORE, .place = 0, .order = RLX, .value = 1}, wy = wx;
    instr rx = {.kind = LOAD, .place = 0, .order = RLX}, ry = rx;
    wy.place = ry.place = 1;
    program sb = two(wx, ry, wy, rx);
    counts_are(&sb, 3, 4, 4);
    program lb = two(rx, wy, ry, wx);
    counts_are(&lb, 3, 3, 3);
    program mp = two(wx, wy, ry, rx);
    counts_are(&mp, 3, 3, 4);
    instr wx2 = wx, wy2 = wy;
    wx2.value = wy2.value = 2;
    program w22 = two(wx, wy2, wy, wx2);
    counts_are(&w22, 3, 3, 4);
    for (uint32_t t = 0; t < 2; t++)
        for (uint32_t i = 0; i < 2; i++)
            sb.at[t][i].order = w22.at[t][i].order = SC;
    counts_are(&sb, 3, 3, 3);
    counts_are(&w22, 3, 3, 3);
}

/* Store buffering with a fence between the store and the load. */
static program buffering(uint8_t order)
{
    instr wx = {.kind = STORE, .place = 0, .order = __ATOMIC_RELAXED, .value = 1},
          wy = wx;
    instr rx = {.kind = LOAD, .place = 0, .order = __ATOMIC_RELAXED}, ry = rx;
    instr f = {.kind = FENCE, .order = order};
    wy.place = ry.place = 1;
    return (program){.n_threads = 2, .n = {3, 3}, .at = {{wx, f, ry}, {wy, f, rx}}};
}

static void test_weak_fences(void **state)
{
    (void)state;
    program weak = buffering(__ATOMIC_ACQ_REL), strong = buffering(__ATOMIC_SEQ_CST);
    counts_are(&weak, 3, 4, 4);
    counts_are(&strong, 3, 3, 3);
}

/* Philosophers that may deadlock, as many rounds each. The counts are those of --goal=traces
 * (bench/peers/philo.c). */
static void dine(uint32_t rounds, uint64_t graphs)
{
    program p = {.n_threads = N_MUTEXES};
    for (uint32_t t = 0; t < N_MUTEXES; t++)
        for (uint32_t i = 0; i < 4 * rounds; i++) {
            uint32_t fork = (i % 4 == 0 || i % 4 == 3 ? t : t + 1) % N_MUTEXES;
            p.at[t][p.n[t]++] = (instr){.kind = i % 4 < 2 ? LOCK : UNLOCK,
                                        .place = OTHER_MUTEX + fork,
                                        .order = __ATOMIC_ACQ_REL};
        }
    counts_are(&p, graphs, graphs, graphs);
}

static void test_dining(void **state)
{
    (void)state;
    dine(1, 7);
    dine(2, 106);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_litmus), cmocka_unit_test(test_weak_fences),
        cmocka_unit_test(test_dining), cmocka_unit_test(test_atomics),
        cmocka_unit_test(test_locks),  cmocka_unit_test(test_inputs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
