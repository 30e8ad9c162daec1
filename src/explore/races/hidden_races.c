/* SPDX-License-Identifier: Apache-2.0 */
#include "explore/races/hidden_races.h"

#include "base/assert.h"
#include "explore/races/clashes.h"

enum {
    FEW = 64,             /* parts of a place that are compared one by one */
    MAX_VISITS = 1 << 16, /* events that a walk over one thread looks at */
    MAX_TAIL = 1 << 12, /* hidden operations of a part whose interleavings are searched */
};

typedef struct silent {
    uint64_t object;
    uint8_t kind; /* enum wire_kind */
    bool is_choice;
} silent;

typedef struct row {
    uint32_t first, n;
} row;

typedef struct spot {
    uint32_t history, part;
} spot;

/* A part of a history, in the list of those that it has. */
typedef struct entry {
    uint32_t place, part, next;
} entry;

TD_VEC(entry, entry_vec);
TD_VEC(silent, silent_vec);
TD_VEC(row, row_vec);
TD_VEC(spot, spot_vec);
TD_VEC(uint64_t, lock_vec);
TD_VEC(xpl_suspect, suspect_vec);
TD_VEC(td_id, id_vec);

/* Another place that touches bytes of one and holds no lock of its. */
typedef struct rival {
    uint32_t place;
    row clashes; /* in xpl_hidden_races.clashes */
    int side;    /* side of the first place in them */
} rival;
TD_VEC(rival, rival_vec);

typedef struct place {
    uint32_t thread;
    row accesses;   /* in xpl_hidden_races.accesses */
    td_spans spans; /* spans of these accesses */
    row held;       /* in xpl_hidden_races.locks, rising */
    spot_vec spots; /* the first FEW */
    bool is_full;   /* there are more */
    rival_vec others;
    td_id id;
} place;
TD_VEC(place, place_vec);

/* The position of a thread while the run is walked through. */
typedef struct walker {
    uint32_t history; /* UNF_NONE: not in the unfolding */
    uint32_t n_silent;
    lock_vec held;
    xpl_access_vec accesses; /* accesses of the segment */
    silent_vec silents;      /* since history */
} walker;

struct xpl_hidden_races {
    xpl_hidden_races_opts o;
    xpl_access_vec accesses;
    lock_vec locks;
    place_vec places;
    xpl_clash_vec clashes;
    unf_vec first;     /* by history: in entries, 0: none */
    entry_vec entries; /* [0] is not used */
    unf_walk walk;
    row_vec tails;  /* by history: hidden operations after it, in silents */
    id_vec manners; /* by history */
    silent_vec silents;
    td_id_set seen;  /* parts */
    td_id_set tried; /* pairs of sites that are or were suspects */
    suspect_vec suspects;
    unf_cfg *cfg, *base;
    uint64_t n_uncompared;
};

xpl_hidden_races *xpl_hidden_races_new(const xpl_hidden_races_opts *opts)
{
    xpl_hidden_races *r = td_alloc(sizeof *r);
    r->o = *opts;
    r->cfg = unf_cfg_new(opts->u);
    r->base = unf_cfg_new(opts->u);
    entry_vec_push(&r->entries, (entry){0});
    return r;
}

void xpl_hidden_races_free(xpl_hidden_races *r)
{
    if (!r)
        return;
    for (size_t i = 0; i < r->places.len; i++) {
        spot_vec_fini(&r->places.at[i].spots);
        rival_vec_fini(&r->places.at[i].others);
        td_spans_fini(&r->places.at[i].spans);
    }
    xpl_access_vec_fini(&r->accesses);
    lock_vec_fini(&r->locks);
    place_vec_fini(&r->places);
    xpl_clash_vec_fini(&r->clashes);
    unf_vec_fini(&r->first);
    entry_vec_fini(&r->entries);
    unf_vec_fini(&r->walk.stack);
    row_vec_fini(&r->tails);
    id_vec_fini(&r->manners);
    silent_vec_fini(&r->silents);
    td_id_set_fini(&r->seen);
    td_id_set_fini(&r->tried);
    suspect_vec_fini(&r->suspects);
    unf_cfg_free(r->cfg);
    unf_cfg_free(r->base);
    td_free(r);
}

/* ---- hidden operations after a history ---- */

static row tail_of(const xpl_hidden_races *r, uint32_t history)
{
    return history < r->tails.len ? r->tails.at[history] : (row){0};
}

