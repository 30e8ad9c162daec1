/* SPDX-License-Identifier: Apache-2.0 */
#include "naive.h"

#include <stdio.h>

#include "unfold/unfold_int.h"

enum { N_WORDS = 10, MAX_EVENTS = 64 * N_WORDS };

typedef struct set {
    uint64_t words[N_WORDS];
} set;

static bool has(const set *s, uint32_t e)
{
    return s->words[e / 64] >> (e % 64) & 1;
}

/* The first member from e on, UINT32_MAX. */
static uint32_t next_in(const set *s, uint32_t e)
{
    for (uint32_t i = e / 64; i < N_WORDS; i++) {
        uint64_t word = s->words[i];
        if (i == e / 64)
            word &= UINT64_MAX << (e % 64);
        if (word)
            return i * 64 + (uint32_t)__builtin_ctzll(word);
    }
    return UINT32_MAX;
}

#define EACH(i, s)                                                                       \
    uint32_t i = next_in(s, 0);                                                          \
    i != UINT32_MAX;                                                                     \
    i = next_in(s, i + 1)

static void put(set *s, uint32_t e)
{
    s->words[e / 64] |= UINT64_C(1) << (e % 64);
}

static void put_all(set *s, const set *other)
{
    for (uint32_t i = 0; i < N_WORDS; i++)
        s->words[i] |= other->words[i];
}

static bool meets(const set *a, const set *b)
{
    for (uint32_t i = 0; i < N_WORDS; i++)
        if (a->words[i] & b->words[i])
            return true;
    return false;
}

static bool is_inside(const set *a, const set *b)
{
    for (uint32_t i = 0; i < N_WORDS; i++)
        if (a->words[i] & ~b->words[i])
            return false;
    return true;
}

/* Memory, other objects by address, and lives of threads. */
typedef struct object {
    enum { MEMORY, OTHER, LIFE } space;
    uint64_t key; /* address, or thread */
} object;

/* ROOT is state NONE of its object. */
typedef struct event {
    td_id id; /* START: that of CREATE */
    uint8_t kind;
    uint32_t thread, before, after;
    uint32_t object;
    bool is_exclusive;
    set reads;         /* exclusive: of its state, before it */
    bool is_last;      /* its run ended with it */
    uint8_t next_kind; /* 0: none */
    uint32_t next_object;
    set cone, excluded;
} event;

TD_VEC(event, event_vec);
TD_VEC(object, object_vec);
TD_VEC(td_id, name_vec);

struct naive {
    event_vec events;
    object_vec objects;
    name_vec threads;
};

/* One event that can come next, or what waits. */
typedef struct coming {
    td_id id;
    uint32_t history, state, object;
    bool is_probe, is_blocked;
    set causes;
} coming;
TD_VEC(coming, coming_vec);

naive *naive_new(void)
{
    return td_alloc(sizeof(naive));
}

void naive_free(naive *n)
{
    event_vec_fini(&n->events);
    object_vec_fini(&n->objects);
    name_vec_fini(&n->threads);
    td_free(n);
}

/* ---- events ---- */

static uint32_t object_of(naive *n, int space, uint64_t key)
{
    for (uint32_t i = 0; i < n->objects.len; i++)
        if ((int)n->objects.at[i].space == space && n->objects.at[i].key == key)
            return i;
    object_vec_push(&n->objects, (object){.space = space, .key = key});
    return (uint32_t)n->objects.len - 1;
}

static uint32_t thread_of(naive *n, td_id name)
{
    for (uint32_t i = 0; i < n->threads.len; i++)
        if (td_id_equal(n->threads.at[i], name))
            return i;
    name_vec_push(&n->threads, name);
    return (uint32_t)n->threads.len - 1;
}

static uint32_t find(const naive *n, const event *like)
{
    for (uint32_t i = 0; i < n->events.len; i++) {
        const event *e = &n->events.at[i];
        bool start = like->kind == UNF_START;
        if (td_id_equal(e->id, like->id) && start == (e->kind == UNF_START) &&
            (!start || e->thread == like->thread))
            return i;
    }
    return UNF_NONE;
}

/* True if no run has both, whatever else it has: one thread went on in two ways, two
 * exclusive events follow one state, or an exclusive event follows a state without a read
 * of it. */
