/* SPDX-License-Identifier: Apache-2.0 */
#include "sim.h"

#include <stdio.h>

enum { VAR_ADDRESS = 0x5000, MUTEX_ADDRESS = 0x9000 };

/* ---- what comes next ---- */

static const sim_ins *pending(const sim *p, const sim_state *s, uint32_t thread)
{
    return &p->ins[thread][s->threads[thread].pc];
}

static bool is_mutex(uint8_t kind)
{
    return kind == WIRE_LOCK || kind == WIRE_UNLOCK || kind == WIRE_TRYLOCK ||
           kind == WIRE_TRYLOCK_BUSY;
}

static bool is_access(uint8_t kind)
{
    return kind >= WIRE_LOAD && kind <= WIRE_CAS_FAIL;
}

static bool is_section(uint8_t kind)
{
    return kind == WIRE_ATOMIC_BEGIN || kind == WIRE_ATOMIC_END;
}

static uint64_t address_of(const sim_ins *i)
{
    if (is_section(i->kind))
        return WIRE_OBJECT_ATOMIC;
    if (is_access(i->kind))
        return VAR_ADDRESS + 8u * i->object;
    return is_mutex(i->kind) ? MUTEX_ADDRESS + 8u * i->object : 0;
}

bool sim_enabled(const sim *p, const sim_state *s, uint32_t thread)
{
    const sim_thread *t = &s->threads[thread];
    if (!t->made || t->ended || s->over)
        return false;
    const sim_ins *i = pending(p, s, thread);
    if (i->kind == WIRE_LOCK)
        return s->holders[i->object] == 0;
    if (i->kind == WIRE_JOIN)
        return s->threads[i->object].ended;
    return true;
}

/* ---- ids, and records ---- */

static td_id child_name(td_id parent, uint64_t nth)
{
    struct {
        td_id parent;
        uint64_t nth;
    } parts = {parent, nth};
    return td_id_hash(&parts, sizeof parts);
}

static sim_object *object_of(sim_state *s, uint8_t kind, uint8_t object)
{
    if (is_section(kind))
        return &s->section_object;
    if (is_access(kind))
        return &s->var_objects[object];
    return is_mutex(kind) ? &s->mutex_objects[object] : NULL;
}

/* The event that an operation of thread is; kind as it turned out. */
static void event_add(sim_state *s, uint32_t thread, uint8_t kind, const sim_ins *i,
                      const sim_out *out)
{
    sim_thread *t = &s->threads[thread];
    sim_object *o = object_of(s, kind, i->object);
    bool exclusive = mdl_effect_of(kind) == MDL_EFFECT_E;
    trc_event e = {.thread = t->name, .before = t->last, .kind = kind};
    if (o) {
        e.object = address_of(i);
        e.after = o->after;
        e.reads = exclusive ? o->reads : (td_id){0};
    }
    if (kind == WIRE_JOIN)
        e.after = s->threads[i->object].last;
    td_id id = trc_event_id(&e);
    if (o && exclusive)
        *o = (sim_object){.after = id};
    else if (o)
        o->reads = td_id_sum(o->reads, id);
    t->last = id;
    s->sum = td_id_sum(s->sum, id);
    if (out->events && td_id_set_add(out->events, id) && mdl_in_digest(kind))
        *out->digest = td_id_sum(*out->digest, id);
}

static void record(const sim_state *s, uint32_t thread, uint8_t kind, const sim_ins *i,
                   const sim_out *out)
{
    if (!out->recs)
        return;
    uint32_t number = s->threads[thread].number;
    uint64_t value = kind == WIRE_JOIN ? s->threads[i->object].number : 0;
    uint8_t preempts = s->preempts ? WIRE_F_PREEMPTS : 0;
    if (kind == WIRE_CREATE) {
        size_t at = out->recs->v.len;
        rec_create(out->recs, number);
        out->recs->v.at[at].flags |= preempts;
        return;
    }
    bool forced = s->in_section && kind != WIRE_ATOMIC_BEGIN;
    wire_rec *r = forced ? rec_forced(out->recs, kind, number, address_of(i), value)
                         : rec_op(out->recs, kind, number, address_of(i), value);
    r->count = 0;
    r->flags |= preempts;
    if (kind == WIRE_JOIN && i->a)
        r->flags |= WIRE_JOIN_FETCHED;
}