static void tail_learn(xpl_hidden_races *r, uint32_t history, const silent_vec *v)
{
    TD_ASSERT(history != UNF_NONE); /* a row for every number would be made */
    if (tail_of(r, history).n >= v->len)
        return;
    while (r->tails.len <= history)
        row_vec_push(&r->tails, (row){0});
    r->tails.at[history] = (row){(uint32_t)r->silents.len, (uint32_t)v->len};
    silent_vec_append(&r->silents, v->at, v->len);
}

uint32_t xpl_hidden_races_choices(const xpl_hidden_races *r, uint32_t history)
{
    row tail = tail_of(r, history);
    uint32_t n = 0;
    for (uint32_t i = 0; i < tail.n; i++)
        n += r->silents.at[tail.first + i].is_choice;
    return n;
}

td_id xpl_hidden_races_manner(const xpl_hidden_races *r, uint32_t event)
{
    return event < r->manners.len ? r->manners.at[event] : (td_id){0};
}

static void manner_learn(xpl_hidden_races *r, uint32_t history, uint32_t part, td_id id)
{
    while (r->manners.len <= history)
        id_vec_push(&r->manners, (td_id){0});
    td_id ids[2] = {id, {part, 1}};
    td_id sum = td_id_sum(r->manners.at[history], td_id_hash(ids, sizeof ids));
    r->manners.at[history] = sum;
}

/* ---- interleaving two tails ---- */

/* Two threads that go through their hidden operations. */
typedef struct pairing {
    const silent *ops[2];
    uint32_t n[2];
    bool *seen;   /* (n[0] + 1) * (n[1] + 1): dead ends */
    unf_vec path; /* 0 or 1: which thread goes next */
} pairing;

/* The thread holds the mutex after its first n operations. */
static bool holds(const pairing *p, int who, uint32_t n, uint64_t mutex)
{
    int depth = 0;
    for (uint32_t i = 0; i < n; i++) {
        const silent *s = &p->ops[who][i];
        if (s->object != mutex)
            continue;
        depth += mdl_locks_mutex(s->kind);
        depth -= mdl_unlocks_mutex(s->kind);
    }
    return depth > 0;
}

static bool can_go(const pairing *p, int who, const uint32_t at[2])
{
    if (at[who] == p->n[who])
        return false;
    const silent *s = &p->ops[who][at[who]];
    return !mdl_waits_for_mutex(s->kind) || !holds(p, 1 - who, at[1 - who], s->object);
}

/* A way through the grid of both, where the last one has one operation left to do. */
static bool find_path(pairing *p, const uint32_t n[2])
{
    uint32_t at[2] = {0, 0};
    size_t width = n[1] + 1;
    unf_vec_clear(&p->path);
    for (;;) {
        if (at[0] == n[0] && at[1] == n[1])
            return true;
        int who = 0;
        for (; who < 2; who++) {
            uint32_t next[2] = {at[0] + (who == 0), at[1] + (who == 1)};
            if (at[who] < n[who] && can_go(p, who, at) &&
                !p->seen[next[0] * width + next[1]])
                break;
        }
        if (who < 2) {
            at[who]++;
            unf_vec_push(&p->path, (uint32_t)who);
            continue;
        }
        p->seen[at[0] * width + at[1]] = true;
        if (p->path.len == 0)
            return false;
        at[unf_vec_pop(&p->path)]--;
    }
}

/* Fills p->path; false: one of them has to wait for the other forever. */
static bool can_pair(const xpl_hidden_races *r, const xpl_suspect *s, pairing *p)
{
    *p = (pairing){0};
    for (int i = 0; i < 2; i++) {
        row tail = tail_of(r, s->history[i]);
        TD_ASSERT(s->part[i] <= tail.n);
        p->ops[i] = r->silents.at + tail.first;
        p->n[i] = unf_at(r->o.u, s->history[i]).is_inside ? 0 : s->part[i];
    }
    if (p->n[0] > MAX_TAIL || p->n[1] > MAX_TAIL)
        return false;
    uint32_t n[2] = {p->n[0], p->n[1]};
    n[s->last] -= n[s->last] > 0;
    p->seen = td_alloc((size_t)(n[0] + 1) * (n[1] + 1));
    if (!find_path(p, n) || (n[s->last] < p->n[s->last] && !can_go(p, s->last, n)))
        return false;
    if (n[s->last] < p->n[s->last])
        unf_vec_push(&p->path, (uint32_t)s->last);
    return true;
}