static bool excludes(const event *a, uint32_t ia, const event *b, uint32_t ib)
{
    if (a->thread == b->thread && a->before == b->before)
        return true;
    if (a->object == UNF_NONE || a->object != b->object || a->after != b->after)
        return false;
    if (a->is_exclusive && b->is_exclusive)
        return true;
    if (a->is_exclusive)
        return !has(&a->reads, ib);
    return b->is_exclusive && !has(&b->reads, ia);
}

static uint32_t add(naive *n, event e)
{
    uint32_t ix = (uint32_t)n->events.len;
    put(&e.cone, ix);
    if (e.before != UNF_NONE)
        put_all(&e.cone, &n->events.at[e.before].cone);
    if (e.after != UNF_NONE)
        put_all(&e.cone, &n->events.at[e.after].cone);
    for (uint32_t i = 0; i < ix; i++) {
        if (has(&e.reads, i))
            put_all(&e.cone, &n->events.at[i].cone);
        if (!excludes(&e, ix, &n->events.at[i], i))
            continue;
        put(&e.excluded, i);
        put(&n->events.at[i].excluded, ix);
    }
    event_vec_push(&n->events, e);
    return ix;
}

static bool is_configuration(const naive *n, const set *s)
{
    for (EACH(i, s))
        if (!is_inside(&n->events.at[i].cone, s) || meets(&n->events.at[i].excluded, s))
            return false;
    return true;
}

/* ---- runs ---- */

static uint8_t asked(uint8_t kind)
{
    return kind == WIRE_CAS_FAIL       ? WIRE_CAS
           : kind == WIRE_TRYLOCK_BUSY ? WIRE_TRYLOCK
                                       : kind;
}

static uint32_t object_in(naive *n, const trc *t, uint8_t kind, uint64_t address,
                          uint64_t joined)
{
    if (kind == WIRE_JOIN)
        return object_of(n, LIFE, thread_of(n, t->threads.at[joined].name));
    if (mdl_effect_of(kind) == MDL_EFFECT_N)
        return UNF_NONE;
    return object_of(n, kind >= WIRE_LOAD && kind <= WIRE_CAS_FAIL ? MEMORY : OTHER,
                     address);
}

/* What the thread does after its last operation before number i. */
static void set_next(naive *n, const trc *t, uint32_t thread, size_t i, event *e)
{
    e->next_object = UNF_NONE;
    for (; i < t->ops.len; i++) {
        const trc_op *op = &t->ops.at[i];
        if (op->thread != thread)
            continue;
        if (op->kind == WIRE_END)
            return;
        e->next_kind = asked(op->kind);
        e->next_object = object_in(n, t, op->kind, op->object, op->value);
        return;
    }
    for (size_t k = 0; k < t->nexts.len; k++) {
        const trc_next *next = &t->nexts.at[k];
        if (next->thread != thread)
            continue;
        e->next_kind = next->kind;
        e->next_object = object_in(n, t, next->kind, next->object, next->other);
        return;
    }
    e->is_last = e->kind != WIRE_END;
}

/* The run so far. */
typedef struct run {
    uint32_t *at;     /* by thread of the run: last event */
    uint32_t *states; /* by object: last exclusive event */
    set *reads;       /* by object: since then */
} run;

static uint32_t enter(naive *n, const trc *t, const run *r, event e, uint32_t thread,
                      size_t i)
{
    uint32_t ix = find(n, &e);
    if (ix == UNF_NONE) {
        set_next(n, t, thread, i, &e);
        ix = add(n, e);
    }
    r->at[thread] = ix;
    if (e.object == UNF_NONE)
        return ix;
    if (e.is_exclusive) {
        r->states[e.object] = ix;
        r->reads[e.object] = (set){0};
    } else {
        put(&r->reads[e.object], ix);
    }
    return ix;
}

static void enter_start(naive *n, const trc *t, const run *r, uint32_t thread,
                        uint32_t create, size_t i)
{
    uint32_t name = thread_of(n, t->threads.at[thread].name);
    event e = {.id = create == UNF_NONE ? (td_id){0} : n->events.at[create].id,
               .kind = UNF_START,
               .thread = name,
               .before = create,
               .after = UNF_NONE,
               .object = object_of(n, LIFE, name),
               .is_exclusive = true};
    enter(n, t, r, e, thread, i);
}

