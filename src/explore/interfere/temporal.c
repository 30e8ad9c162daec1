/* SPDX-License-Identifier: Apache-2.0 */
#include "explore/interfere/temporal.h"

#include "base/assert.h"
#include "model/model.h"

enum { MAX_STATES = 20000 /* limit per query */, MAX_WAITERS = 32 };

/* A state lies in words: where each thread is (next event), which threads exist, of each place
 * the last write and how many reads of it are still to come, and the objects. */
typedef struct object_state {
    uint32_t holder; /* thread + 1 that has it closed; of a semaphore: the count */
    uint32_t inside; /* readers; a once that is done */
    /* At a condition variable: bits of threads; at a barrier: how many. */
    uint32_t waiting;
    /* Those that were there at the last signal; that may leave a barrier. */
    uint32_t may_go;
    uint32_t n_go; /* how many of them; bits of those at a barrier */
} object_state;

enum { OBJECT_WORDS = sizeof(object_state) / sizeof(uint32_t) };

typedef struct view {
    uint32_t *at;      /* by thread: next event */
    uint32_t *exists;  /* by thread */
    uint32_t *last;    /* by place */
    uint32_t *pending; /* by place: reads of the last write that are to come */
    object_state *objects;
    uint32_t *section; /* thread + 1 that is in an atomic section */
} view;

typedef struct solver {
    xpl_temporal *t;
    const xpl_problem *p;
    uint32_t n_threads, n_objects, n_words;
    size_t base; /* words of the current state */
    uint64_t n_states;
} solver;

void xpl_problem_clear(xpl_problem *p)
{
    xpl_event_vec_clear(&p->events);
    xpl_u32_vec_clear(&p->first);
    xpl_u32_vec_clear(&p->counts);
    p->n_places = 0;
    p->only = XPL_NOTHING;
}

void xpl_problem_fini(xpl_problem *p)
{
    xpl_event_vec_fini(&p->events);
    xpl_u32_vec_fini(&p->first);
    xpl_u32_vec_fini(&p->counts);
}

void xpl_temporal_fini(xpl_temporal *t)
{
    xpl_u32_vec_fini(&t->order);
    xpl_u32_vec_fini(&t->reads);
    xpl_waiting_vec_fini(&t->waiting);
    xpl_u32_vec_fini(&t->words);
    xpl_u32_vec_fini(&t->readers);
    td_id_set_fini(&t->failed);
    td_id_set_fini(&t->blamed);
}

static view view_of(const solver *s)
{
    uint32_t *w = s->t->words.at + s->base;
    view v;
    v.at = w;
    v.exists = v.at + s->n_threads;
    v.last = v.exists + s->n_threads;
    v.pending = v.last + s->p->n_places;
    v.section = v.pending + s->p->n_places;
    v.objects = (object_state *)(v.section + 1);
    return v;
}

static const xpl_event *event_at(const solver *s, uint32_t i)
{
    TD_DASSERT(i < s->p->events.len);
    return &s->p->events.at[i];
}

static bool is_done(const solver *s, const view *v, uint32_t thread)
{
    return v->at[thread] == s->p->first.at[thread + 1];
}

static bool all_done(const solver *s, const view *v, uint32_t but)
{
    for (uint32_t i = 0; i < s->n_threads; i++)
        if (i != but && !is_done(s, v, i))
            return false;
    return true;
}

/* ---- when an event can happen ---- */

static bool is_coupled(const xpl_problem *p, const xpl_event *e)
{
    if (!e->reads || e->place == XPL_NOTHING || e->source == XPL_ANY)
        return false;
    return !e->is_free || p->only == XPL_NOTHING || p->only == e - p->events.at;
}

static bool memory_allows(const solver *s, const view *v, const xpl_event *e)
{
    if (e->place == XPL_NOTHING)
        return true;
    bool coupled = is_coupled(s->p, e);
    if (coupled && v->last[e->place] != e->source)
        return false;
    return !e->writes || v->pending[e->place] == (coupled ? 1u : 0u);
}