static void pairing_fini(pairing *p)
{
    td_free(p->seen);
    unf_vec_fini(&p->path);
}

static bool is_possible(const xpl_hidden_races *r, const xpl_suspect *s)
{
    pairing p;
    bool possible = can_pair(r, s, &p);
    pairing_fini(&p);
    return possible;
}

/* ---- comparing ---- */

/* The first clash that is neither known nor a suspect. */
static bool clash(const xpl_hidden_races *r, const rival *with, xpl_suspect *out)
{
    const int mine = with->side, theirs = 1 - mine;
    TD_ASSERT((size_t)with->clashes.first + with->clashes.n <= r->clashes.len);
    for (uint32_t i = 0; i < with->clashes.n; i++) {
        const xpl_clash *c = &r->clashes.at[with->clashes.first + i];
        if (td_id_set_has(r->o.known, c->pair) || td_id_set_has(&r->tried, c->pair))
            continue;
        out->pair = c->pair;
        out->start = c->start[mine];
        out->end = c->end[mine];
        out->steps[0] = c->is_next[mine];
        out->steps[1] = c->is_next[theirs];
        return true;
    }
    return false;
}

/* True if both threads can be at their histories in one run: neither needs the other to continue. */
static bool stand_together(xpl_hidden_races *r, uint32_t history, uint32_t other)
{
    unf_view h = unf_at(r->o.u, history), o = unf_at(r->o.u, other);
    unf_cfg_clear(r->cfg);
    unf_cfg_add(r->cfg, history);
    if ((h.is_last && o.is_last) || !unf_cfg_free_at(r->cfg, other))
        return false;
    unf_cfg_add(r->cfg, other);
    /* No thread can stop inside an atomic section: it is completed. */
    if ((h.is_inside || o.is_inside) && unf_cfg_complete(r->cfg) != UNF_POSSIBLE)
        return false;
    return (h.is_inside || unf_cfg_top(r->cfg, h.thread) == history) &&
           (o.is_inside || unf_cfg_top(r->cfg, o.thread) == other) &&
           r->o.feasible(r->o.self, r->cfg);
}

/* Adds the suspects of a pair of sites. An access that is an operation comes after the part of
 * the other thread. */
static void suspect(xpl_hidden_races *r, xpl_suspect *s)
{
    td_id_set_add(&r->tried, s->pair);
    for (s->last = 1; s->last >= 0; s->last--)
        if (!s->steps[s->last] && !unf_at(r->o.u, s->history[s->last]).is_inside &&
            is_possible(r, s))
            suspect_vec_push(&r->suspects, *s);
}

static void compare(xpl_hidden_races *r, spot at, const rival *theirs, spot other)
{
    xpl_suspect s = {.history = {at.history, other.history},
                     .part = {at.part, other.part}};
    if (!clash(r, theirs, &s) || !stand_together(r, at.history, other.history))
        return;
    bool possible = is_possible(r, &s);
    s.last = 1;
    possible |= is_possible(r, &s);
    /* A run that shows one of the pairs may show the others, too. */
    while (possible && clash(r, theirs, &s))
        suspect(r, &s);
}

/* The compatible histories of another thread form a connected subtree, so a tree walk finds them. */
static void search_thread(xpl_hidden_races *r, spot at, const rival *theirs)
{
    uint32_t other = UNF_NONE;
    unf_cfg_clear(r->base);
    unf_cfg_add(r->base, at.history);
    unf_walk_start(r->o.u, &r->walk, r->base, r->places.at[theirs->place].thread,
                   MAX_VISITS);
    while ((other = unf_walk_next(r->o.u, &r->walk)) != UNF_NONE) {
        uint32_t e = other < r->first.len ? r->first.at[other] : 0;
        for (; e != 0; e = r->entries.at[e].next)
            if (r->entries.at[e].place == theirs->place)
                compare(r, at, theirs, (spot){other, r->entries.at[e].part});
    }
    r->n_uncompared += unf_walk_failed(&r->walk);
}

static void search(xpl_hidden_races *r, uint32_t mine, spot at)
{
    xpl_suspect s;
    for (size_t i = 0; i < r->places.at[mine].others.len; i++) {
        const rival *theirs = &r->places.at[mine].others.at[i];
        const place *p = &r->places.at[theirs->place];
        if (!clash(r, theirs, &s))
            continue;
        if (p->is_full)
            search_thread(r, at, theirs);
        else
            for (size_t k = 0; k < p->spots.len; k++)
                compare(r, at, theirs, p->spots.at[k]);
    }
}