static void enter_op(naive *n, const trc *t, const run *r, size_t i)
{
    const trc_op *op = &t->ops.at[i];
    uint32_t thread = thread_of(n, t->threads.at[op->thread].name);
    event e = {.id = op->id,
               .kind = op->kind,
               .thread = thread,
               .before = r->at[op->thread],
               .after = UNF_NONE,
               .object = object_in(n, t, op->kind, op->object, op->value)};
    if (op->kind == WIRE_END)
        e.object = object_of(n, LIFE, thread);
    e.is_exclusive = op->kind == WIRE_END || mdl_effect_of(op->kind) == MDL_EFFECT_E;
    if (e.object != UNF_NONE)
        e.after = r->states[e.object];
    if (e.object != UNF_NONE && e.is_exclusive)
        e.reads = r->reads[e.object];
    uint32_t ix = enter(n, t, r, e, op->thread, i + 1);
    if (op->kind == WIRE_EXIT)
        n->events.at[ix].is_last = true;
    if (op->kind == WIRE_CREATE)
        enter_start(n, t, r, (uint32_t)op->value, ix, i + 1);
}

bool naive_insert(naive *n, const trc *t)
{
    if (n->events.len + t->ops.len + t->threads.len >= MAX_EVENTS)
        return false;
    size_t n_objects = n->objects.len + 2 * t->ops.len + 2 * t->threads.len + 2;
    run r = {.at = td_alloc(t->threads.len * sizeof(uint32_t)),
             .states = td_alloc(n_objects * sizeof(uint32_t)),
             .reads = td_alloc(n_objects * sizeof(set))};
    memset(r.states, 0xff, n_objects * sizeof(uint32_t));
    enter_start(n, t, &r, 0, UNF_NONE, 0);
    for (size_t i = 0; i < t->ops.len; i++)
        enter_op(n, t, &r, i);
    td_free(r.at);
    td_free(r.states);
    td_free(r.reads);
    return true;
}

/* ---- what can come next ---- */

/* In the configuration the thread stands at the history and the object is in the state. */
static bool stands(const naive *n, const set *s, const coming *c)
{
    const event *h = &n->events.at[c->history];
    for (EACH(i, s)) {
        const event *e = &n->events.at[i];
        if (e->is_last || (e->thread == h->thread && e->before == c->history))
            return false;
        if (e->object == c->object && e->is_exclusive && e->after == c->state)
            return false;
    }
    return is_configuration(n, s);
}

static set reads_in(const naive *n, const set *s, const coming *c)
{
    set reads = {0};
    for (EACH(i, s)) {
        const event *e = &n->events.at[i];
        if (e->object == c->object && !e->is_exclusive && e->after == c->state)
            put(&reads, i);
    }
    return reads;
}

static td_id id_of(const naive *n, const coming *c, uint8_t kind, const set *reads)
{
    const event *h = &n->events.at[c->history];
    trc_event e = {.thread = n->threads.at[h->thread], .before = h->id, .kind = kind};
    if (c->state != UNF_NONE)
        e.after = n->events.at[c->state].id;
    for (EACH(i, reads))
        e.reads = td_id_sum(e.reads, n->events.at[i].id);
    if (c->object != UNF_NONE && n->objects.at[c->object].space != LIFE)
        e.object = n->objects.at[c->object].key;
    return trc_event_id(&e);
}

static bool is_executed(const naive *n, td_id id)
{
    return find(n, &(event){.id = id, .kind = WIRE_LOAD}) != UNF_NONE;
}

static void offer(const naive *n, coming c, uint8_t kind, const set *reads,
                  coming_vec *out)
{
    c.id = id_of(n, &c, kind, reads);
    if (!is_executed(n, c.id))
        coming_vec_push(out, c);
}

/* One for each set of reads that can be before it: the chosen ones, and some of number from
 * and above. Where the chosen ones do not fit together, no larger set does. */
static void offer_exclusive(const naive *n, const coming *c, uint8_t kind, set chosen,
                            uint32_t from, coming_vec *out)
{
    if (!stands(n, &c->causes, c))
        return;
    set found = reads_in(n, &c->causes, c);
    if (memcmp(&found, &chosen, sizeof found) == 0)
        offer(n, *c, kind, &chosen, out);
    for (uint32_t i = from; i < n->events.len; i++) {
        const event *e = &n->events.at[i];
        if (e->object != c->object || e->is_exclusive || e->after != c->state)
            continue;
        coming more = *c;
        set larger = chosen;
        put(&larger, i);
        put_all(&more.causes, &e->cone);
        offer_exclusive(n, &more, kind, larger, i + 1, out);
    }
}