static uint32_t bit_of(const xpl_event *e)
{
    return e->thread < MAX_WAITERS ? 1u << e->thread : 0;
}

/* A mutex may be recursive. */
static bool is_closed_to(const object_state *o, const xpl_event *e)
{
    bool may_enter_again = mdl_locks(e->kind) && !mdl_depends_on_readers(e->kind);
    if (mdl_type_of(e->kind) == WIRE_TYPE_SEM)
        return o->holder == 0;
    return o->holder != 0 && !(may_enter_again && o->holder == e->thread + 1);
}

static bool is_woken(const object_state *o, const xpl_event *e)
{
    switch (mdl_type_of(e->kind)) {
    case WIRE_TYPE_COND:
        return o->n_go > 0 && (o->may_go & bit_of(e));
    case WIRE_TYPE_BARRIER:
        return (o->may_go & bit_of(e)) != 0;
    default: /* not followed here */
        return true;
    }
}

static bool object_allows(const solver *s, const view *v, const xpl_event *e)
{
    const object_state *o = &v->objects[e->object];
    if (mdl_arrives(e->kind))
        return e->is_last == (o->waiting + 1 == s->p->counts.at[e->object]);
    mdl_found found = {.is_closed = is_closed_to(o, e),
                       .is_read = o->inside > 0,
                       .is_over = o->inside > 0,
                       .is_woken = is_woken(o, e)};
    return mdl_can_be(e->kind, &found);
}

static bool is_possible(const solver *s, const view *v, uint32_t i)
{
    const xpl_event *e = event_at(s, i);
    if (!v->exists[e->thread] || (*v->section && *v->section != e->thread + 1))
        return false;
    if (mdl_joins(e->kind))
        return e->other != XPL_NOTHING && v->exists[e->other] && is_done(s, v, e->other);
    if (mdl_exits(e->kind))
        return all_done(s, v, e->thread);
    if (e->object != XPL_NOTHING && !object_allows(s, v, e))
        return false;
    return memory_allows(s, v, e);
}

/* ---- what it does ---- */

static void do_lock(object_state *o, const xpl_event *e)
{
    switch (mdl_does(e->kind)) {
    case WIRE_DOES_TAKE:
        o->holder = e->thread + 1;
        break;
    case WIRE_DOES_GIVE:
        o->holder = e->is_closed ? e->thread + 1 : 0;
        break;
    case WIRE_DOES_FINISH:
        o->holder = 0;
        o->inside = 1;
        break;
    case WIRE_DOES_TAKE_READ:
        o->inside++;
        break;
    case WIRE_DOES_GIVE_READ:
        o->inside -= o->inside > 0;
        break;
    default:
        break;
    }
}

static void do_count(object_state *o, const xpl_event *e)
{
    TD_ASSERT(mdl_does(e->kind) != WIRE_DOES_DOWN ||
              o->holder > 0); /* is_possible saw to it */
    o->holder += mdl_does(e->kind) == WIRE_DOES_UP;
    o->holder -= mdl_does(e->kind) == WIRE_DOES_DOWN;
}

static void do_cond(object_state *o, const xpl_event *e)
{
    uint32_t n_waiting = (uint32_t)__builtin_popcount(o->waiting);
    switch (mdl_does(e->kind)) {
    case WIRE_DOES_SLEEP:
        o->waiting |= bit_of(e);
        break;
    case WIRE_DOES_WAKE:
        if (o->n_go < n_waiting) {
            o->may_go = o->waiting;
            o->n_go++;
        }
        break;
    case WIRE_DOES_WAKE_ALL:
        o->may_go = o->waiting;
        o->n_go = n_waiting;
        break;
    case WIRE_DOES_WOKEN:
        TD_ASSERT(o->n_go > 0);
        o->waiting &= ~bit_of(e);
        o->may_go &= ~bit_of(e);
        o->n_go--;
        break;
    default:
        break;
    }
}