/* ---- places ---- */

static bool share_a_lock(const xpl_hidden_races *r, const place *a, const place *b)
{
    for (uint32_t i = 0, k = 0; i < a->held.n && k < b->held.n;) {
        uint64_t x = r->locks.at[a->held.first + i], y = r->locks.at[b->held.first + k];
        if (x == y)
            return true;
        i += x < y;
        k += y < x;
    }
    return false;
}

static xpl_accesses accesses_of(const xpl_hidden_races *r, const place *p)
{
    TD_ASSERT((size_t)p->accesses.first + p->accesses.n <= r->accesses.len);
    return (xpl_accesses){&r->accesses.at[p->accesses.first], p->accesses.n, &p->spans};
}

static void find_others(xpl_hidden_races *r, uint32_t ix)
{
    xpl_accesses a = accesses_of(r, &r->places.at[ix]);
    for (uint32_t i = 0; i < ix; i++) {
        place *mine = &r->places.at[ix], *other = &r->places.at[i];
        if (mine->thread == other->thread || share_a_lock(r, mine, other))
            continue;
        xpl_accesses b = accesses_of(r, other);
        row found = {(uint32_t)r->clashes.len, 0};
        xpl_clashes_find(&a, &b, &r->clashes);
        found.n = (uint32_t)r->clashes.len - found.first;
        if (found.n == 0)
            continue;
        rival_vec_push(&mine->others, (rival){i, found, 0});
        rival_vec_push(&other->others, (rival){ix, found, 1});
    }
}

static void put_locks(xpl_hidden_races *r, const lock_vec *held, place *p)
{
    p->held = (row){(uint32_t)r->locks.len, (uint32_t)held->len};
    for (size_t i = 0; i < held->len; i++) {
        size_t k = r->locks.len;
        lock_vec_push(&r->locks, held->at[i]);
        for (; k > p->held.first && r->locks.at[k - 1] > held->at[i]; k--)
            r->locks.at[k] = r->locks.at[k - 1];
        r->locks.at[k] = held->at[i];
    }
}

static td_id place_id(uint32_t thread, const walker *w)
{
    td_id id = {thread, 1};
    for (size_t i = 0; i < w->accesses.len; i++) {
        const xpl_access *x = &w->accesses.at[i];
        uint64_t parts[6] = {x->start, x->end, x->site, x->kind,
                             (uint64_t)x->is_write << 1 | x->is_next};
        id = td_id_sum(id, td_id_hash(parts, sizeof parts));
    }
    for (size_t i = 0; i < w->held.len; i++)
        id = td_id_sum(id, td_id_hash(&w->held.at[i], sizeof w->held.at[i]));
    return td_id_hash(&id, sizeof id);
}

static uint32_t place_of(xpl_hidden_races *r, uint32_t thread, const walker *w, td_id id)
{
    for (uint32_t i = 0; i < r->places.len; i++)
        if (td_id_equal(r->places.at[i].id, id))
            return i;
    place p = {.thread = thread,
               .accesses = {(uint32_t)r->accesses.len, (uint32_t)w->accesses.len},
               .id = id};
    xpl_access_vec_append(&r->accesses, w->accesses.at, w->accesses.len);
    xpl_clashes_index(w->accesses.at, p.accesses.n, &p.spans);
    put_locks(r, &w->held, &p);
    place_vec_push(&r->places, p);
    find_others(r, (uint32_t)r->places.len - 1);
    return (uint32_t)r->places.len - 1;
}

/* The thread leaves a part. */
static void part_end(xpl_hidden_races *r, walker *w)
{
    if (w->history == UNF_NONE || w->accesses.len == 0) {
        xpl_access_vec_clear(&w->accesses);
        return;
    }
    uint32_t thread = unf_at(r->o.u, w->history).thread;
    TD_ASSERT(w->n_silent == w->silents.len);
    td_id id = place_id(thread, w);
    uint64_t key[4] = {w->history, w->n_silent, id.lo, id.hi};
    spot at = {w->history, w->n_silent};
    if (td_id_set_add(&r->seen, td_id_hash(key, sizeof key))) {
        manner_learn(r, at.history, at.part, id);
        uint32_t mine = place_of(r, thread, w, id);
        search(r, mine, at);
        place *p = &r->places.at[mine];
        p->is_full = p->spots.len == FEW;
        if (!p->is_full)
            spot_vec_push(&p->spots, at);
        while (r->first.len <= at.history)
            unf_vec_push(&r->first, 0);
        entry_vec_push(&r->entries, (entry){mine, at.part, r->first.at[at.history]});
        r->first.at[at.history] = (uint32_t)r->entries.len - 1;
    }
    xpl_access_vec_clear(&w->accesses);
}