/* ---- one operation ---- */

/* Runs on to the next operation; ends the thread if there is none. */
static void run_on(const sim *p, sim_state *s, uint32_t thread, const sim_out *out)
{
    sim_thread *t = &s->threads[thread];
    for (;; t->pc++) {
        const sim_ins *i = pending(p, s, thread);
        if (i->kind == SIM_IF) {
            t->pc = (uint8_t)(t->pc + (t->reg == i->a ? 0 : i->b));
            continue;
        }
        if (i->kind == SIM_FAIL)
            s->over = s->failed = true;
        if (i->kind != 0)
            return;
        t->ended = true;
        event_add(s, thread, WIRE_END, &(sim_ins){.kind = WIRE_END}, out);
        if (out->recs)
            rec_end(out->recs, t->number);
        return;
    }
}

static void make_thread(sim_state *s, uint32_t parent, uint32_t made)
{
    sim_thread *t = &s->threads[made], *from = &s->threads[parent];
    *t = (sim_thread){.made = true,
                      .number = ++s->n_made,
                      .name = child_name(from->name, from->n_created++),
                      .last = from->last};
}

/* What it turns out to be; changes values. */
static uint8_t carry_out(sim_state *s, uint32_t thread, const sim_ins *i)
{
    sim_thread *t = &s->threads[thread];
    int8_t *var = &s->vars[i->object < SIM_VARS ? i->object : 0], old = *var;
    uint8_t *holder = &s->holders[i->object < SIM_MUTEXES ? i->object : 0];
    switch (i->kind) {
    case WIRE_LOCK:
        *holder = (uint8_t)(thread + 1);
        return i->kind;
    case WIRE_UNLOCK:
        *holder = 0;
        return i->kind;
    case WIRE_TRYLOCK:
        t->reg = *holder == 0;
        if (*holder == 0)
            *holder = (uint8_t)(thread + 1);
        return t->reg ? WIRE_TRYLOCK : WIRE_TRYLOCK_BUSY;
    case WIRE_LOAD:
        t->reg = old;
        return i->kind;
    case WIRE_STORE:
        *var = i->a;
        return i->kind;
    case WIRE_RMW:
        *var = (int8_t)(old + i->a);
        t->reg = old;
        return i->kind;
    case WIRE_CAS:
        t->reg = old == i->a;
        if (t->reg)
            *var = i->b;
        return t->reg ? WIRE_CAS : WIRE_CAS_FAIL;
    case WIRE_JOIN:
        if (i->a)
            t->reg = s->threads[i->object].reg;
        return i->kind;
    case WIRE_EXIT:
        s->over = true;
        return i->kind;
    default:
        return i->kind;
    }
}

static void one_operation(const sim *p, sim_state *s, uint32_t thread, const sim_out *out)
{
    const sim_ins *i = pending(p, s, thread);
    uint8_t kind = carry_out(s, thread, i);
    event_add(s, thread, kind, i, out);
    record(s, thread, kind, i, out);
    if (is_section(kind))
        s->in_section = kind == WIRE_ATOMIC_BEGIN;
    s->threads[thread].pc++;
    if (kind == WIRE_CREATE) {
        make_thread(s, thread, i->object);
        run_on(p, s, i->object, out);
    }
    if (!s->over)
        run_on(p, s, thread, out);
}

/* Whoever ran last could go on, and not to the exit. */
static bool last_goes_on(const sim *p, const sim_state *s)
{
    return sim_enabled(p, s, s->last) && pending(p, s, s->last)->kind != WIRE_EXIT;
}

void sim_step(const sim *p, sim_state *s, uint32_t thread, const sim_out *out)
{
    s->preempts = s->last != thread && last_goes_on(p, s);
    s->last = (uint8_t)thread;
    do {
        one_operation(p, s, thread, out);
        s->preempts = false;
    } while (s->in_section && sim_enabled(p, s, thread));
}

void sim_init(const sim *p, sim_state *s, const sim_out *out)
{
    *s = (sim_state){0};
    s->threads[0] = (sim_thread){.made = true, .name = child_name((td_id){0}, 0)};
    run_on(p, s, 0, out);
}

/* ---- a run ---- */

static uint32_t thread_of(const sim_state *s, uint32_t number)
{
    for (uint32_t t = 0; t < SIM_THREADS; t++)
        if (s->threads[t].made && s->threads[t].number == number)
            return t;
    return UINT32_MAX;
}