static void do_barrier(object_state *o, const xpl_event *e)
{
    if (!mdl_arrives(e->kind)) {
        o->may_go &= ~bit_of(e);
        return;
    }
    o->n_go |= bit_of(e);
    o->waiting++;
    if (e->is_last) {
        o->may_go |= o->n_go & ~bit_of(e);
        o->n_go = o->waiting = 0;
    }
}

static void do_object(view *v, const xpl_event *e)
{
    object_state *o = &v->objects[e->object];
    switch (mdl_type_of(e->kind)) {
    case WIRE_TYPE_MUTEX:
    case WIRE_TYPE_RWLOCK:
    case WIRE_TYPE_ONCE:
        do_lock(o, e);
        break;
    case WIRE_TYPE_SEM:
        do_count(o, e);
        break;
    case WIRE_TYPE_COND:
        do_cond(o, e);
        break;
    case WIRE_TYPE_BARRIER:
        do_barrier(o, e);
        break;
    default:
        break;
    }
}

static void do_memory(const solver *s, view *v, uint32_t i)
{
    const xpl_event *e = event_at(s, i);
    if (e->place == XPL_NOTHING)
        return;
    /* The last write no longer matters once no event waits to read it. */
    TD_ASSERT(!is_coupled(s->p, e) || v->pending[e->place] > 0);
    if (is_coupled(s->p, e) && --v->pending[e->place] == 0)
        v->last[e->place] = XPL_ANY;
    if (e->writes) {
        v->pending[e->place] = s->t->readers.at[i];
        v->last[e->place] = v->pending[e->place] > 0 ? i : XPL_ANY;
    }
}

static void do_event(solver *s, uint32_t i)
{
    view v = view_of(s);
    const xpl_event *e = event_at(s, i);
    TD_ASSERT(v.exists[e->thread] && v.at[e->thread] == i);
    v.at[e->thread]++;
    if (mdl_creates(e->kind) && e->other != XPL_NOTHING)
        v.exists[e->other] = 1;
    if (mdl_enters_section(e->kind))
        *v.section = e->thread + 1;
    if (mdl_leaves_section(e->kind))
        *v.section = 0;
    if (e->object != XPL_NOTHING)
        do_object(&v, e);
    do_memory(s, &v, i);
    xpl_u32_vec_push(&s->t->order, i);
}

/* ---- what can be done at once ---- */

static bool is_any(uint8_t kind)
{
    return true;
}

/* It failed because the object is closed, or read. */
static bool needs_closed(uint8_t kind)
{
    return mdl_has_failed(kind) && mdl_fails_if(mdl_asked_kind(kind)) != WIRE_FAILS_OVER;
}

/* Another thread has still something of that kind to do with the object. */
static bool is_contended(const solver *s, const view *v, const xpl_event *e,
                         bool (*is)(uint8_t kind))
{
    for (uint32_t t = 0; t < s->n_threads; t++)
        for (uint32_t i = v->at[t]; t != e->thread && i < s->p->first.at[t + 1]; i++)
            if (event_at(s, i)->object == e->object && is(event_at(s, i)->kind))
                return true;
    return false;
}

/* It lets others continue, and is in the way only of threads that need the object closed. */
static bool only_opens(uint8_t kind)
{
    bool is_over =
        mdl_has_failed(kind) && mdl_fails_if(mdl_asked_kind(kind)) == WIRE_FAILS_OVER;
    return mdl_gives(kind) || mdl_does(kind) == WIRE_DOES_UP || is_over ||
           (mdl_type_of(kind) == WIRE_TYPE_BARRIER && !mdl_arrives(kind));
}

/* It is possible; whatever others do, doing it now takes nothing from them. */
static bool is_safe(const solver *s, const view *v, uint32_t i)
{
    const xpl_event *e = event_at(s, i);
    if (mdl_enters_section(e->kind))
        return false;
    if (e->writes && e->place != XPL_NOTHING)
        return s->t->readers.at[i] == 0;
    return e->object == XPL_NOTHING ||
           !is_contended(s, v, e, only_opens(e->kind) ? needs_closed : is_any);
}