/* ---- a run ---- */

static void walk_locks(walker *w, const trc_op *op)
{
    if (mdl_locks_alone(op->kind))
        lock_vec_push(&w->held, op->object);
    for (size_t i = w->held.len; mdl_unlocks_alone(op->kind) && i-- > 0;)
        if (w->held.at[i] == op->object) {
            memmove(&w->held.at[i], &w->held.at[i + 1],
                    (w->held.len - i - 1) * sizeof w->held.at[0]);
            w->held.len--;
            return;
        }
}

static void walk_touch(walker *w, const trc_touch *t)
{
    bool is_write = t->how == WIRE_TOUCH_WRITE || t->how == WIRE_TOUCH_FREES;
    xpl_access_kind kind = t->how == WIRE_TOUCH_FREES      ? XPL_ACCESS_FREES
                           : t->how == WIRE_TOUCH_OPERATES ? XPL_ACCESS_OTHER
                                                           : XPL_ACCESS_PLAIN;
    xpl_access_vec_push(&w->accesses, (xpl_access){.start = t->start,
                                                   .end = t->end,
                                                   .site = t->site,
                                                   .kind = kind,
                                                   .is_write = is_write});
}

/* The thread's part ends with an atomic access; promoted ones are among what it touches. */
static void walk_next(walker *w, uint8_t kind, uint64_t object, uint32_t size,
                      uint32_t site)
{
    bool is_object = mdl_touches_object(kind, object) && !mdl_resets(kind);
    if (!mdl_is_access(kind) && !is_object)
        return;
    bool writes = mdl_effect_of(kind) == MDL_EFFECT_E;
    size = is_object ? MDL_OBJECT_BYTES : size;
    xpl_access_vec_push(&w->accesses, (xpl_access){.start = object,
                                                   .end = object + size,
                                                   .site = site,
                                                   .kind = XPL_ACCESS_ATOMIC,
                                                   .is_write = writes,
                                                   .is_next = true});
}

static void walk_op(xpl_hidden_races *r, walker *w, const trc_op *op, bool hidden,
                    uint32_t event)
{
    if (!trc_is_promoted(op))
        walk_next(w, op->kind, op->object, op->size, op->site);
    part_end(r, w);
    walk_locks(w, op);
    if (hidden) {
        silent_vec_push(&w->silents, (silent){op->object, op->kind, trc_is_choice(op)});
        w->n_silent++;
        if (w->history != UNF_NONE)
            tail_learn(r, w->history, &w->silents);
        return;
    }
    w->history = event;
    w->n_silent = 0;
    silent_vec_clear(&w->silents);
}

static void walk_end(xpl_hidden_races *r, const trc *t, walker *walkers)
{
    for (size_t i = 0; i < t->nexts.len; i++) {
        const trc_next *n = &t->nexts.at[i];
        walk_next(&walkers[n->thread], n->kind, n->object, n->size, n->site);
    }
    for (size_t i = 0; i < t->threads.len; i++) {
        part_end(r, &walkers[i]);
        lock_vec_fini(&walkers[i].held);
        xpl_access_vec_fini(&walkers[i].accesses);
        silent_vec_fini(&walkers[i].silents);
    }
}

void xpl_hidden_races_insert(xpl_hidden_races *r, const trc *t, const bool *hidden)
{
    walker *walkers = td_alloc(t->threads.len * sizeof *walkers);
    size_t touch = 0, visible = 0;
    for (uint32_t i = 0; i < t->threads.len; i++)
        walkers[i].history = unf_run_start(r->o.u, i);
    for (size_t i = 0; i <= t->ops.len; i++) {
        for (; touch < t->touches.len && t->touches.at[touch].before_op <= i; touch++)
            walk_touch(&walkers[t->touches.at[touch].thread], &t->touches.at[touch]);
        if (i == t->ops.len)
            break;
        const trc_op *op = &t->ops.at[i];
        uint32_t event = hidden[i] ? UNF_NONE : unf_run_event(r->o.u, visible++);
        walk_op(r, &walkers[op->thread], op, hidden[i], event);
    }
    walk_end(r, t, walkers);
    td_free(walkers);
}