/* What the history did in the state, if a run has shown it: 0 not yet. */
static uint8_t outcome(const naive *n, const coming *c)
{
    for (uint32_t i = 0; i < n->events.len; i++) {
        const event *e = &n->events.at[i];
        if (e->before == c->history && e->after == c->state && e->object == c->object &&
            e->thread == n->events.at[c->history].thread && e->kind < WIRE_N_OPS)
            return e->kind;
    }
    return 0;
}

static bool waits(const naive *n, const coming *c, uint8_t kind)
{
    uint8_t state = c->state == UNF_NONE ? WIRE_NONE : n->events.at[c->state].kind;
    if (kind == WIRE_LOCK)
        return state == WIRE_LOCK || state == WIRE_TRYLOCK;
    if (kind == WIRE_ATOMIC_BEGIN)
        return state == WIRE_ATOMIC_BEGIN;
    return kind == WIRE_JOIN && state != WIRE_END;
}

static void meet(const naive *n, uint32_t history, uint32_t state, coming_vec *out)
{
    const event *h = &n->events.at[history];
    uint8_t kind = h->next_kind;
    coming c = {.history = history, .state = state, .object = h->next_object};
    put_all(&c.causes, &h->cone);
    if (state != UNF_NONE)
        put_all(&c.causes, &n->events.at[state].cone);
    if (!stands(n, &c.causes, &c))
        return;
    if (waits(n, &c, kind)) {
        c.is_blocked = true;
        coming_vec_push(out, c);
        return;
    }
    bool can_fail = kind == WIRE_CAS || kind == WIRE_TRYLOCK;
    uint8_t came = can_fail ? outcome(n, &c) : kind;
    c.is_probe = came == 0;
    if (came == 0)
        came = kind == WIRE_CAS ? WIRE_CAS_FAIL : WIRE_TRYLOCK_BUSY;
    if (mdl_effect_of(came) == MDL_EFFECT_E)
        offer_exclusive(n, &c, came, (set){0}, 0, out);
    else
        offer(n, c, came, &(set){0}, out);
}

static void extend(const naive *n, coming_vec *out)
{
    for (uint32_t h = 0; h < n->events.len; h++) {
        const event *e = &n->events.at[h];
        if (e->next_kind == 0 || e->is_last)
            continue;
        if (e->next_object == UNF_NONE) {
            coming c = {.history = h, .state = UNF_NONE, .object = UNF_NONE};
            c.causes = e->cone;
            offer(n, c, e->next_kind, &(set){0}, out);
            continue;
        }
        meet(n, h, UNF_NONE, out);
        for (uint32_t s = 0; s < n->events.len; s++)
            if (n->events.at[s].object == e->next_object && n->events.at[s].is_exclusive)
                meet(n, h, s, out);
    }
}

/* ---- comparing ---- */

typedef struct compare {
    const naive *n;
    unf *u;
    uint32_t *map;  /* our event -> theirs, UNF_NONE */
    uint32_t *root; /* our object -> theirs */
    bool *blind;    /* by event: a history that unfold does not follow */
    char *why;
    size_t size;
} compare;

static bool differ(const compare *c, const char *text, uint64_t at)
{
    snprintf(c->why, c->size, "%s (%llu)", text, (unsigned long long)at);
    return false;
}

static void map_event(compare *c, uint32_t i)
{
    const event *e = &c->n->events.at[i];
    c->map[i] = e->kind == UNF_START ? UNF_NONE : unf_find(c->u, e->id);
    if (e->kind == UNF_START)
        for (uint32_t k = 0; k < unf_len(c->u); k++) {
            unf_view v = unf_at(c->u, k);
            uint32_t create = e->before == UNF_NONE ? UNF_NONE : c->map[e->before];
            if (v.kind == UNF_START && v.before == create &&
                td_id_equal(c->u->threads.at[v.thread].name, c->n->threads.at[e->thread]))
                c->map[i] = k;
        }
    if (c->map[i] != UNF_NONE)
        c->blind[i] = unf_silent_joins_skips(c->u, c->map[i]);
}