static void go_on(solver *s)
{
    for (bool moved = true; moved;) {
        moved = false;
        for (uint32_t t = 0; t < s->n_threads; t++) {
            view v = view_of(s);
            while (!is_done(s, &v, t) && is_possible(s, &v, v.at[t]) &&
                   is_safe(s, &v, v.at[t])) {
                do_event(s, v.at[t]);
                moved = true;
            }
        }
    }
}

/* ---- why it cannot continue ---- */

static void blame_read(xpl_temporal *t, uint32_t i)
{
    if (td_id_set_add(&t->blamed, (td_id){i, 1}))
        xpl_u32_vec_push(&t->reads, i);
}

static void blame_wait(xpl_temporal *t, uint32_t i, uint32_t thread)
{
    if (td_id_set_add(&t->blamed, (td_id){(uint64_t)i << 32 | thread, 2}))
        xpl_waiting_vec_push(&t->waiting, (xpl_waiting){i, thread});
}

/* Blames the thread that holds the awaited object: it has still to continue, or has stopped. */
static void blame_object(solver *s, const view *v, uint32_t i)
{
    const xpl_event *e = event_at(s, i);
    const object_state *o = &v->objects[e->object];
    bool locks = mdl_locks(e->kind) && !mdl_depends_on_readers(e->kind);
    TD_ASSERT(!locks || o->holder > 0); /* only the holder keeps others out */
    if (!locks)
        blame_wait(s->t, i, XPL_NOTHING);
    else if (is_done(s, v, o->holder - 1))
        blame_wait(s->t, i, o->holder - 1);
}

/* Reads that hold back a write of the place. */
static void blame_pending(solver *s, const view *v, uint32_t place)
{
    for (uint32_t t = 0; t < s->n_threads; t++)
        for (uint32_t i = v->at[t]; i < s->p->first.at[t + 1]; i++) {
            const xpl_event *e = event_at(s, i);
            if (e->place == place && is_coupled(s->p, e) && e->source == v->last[place] &&
                e->is_free)
                blame_read(s->t, i);
        }
}

static void blame_event(solver *s, const view *v, uint32_t i)
{
    const xpl_event *e = event_at(s, i);
    if (!v->exists[e->thread] || mdl_joins(e->kind) || mdl_exits(e->kind))
        return;
    if (e->object != XPL_NOTHING && !object_allows(s, v, e))
        blame_object(s, v, i);
    if (e->place == XPL_NOTHING)
        return;
    if (is_coupled(s->p, e) && v->last[e->place] != e->source && e->is_free)
        blame_read(s->t, i);
    if (e->writes && v->pending[e->place] > 0)
        blame_pending(s, v, e->place);
}

static void blame_all(solver *s)
{
    view v = view_of(s);
    for (uint32_t t = 0; t < s->n_threads; t++)
        if (!is_done(s, &v, t))
            blame_event(s, &v, v.at[t]);
}

/* ---- the search ---- */

static void start(solver *s)
{
    xpl_temporal *t = s->t;
    const xpl_problem *p = s->p;
    xpl_u32_vec_clear(&t->order);
    xpl_u32_vec_clear(&t->reads);
    xpl_waiting_vec_clear(&t->waiting);
    td_id_set_clear(&t->failed);
    td_id_set_clear(&t->blamed);
    size_t n = p->events.len + p->n_places;
    xpl_u32_vec_reserve(&t->readers, n + 1);
    memset(t->readers.at, 0, (n + 1) * sizeof t->readers.at[0]);
    for (size_t i = 0; i < p->events.len; i++) {
        const xpl_event *e = &p->events.at[i];
        if (is_coupled(p, e))
            t->readers
                .at[e->source == XPL_NO_EVENT ? p->events.len + e->place : e->source]++;
    }
    xpl_u32_vec_reserve(&t->words, s->n_words);
    memset(t->words.at, 0, s->n_words * sizeof t->words.at[0]);
    view v = view_of(s);
    memcpy(v.at, p->first.at, s->n_threads * sizeof v.at[0]);
    v.exists[0] = 1;
    for (uint32_t i = 0; i < p->n_places; i++) {
        v.last[i] = XPL_NO_EVENT;
        v.pending[i] = t->readers.at[p->events.len + i];
    }
    for (size_t i = 0; i < p->events.len; i++) {
        const xpl_event *e = &p->events.at[i];
        if (mdl_type_of(e->kind) == WIRE_TYPE_SEM && e->object != XPL_NOTHING)
            v.objects[e->object].holder = p->counts.at[e->object];
    }
}