static void record_nexts(const sim *p, const sim_state *s, recs *r)
{
    for (uint32_t number = 0; number <= s->n_made; number++) {
        uint32_t t = thread_of(s, number);
        const sim_ins *i = pending(p, s, t);
        if (s->threads[t].ended || i->kind >= WIRE_N_OPS ||
            (s->over && !s->failed && t == s->last))
            continue;
        uint64_t joined = i->kind == WIRE_JOIN ? s->threads[i->object].number : 0;
        wire_rec *note = rec_note(r, WIRE_NOTE_NEXT, i->kind, number, joined);
        note->object = address_of(i);
        note->count = is_access(i->kind) ? 4 : 0;
    }
}

/* The thread that ran last if it can, else the next one in rising order; an exit last. */
static uint32_t choose_first(const sim *p, const sim_state *s)
{
    uint32_t exits = UINT32_MAX;
    for (uint32_t k = 0; k <= s->n_made; k++) {
        uint32_t number = (s->threads[s->last].number + k) % (s->n_made + 1);
        uint32_t t = thread_of(s, number);
        if (!sim_enabled(p, s, t))
            continue;
        if (pending(p, s, t)->kind != WIRE_EXIT)
            return t;
        exits = t;
    }
    return exits;
}

static uint32_t choose(const sim *p, const sim_state *s, td_rng *rng)
{
    if (!rng)
        return choose_first(p, s);
    uint32_t enabled[SIM_THREADS], n = 0;
    for (uint32_t t = 0; t < SIM_THREADS; t++)
        if (sim_enabled(p, s, t))
            enabled[n++] = t;
    return n == 0 ? UINT32_MAX : enabled[td_rng_below(rng, n)];
}

static uint8_t how_it_ended(const sim_state *s)
{
    if (s->over)
        return s->failed ? WIRE_DONE_FAIL : WIRE_DONE_EXIT;
    for (uint32_t t = 0; t < SIM_THREADS; t++)
        if (s->threads[t].made && !s->threads[t].ended)
            return WIRE_DONE_DEADLOCK;
    return WIRE_DONE_EXIT;
}

/* It exited while another thread could have gone on. */
static bool is_cut(const sim *p, const sim_state *s)
{
    sim_state before = *s;
    before.over = false;
    for (uint32_t t = 0; t < SIM_THREADS && s->over; t++)
        if (t != s->last && sim_enabled(p, &before, t))
            return true;
    return false;
}

void sim_run(const sim *p, const wire_step *steps, size_t n_steps, td_rng *rng, recs *r)
{
    recs_clear(r);
    sim_out out = {.recs = r};
    sim_state s;
    sim_init(p, &s, &out);
    bool diverged = false;
    for (size_t i = 0; i < n_steps && !diverged; i++)
        for (uint32_t k = 0; k < steps[i].count && !diverged && !s.over; k++) {
            uint32_t t = thread_of(&s, steps[i].thread);
            diverged = t == UINT32_MAX || !sim_enabled(p, &s, t);
            if (!diverged)
                sim_step(p, &s, t, &out);
        }
    for (uint32_t t; !diverged && (t = choose(p, &s, rng)) != UINT32_MAX;)
        sim_step(p, &s, t, &out);
    record_nexts(p, &s, r);
    rec_done(r, diverged ? WIRE_DONE_DIVERGED : how_it_ended(&s));
    if (is_cut(p, &s))
        r->v.at[r->v.len - 1].flags |= WIRE_ENDED_CUT;
}

/* ---- all interleavings ---- */

static void enumerate(const sim *p, const sim_state *s, size_t max, sim_census *c)
{
    const sim_out out = {.events = &c->events, .digest = &c->digest};
    bool any = false;
    for (uint32_t t = 0; t < SIM_THREADS; t++) {
        if (!sim_enabled(p, s, t))
            continue;
        any = true;
        sim_state next = *s;
        sim_step(p, &next, t, &out);
        if (!td_id_set_add(&c->configs, next.sum))
            continue;
        c->too_many |= c->configs.len > max;
        if (!c->too_many)
            enumerate(p, &next, max, c);
    }
    if (any)
        return;
    c->n_traces++;
    c->n_deadlocks += how_it_ended(s) == WIRE_DONE_DEADLOCK;
}