static void map_roots(compare *c)
{
    for (uint32_t i = 0; i < c->n->objects.len; i++) {
        const object *o = &c->n->objects.at[i];
        c->root[i] = UNF_NONE;
        for (uint32_t k = 0; k < c->u->objects.len; k++) {
            const unf_object *their = &c->u->objects.at[k];
            if (o->space != LIFE && their->address == o->key &&
                their->is_memory == (o->space == MEMORY))
                c->root[i] = their->root;
        }
        for (uint32_t k = 0; k < c->u->threads.len && o->space == LIFE; k++)
            if (td_id_equal(c->u->threads.at[k].name, c->n->threads.at[o->key]))
                c->root[i] = c->u->objects.at[c->u->threads.at[k].object].root;
    }
}

/* Something among the causes follows a history that unfold does not follow. */
static bool is_excused(const compare *c, const set *causes)
{
    for (EACH(i, causes)) {
        uint32_t before = c->n->events.at[i].before;
        if (before != UNF_NONE && c->blind[before] &&
            c->n->events.at[i].thread == c->n->events.at[before].thread)
            return true;
    }
    return false;
}

static uint32_t state_of(const compare *c, uint32_t state, uint32_t of)
{
    if (of == UNF_NONE)
        return UNF_NONE;
    return state == UNF_NONE ? c->root[of] : c->map[state];
}

/* The end of a thread that nobody joins and that holds nothing; unfold has no event then. */
static bool is_unseen_end(const compare *c, uint32_t i)
{
    const event *e = &c->n->events.at[i];
    uint32_t history = e->kind == WIRE_END ? c->map[e->before] : UNF_NONE;
    if (history == UNF_NONE || node_at(c->u, history)->held)
        return false;
    for (uint32_t k = 0; k < c->n->events.len; k++) {
        const event *other = &c->n->events.at[k];
        if (other->next_kind == WIRE_JOIN && other->next_object == e->object)
            return false;
    }
    return true;
}

static bool event_agrees(const compare *c, uint32_t i)
{
    const event *e = &c->n->events.at[i];
    if (is_unseen_end(c, i))
        return c->map[i] == UNF_NONE || differ(c, "an end that nobody waits for", i);
    if (c->map[i] == UNF_NONE || unf_at(c->u, c->map[i]).status != UNF_EXECUTED)
        return is_excused(c, &e->cone) || differ(c, "an event is not executed", i);
    unf_view v = unf_at(c->u, c->map[i]);
    if (v.kind != e->kind || v.after != state_of(c, e->after, e->object) ||
        v.before != (e->before == UNF_NONE ? UNF_NONE : c->map[e->before]))
        return differ(c, "an event has another place", c->map[i]);
    uint32_t n_reads = 0;
    for (uint32_t k = 0; k < c->n->events.len; k++) {
        if (!has(&e->reads, k))
            continue;
        bool found = false;
        for (uint32_t r = 0; r < v.n_reads; r++)
            found |= v.reads[r] == c->map[k];
        if (!found)
            return differ(c, "an event lacks a read", c->map[i]);
        n_reads++;
    }
    if (n_reads != v.n_reads)
        return differ(c, "an event has too many reads", c->map[i]);
    return true;
}

static bool events_agree(const compare *c)
{
    uint32_t n_theirs = 0, n_ours = 0;
    for (uint32_t i = 0; i < c->n->events.len; i++) {
        if (!event_agrees(c, i))
            return false;
        n_ours += c->map[i] != UNF_NONE && unf_at(c->u, c->map[i]).status == UNF_EXECUTED;
    }
    for (uint32_t i = 0; i < unf_len(c->u); i++) {
        unf_view v = unf_at(c->u, i);
        n_theirs += v.status == UNF_EXECUTED && v.kind != UNF_ROOT;
    }
    if (n_ours != n_theirs)
        return differ(c, "numbers of events", n_theirs);
    return true;
}

static bool is_in_blocked(unf *u, uint32_t history, uint32_t state)
{
    for (uint32_t g = node_at(u, state)->groups; g; g = u->groups.at[g].next)
        for (uint32_t l = u->groups.at[g].blocked; l; l = u->links.at[l].next)
            if (u->links.at[l].event == history)
                return true;
    return false;
}