static bool is_known(solver *s)
{
    const uint32_t *w = s->t->words.at + s->base;
    return !td_id_set_add(&s->t->failed, td_id_hash(w, s->n_words * sizeof *w));
}

/* One level of the search: a state, and the thread that is tried next from it. */
typedef struct level {
    uint32_t thread;
    size_t n_order;
} level;

TD_VEC(level, level_vec);

/* Copies the state at hand on top of itself. */
static void push_state(solver *s)
{
    xpl_u32_vec *w = &s->t->words;
    xpl_u32_vec_reserve(w, s->base + 2 * (size_t)s->n_words);
    memcpy(w->at + s->base + s->n_words, w->at + s->base, s->n_words * sizeof w->at[0]);
    s->base += s->n_words;
}

/* If the current state is new, continues from it; otherwise records why not. */
static bool enter(solver *s, level_vec *levels)
{
    go_on(s);
    view v = view_of(s);
    if (all_done(s, &v, XPL_NOTHING))
        return true;
    s->n_states++;
    if (!is_known(s))
        blame_all(s);
    else
        return level_vec_push(levels, (level){s->n_threads, s->t->order.len}), false;
    level_vec_push(levels, (level){0, s->t->order.len});
    return false;
}

/* The next thread to try at this level; false: none. */
static bool try_next(solver *s, level *l)
{
    view v = view_of(s);
    for (; l->thread < s->n_threads; l->thread++)
        if (!is_done(s, &v, l->thread) && is_possible(s, &v, v.at[l->thread]))
            return true;
    return false;
}

static xpl_orders search(solver *s)
{
    level_vec levels = {0};
    xpl_orders result = enter(s, &levels) ? XPL_ORDERED : XPL_NO_ORDER;
    while (result == XPL_NO_ORDER && levels.len > 0) {
        level *l = &levels.at[levels.len - 1];
        s->t->order.len = l->n_order;
        if (!try_next(s, l)) {
            levels.len--;
            s->base -= levels.len > 0 ? s->n_words : 0;
            continue;
        }
        uint32_t thread = l->thread++;
        push_state(s);
        view v = view_of(s);
        do_event(s, v.at[thread]);
        if (enter(s, &levels))
            result = XPL_ORDERED;
        else if (s->n_states > MAX_STATES)
            result = XPL_ORDER_UNKNOWN;
    }
    level_vec_fini(&levels);
    return result;
}

/* The threads at condition variables and barriers are bits of a word. */
static bool has_room(const xpl_problem *p)
{
    for (size_t i = 0; i < p->events.len; i++) {
        const xpl_event *e = &p->events.at[i];
        enum wire_does does = mdl_does(e->kind);
        bool waits =
            does == WIRE_DOES_SLEEP || does == WIRE_DOES_WOKEN || mdl_arrives(e->kind);
        if (waits && e->thread >= MAX_WAITERS)
            return false;
    }
    return true;
}

xpl_orders xpl_temporal_solve(xpl_temporal *t, const xpl_problem *p)
{
    TD_ASSERT(p->first.len > 1 && p->first.at[p->first.len - 1] == p->events.len);
    solver s = {.t = t,
                .p = p,
                .n_threads = (uint32_t)p->first.len - 1,
                .n_objects = (uint32_t)p->counts.len};
    s.n_words = 2 * s.n_threads + 2 * p->n_places + 1 + OBJECT_WORDS * s.n_objects;
    start(&s);
    xpl_orders result = has_room(p) ? search(&s) : XPL_ORDER_UNKNOWN;
    TD_ASSERT(result != XPL_ORDERED || t->order.len == p->events.len); /* (O1) */
    t->n_states += s.n_states;
    return result;
}