/* ---- suspects ---- */

bool xpl_hidden_races_next(xpl_hidden_races *r, xpl_suspect *out)
{
    while (r->suspects.len > 0) {
        *out = suspect_vec_pop(&r->suspects);
        if (!td_id_set_has(r->o.known, out->pair))
            return true;
    }
    return false;
}

bool xpl_hidden_races_has(const xpl_hidden_races *r, td_id pair)
{
    for (size_t i = 0; i < r->suspects.len; i++)
        if (td_id_equal(r->suspects.at[i].pair, pair))
            return true;
    return false;
}

bool xpl_hidden_races_is_empty(const xpl_hidden_races *r)
{
    for (size_t i = 0; i < r->suspects.len; i++)
        if (!td_id_set_has(r->o.known, r->suspects.at[i].pair))
            return false;
    return true;
}

static uint32_t count_silent(void *self, uint32_t history)
{
    return xpl_hidden_races_choices(self, history);
}

/* The event that brings the last one to where it is to be, if nothing is left to do after it: its
 * history, or the creation of its thread. UNF_NONE: others have to come after it. */
static uint32_t find_waiting(const xpl_hidden_races *r, const xpl_suspect *s,
                             const unf_cfg *c)
{
    uint32_t event = s->history[s->last];
    if (unf_at(r->o.u, event).kind == UNF_START)
        event = unf_at(r->o.u, event).before;
    if (s->part[s->last] > 0 || event == UNF_NONE || unf_cfg_has(c, event))
        return UNF_NONE;
    uint8_t kind = unf_at(r->o.u, event).kind;
    return mdl_decides(kind) || mdl_ends(kind) ? UNF_NONE : event;
}

/* Makes c hold the causes of an event. */
static void add_causes(unf_cfg *c, unf_view v)
{
    unf_cfg_add(c, v.before);
    if (v.after != UNF_NONE)
        unf_cfg_add(c, v.after);
    for (uint32_t i = 0; i < v.n_reads; i++)
        unf_cfg_add(c, v.reads[i]);
}

static void add_tails(const pairing *p, const uint32_t number[2], trc_step_vec *out)
{
    uint32_t done[2] = {0, 0};
    for (size_t i = 0; i < p->path.len; i++) {
        uint32_t who = p->path.at[i];
        if (p->ops[who][done[who]++].is_choice)
            trc_step_add(out, number[who]);
    }
}

/* c has been scheduled. */
static void add_waiting(const xpl_hidden_races *r, const unf_cfg *c, unf_view v,
                        trc_step_vec *out)
{
    for (uint32_t n = xpl_hidden_races_choices(r, v.before) + 1; n > 0; n--)
        trc_step_add(out, unf_cfg_number(c, v.thread));
}

void xpl_hidden_races_schedule(xpl_hidden_races *r, const xpl_suspect *s, unf_cfg *c,
                               trc_step_vec *out)
{
    const unf_silent extra = {r, count_silent};
    uint32_t number[2];
    pairing p;
    unf_cfg_clear(c);
    unf_cfg_add(c, s->history[1 - s->last]);
    bool inside = unf_at(r->o.u, s->history[1 - s->last]).is_inside;
    uint32_t waiting = inside ? UNF_NONE : find_waiting(r, s, c);
    if (waiting != UNF_NONE)
        add_causes(c, unf_at(r->o.u, waiting));
    else
        unf_cfg_add(c, s->history[s->last]);
    if (inside)
        (void)unf_cfg_complete(c);
    unf_cfg_schedule_with(c, &extra, out);
    for (int i = 0; i < 2; i++)
        number[i] = unf_cfg_number(c, unf_at(r->o.u, s->history[i]).thread);
    bool possible = can_pair(r, s, &p);
    TD_ASSERT(possible);
    add_tails(&p, number, out);
    pairing_fini(&p);
    if (waiting != UNF_NONE) {
        add_waiting(r, c, unf_at(r->o.u, waiting), out);
        unf_cfg_add(c, s->history[s->last]);
    }
    for (int i = 0; i < 2; i++)
        if (s->steps[i])
            trc_step_add(out, number[i]);
}

uint64_t xpl_hidden_races_uncompared(const xpl_hidden_races *r)
{
    return r->n_uncompared;
}