static bool coming_agrees(const compare *c, const coming *x)
{
    if (is_excused(c, &x->causes) || c->blind[x->history])
        return true;
    uint32_t history = c->map[x->history], state = state_of(c, x->state, x->object);
    if (x->is_blocked) {
        if (!is_in_blocked(c->u, history, state))
            return differ(c, "a blocked history is missing", history);
        return true;
    }
    uint32_t target = unf_find(c->u, x->id);
    if (target == UNF_NONE)
        return differ(c, "a target is missing after history", history);
    unf_view v = unf_at(c->u, target);
    bool is_open = v.status == UNF_TARGET || v.status == UNF_DROPPED;
    if (!is_open || v.is_probe != x->is_probe || v.before != history || v.after != state)
        return differ(c, "a target is not as it should be", target);
    return true;
}

static bool is_ours(const compare *c, const coming_vec *all, uint32_t target)
{
    if (unf_silent_joins_skips(c->u, unf_at(c->u, target).before))
        return true; /* a run may have executed it unnoticed */
    for (size_t i = 0; i < all->len; i++)
        if (!all->at[i].is_blocked && td_id_equal(all->at[i].id, unf_at(c->u, target).id))
            return true;
    return false;
}

static bool is_ours_blocked(const compare *c, const coming_vec *all, uint32_t history,
                            uint32_t state)
{
    for (size_t i = 0; i < all->len; i++) {
        const coming *x = &all->at[i];
        if (x->is_blocked && c->map[x->history] == history &&
            state_of(c, x->state, x->object) == state)
            return true;
    }
    return false;
}

static bool theirs_agree(const compare *c, const coming_vec *all)
{
    for (uint32_t i = 0; i < unf_len(c->u); i++) {
        const unf_node *n = node_at(c->u, i);
        bool is_open = n->status == UNF_TARGET || n->status == UNF_DROPPED;
        if (is_open && !is_ours(c, all, i))
            return differ(c, "a target that cannot be", i);
        for (uint32_t g = n->groups; g; g = c->u->groups.at[g].next)
            for (uint32_t l = c->u->groups.at[g].blocked; l; l = c->u->links.at[l].next)
                if (!is_ours_blocked(c, all, c->u->links.at[l].event, i))
                    return differ(c, "a history is blocked in a state it cannot meet", i);
    }
    return true;
}

static void compare_init(compare *c)
{
    c->map = td_alloc((c->n->events.len + 1) * sizeof(uint32_t));
    c->root = td_alloc((c->n->objects.len + 1) * sizeof(uint32_t));
    c->blind = td_alloc(c->n->events.len + 1);
    for (uint32_t i = 0; i < c->n->events.len; i++)
        map_event(c, i);
    map_roots(c);
}

static void compare_fini(compare *c)
{
    td_free(c->map);
    td_free(c->root);
    td_free(c->blind);
}

bool naive_agrees(const naive *n, unf *u, char *why, size_t size)
{
    compare c = {.n = n, .u = u, .why = why, .size = size};
    compare_init(&c);
    coming_vec all = {0};
    extend(n, &all);
    bool ok = events_agree(&c);
    for (size_t i = 0; i < all.len && ok; i++)
        ok = coming_agrees(&c, &all.at[i]);
    ok = ok && theirs_agree(&c, &all);
    coming_vec_fini(&all);
    compare_fini(&c);
    return ok;
}

bool naive_relates(const naive *n, unf *u, char *why, size_t size)
{
    compare c = {.n = n, .u = u, .why = why, .size = size};
    compare_init(&c);
    bool ok = true;
    for (uint32_t i = 0; i < n->events.len && ok; i++)
        for (uint32_t k = 0; k < n->events.len && ok; k++) {
            if (c.map[i] == UNF_NONE || c.map[k] == UNF_NONE)
                continue;
            set both = n->events.at[i].cone;
            put_all(&both, &n->events.at[k].cone);
            bool before = has(&n->events.at[k].cone, i),
                 after = has(&n->events.at[i].cone, k);
            bool conflict = !is_configuration(n, &both);
            ok =
                unf_before(u, c.map[i], c.map[k]) == before &&
                unf_conflict(u, c.map[i], c.map[k]) == conflict &&
                unf_concurrent(u, c.map[i], c.map[k]) == (!before && !after && !conflict);
            if (!ok)
                differ(&c, "relation of an event", c.map[i]);
        }
    compare_fini(&c);
    return ok;
}