void sim_enumerate(const sim *p, size_t max_configs, sim_census *out)
{
    *out = (sim_census){0};
    sim_state s;
    sim_init(p, &s, &(sim_out){.events = &out->events, .digest = &out->digest});
    enumerate(p, &s, max_configs, out);
}

/* What is possible afterwards depends on who ran last, and on what is left of the bound. */
static td_id place_of(const sim_state *s, uint32_t left)
{
    struct {
        td_id sum;
        uint64_t last, left;
    } parts = {s->sum, s->last, left};
    return td_id_hash(&parts, sizeof parts);
}

static void enumerate_within(const sim *p, const sim_state *s, uint32_t left, size_t max,
                             sim_census *c)
{
    const sim_out out = {.events = &c->events, .digest = &c->digest};
    bool goes_on = last_goes_on(p, s);
    bool any = false;
    for (uint32_t t = 0; t < SIM_THREADS; t++) {
        uint32_t cost = goes_on && t != s->last;
        any |= sim_enabled(p, s, t);
        if (!sim_enabled(p, s, t) || cost > left)
            continue;
        sim_state next = *s;
        sim_step(p, &next, t, &out);
        c->too_many |= c->configs.len > max;
        if (td_id_set_add(&c->configs, place_of(&next, left - cost)) && !c->too_many)
            enumerate_within(p, &next, left - cost, max, c);
    }
    c->n_traces += !any && td_id_set_add(&c->ends, s->sum);
}

void sim_enumerate_within(const sim *p, uint32_t bound, size_t max_configs,
                          sim_census *out)
{
    *out = (sim_census){0};
    sim_state s;
    sim_init(p, &s, &(sim_out){.events = &out->events, .digest = &out->digest});
    enumerate_within(p, &s, bound, max_configs, out);
}

void sim_census_fini(sim_census *c)
{
    td_id_set_fini(&c->events);
    td_id_set_fini(&c->configs);
    td_id_set_fini(&c->ends);
}

/* ---- random programs ---- */

typedef struct writer {
    td_rng *rng;
    const sim_options *o;
    sim_ins *ins;
    uint32_t n, room; /* operations left */
} writer;

static uint32_t below(writer *w, uint32_t n)
{
    return (uint32_t)td_rng_below(w->rng, n);
}

static void put(writer *w, uint8_t kind, uint32_t object, uint32_t a, uint32_t b)
{
    w->ins[w->n++] = (sim_ins){kind, (uint8_t)object, (int8_t)a, (int8_t)b};
    w->room -= kind < WIRE_N_OPS && w->room > 0;
}

static void put_access(writer *w)
{
    static const uint8_t kinds[] = {WIRE_LOAD,  WIRE_LOAD, WIRE_STORE,
                                    WIRE_STORE, WIRE_RMW,  WIRE_CAS};
    uint8_t kind = kinds[below(w, sizeof kinds)];
    uint32_t var = below(w, w->o->n_vars), value = below(w, 3);
    put(w, kind, var, kind == WIRE_RMW ? 1 : value, below(w, 3));
    bool tells = kind == WIRE_LOAD || kind == WIRE_RMW || kind == WIRE_CAS;
    if (!tells || below(w, 2))
        return;
    uint32_t expected = kind == WIRE_CAS ? below(w, 2) : below(w, 3);
    put(w, SIM_IF, 0, expected, 1);
    if (w->o->fails && below(w, 3) == 0)
        put(w, SIM_FAIL, 0, 0, 0);
    else
        put(w, below(w, 2) ? WIRE_STORE : WIRE_LOAD, below(w, w->o->n_vars), value, 0);
}

static void put_locked(writer *w)
{
    uint32_t mutex = below(w, w->o->n_mutexes);
    bool tries = below(w, 3) == 0, nested = below(w, 3) == 0 && w->o->n_mutexes > 1;
    put(w, tries ? WIRE_TRYLOCK : WIRE_LOCK, mutex, 0, 0);
    sim_ins *branch = tries ? &w->ins[w->n] : NULL;
    if (tries)
        put(w, SIM_IF, 0, 1, 0);
    uint32_t from = w->n, inner = (mutex + 1) % w->o->n_mutexes;
    if (nested)
        put(w, WIRE_LOCK, inner, 0, 0);
    if (below(w, 2))
        put_access(w);
    if (nested)
        put(w, WIRE_UNLOCK, inner, 0, 0);
    if (below(w, 12) > 0)
        put(w, WIRE_UNLOCK, mutex, 0, 0);
    if (branch)
        branch->b = (int8_t)(w->n - from);
}

static void put_section(writer *w)
{
    put(w, WIRE_ATOMIC_BEGIN, 0, 0, 0);
    put(w, WIRE_LOAD, below(w, w->o->n_vars), 0, 0);
    put(w, WIRE_STORE, below(w, w->o->n_vars), 1 + below(w, 2), 0);
    put(w, WIRE_ATOMIC_END, 0, 0, 0);
}

static void put_body(writer *w)
{
    while (w->room > 0 && w->n < SIM_INS - 10) {
        uint32_t what = below(w, 10);
        if (what < 3 && w->o->n_mutexes > 0)
            put_locked(w);
        else if (what == 3 && w->o->sections)
            put_section(w);
        else
            put_access(w);
    }
}

/* The result may decide. */
static void put_join(writer *w, uint32_t thread)
{
    bool fetches = below(w, 3) == 0;
    put(w, WIRE_JOIN, thread, fetches, 0);
    if (fetches) {
        put(w, SIM_IF, 0, below(w, 2), 1);
        put(w, WIRE_LOAD, below(w, w->o->n_vars), 0, 0);
    }
}

/* Who creates a thread, and who joins it: its maker, or a thread that the maker creates
 * later; 0xff: nobody. */
typedef struct family {
    uint8_t makers[SIM_THREADS], joiners[SIM_THREADS];
} family;

static void family_init(td_rng *rng, const sim_options *o, family *f)
{
    for (uint32_t t = 1; t <= o->n_threads; t++)
        f->makers[t] = td_rng_below(rng, 4) == 0 ? (uint8_t)td_rng_below(rng, t) : 0;
    for (uint32_t t = 1; t <= o->n_threads; t++) {
        uint32_t other = 1 + (uint32_t)td_rng_below(rng, o->n_threads);
        f->joiners[t] = td_rng_below(rng, 3) > 0 ? f->makers[t] : UINT8_MAX;
        if (other > t && f->makers[other] == f->makers[t] && td_rng_below(rng, 2))
            f->joiners[t] = (uint8_t)other;
    }
}

static void put_joins(writer *w, const family *f, uint32_t self)
{
    for (uint32_t t = 1; t <= w->o->n_threads && w->o->joins; t++)
        if (f->joiners[t] == self && w->n < SIM_INS - 5)
            put_join(w, t);
}

static void put_thread(writer *w, const family *f, uint32_t self)
{
    if (self == 0 || below(w, 4) == 0)
        w->room = below(w, 3);
    for (uint32_t t = self + 1; t <= w->o->n_threads; t++)
        if (f->makers[t] == self)
            put(w, WIRE_CREATE, t, 0, 0);
    bool joins_first = below(w, 5) == 0;
    if (joins_first)
        put_joins(w, f, self);
    if (self > 0 && w->n == 0)
        w->room = w->room > 0 ? w->room : 1;
    put_body(w);
    if (!joins_first)
        put_joins(w, f, self);
    if (w->o->joins && below(w, 4) == 0 && w->n < SIM_INS - 5)
        put_access(w);
    if (self == 0 && w->o->exits && below(w, 2))
        put(w, WIRE_EXIT, 0, 0, 0);
}

void sim_random(td_rng *rng, const sim_options *o, sim *p)
{
    *p = (sim){0};
    family f = {0};
    family_init(rng, o, &f);
    for (uint32_t t = 0; t <= o->n_threads; t++) {
        writer w = {.rng = rng, .o = o, .ins = p->ins[t], .room = o->n_ops};
        put_thread(&w, &f, t);
    }
}

void sim_print(const sim *p)
{
    for (uint32_t t = 0; t < SIM_THREADS; t++)
        for (uint32_t k = 0; p->ins[t][k].kind; k++) {
            const sim_ins *i = &p->ins[t][k];
            const char *text = i->kind == SIM_IF     ? "if"
                               : i->kind == SIM_FAIL ? "fail"
                                                     : mdl_kind_text(i->kind);
            fprintf(stderr, "thread %u %2u: %s object %u a %d b %d\n", t, k, text,
                    i->object, i->a, i->b);
        }
}
