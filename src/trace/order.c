/* SPDX-License-Identifier: Apache-2.0 */
/* Clocks of the moves of a run, and the races: pairs of moves whose order could be reversed. */
#include "trace/order.h"

#include "base/assert.h"

#define NONE UINT32_MAX
#define SMALLEST 64u

/* Operations on one object, or on 8 bytes of memory: a list from the last one back. */
typedef struct slot {
    uint64_t key;
    uint32_t generation; /* unused if it is of another run */
    uint32_t last;       /* link */
    bool is_memory;
} slot;

typedef struct link {
    uint32_t op;
    uint32_t prev; /* link */
} link;

TD_VEC(link, link_vec);
TD_VEC(trc_move, move_vec);

struct trc_order {
    const trc *t;
    move_vec moves;
    trc_u32_vec clocks;     /* by move: how many moves of each thread happen before it */
    trc_u32_vec last;       /* by thread: its last move, or the one that created it */
    trc_u32_vec move_of;    /* by operation; NONE: before the first choice */
    trc_u32_vec first_link; /* by operation, with one entry more */
    link_vec links;
    slot *slots;
    uint32_t n_slots, n_used; /* n_slots is a power of two */
    uint32_t generation;
    trc_u32_vec firsts;   /* scratch: moves */
    trc_u32_vec blockers; /* likewise */
};

/* ---- dependence ---- */

static bool is_shared(uint8_t kind)
{
    return mdl_effect_of(kind) == MDL_EFFECT_S;
}

static mdl_wanted done_by(const trc_op *op)
{
    return (mdl_wanted){op->kind, op->size, op->object};
}

mdl_wanted trc_wanted_of(const trc_op *op)
{
    return (mdl_wanted){mdl_asked_kind(op->kind), op->size, op->object};
}

static bool meets(const trc_op *a, const mdl_wanted *b)
{
    mdl_wanted done = done_by(a);
    return mdl_meet(&done, b);
}

bool trc_depends(const trc_op *op, const mdl_wanted *wanted)
{
    mdl_wanted done = done_by(op);
    return mdl_both_depend(&done, wanted);
}

static bool covers(const trc_op *a, const mdl_wanted *b)
{
    mdl_wanted done = done_by(a);
    return mdl_covers(&done, b);
}

/* ---- operations by object ---- */

static uint32_t slot_find(const trc_order *o, uint64_t key, bool is_memory)
{
    uint64_t parts[2] = {key, is_memory};
    uint32_t i = (uint32_t)td_id_hash(parts, sizeof parts).lo & (o->n_slots - 1);
    while (o->slots[i].generation == o->generation &&
           (o->slots[i].key != key || o->slots[i].is_memory != is_memory))
        i = (i + 1) & (o->n_slots - 1);
    return i;
}

static void slots_grow(trc_order *o)
{
    slot *old = o->slots;
    uint32_t n = o->n_slots;
    o->n_slots = n ? 2 * n : SMALLEST;
    o->slots = td_alloc(o->n_slots * sizeof(slot));
    for (uint32_t i = 0; i < n; i++)
        if (old[i].generation == o->generation)
            o->slots[slot_find(o, old[i].key, old[i].is_memory)] = old[i];
    td_free(old);
}

/* Returns the slot of a key; creates it if necessary. */
static slot *slot_at(trc_order *o, uint64_t key, bool is_memory)
{
    if (2 * o->n_used >= o->n_slots)
        slots_grow(o);
    slot *s = &o->slots[slot_find(o, key, is_memory)];
    if (s->generation != o->generation) {
        *s = (slot){key, o->generation, NONE, is_memory};
        o->n_used++;
    }
    return s;
}

/* The first and last key of an object. */
static void keys_of(const mdl_wanted *w, uint64_t *first, uint64_t *last)
{
    bool is_memory = mdl_is_access(w->kind);
    *first = is_memory ? w->object / 8 : w->object;
    uint64_t size = w->size > 0 ? w->size : 1;
    *last = is_memory ? (w->object + size - 1) / 8 : w->object;
}

static void links_add(trc_order *o, uint32_t i)
{
    trc_u32_vec_push(&o->first_link, (uint32_t)o->links.len);
    mdl_wanted w = trc_wanted_of(&o->t->ops.at[i]);
    if (mdl_effect_of(w.kind) == MDL_EFFECT_N)
        return;
    uint64_t key, last;
    for (keys_of(&w, &key, &last); key <= last; key++) {
        slot *s = slot_at(o, key, mdl_is_access(w.kind));
        link_vec_push(&o->links, (link){i, s->last});
        s->last = (uint32_t)o->links.len - 1;
    }
}

/* ---- clocks ---- */

static uint32_t n_threads(const trc_order *o)
{
    return (uint32_t)o->t->threads.len;
}

static uint32_t *clock_of(const trc_order *o, uint32_t move)
{
    TD_DASSERT(move < o->moves.len);
    return o->clocks.at + (size_t)move * n_threads(o);
}

static void clock_join(const trc_order *o, uint32_t *to, uint32_t move)
{
    if (move == NONE)
        return;
    const uint32_t *from = clock_of(o, move);
    for (uint32_t i = 0; i < n_threads(o); i++)
        to[i] = to[i] > from[i] ? to[i] : from[i];
}

uint32_t trc_order_len(const trc_order *o)
{
    return (uint32_t)o->moves.len;
}

trc_move trc_order_at(const trc_order *o, uint32_t move)
{
    TD_ASSERT(move < o->moves.len);
    return o->moves.at[move];
}

bool trc_order_before(const trc_order *o, uint32_t a, uint32_t b)
{
    TD_DASSERT(a < o->moves.len && b < o->moves.len);
    const trc_move *m = &o->moves.at[a];
    return clock_of(o, b)[m->thread] >= m->nth;
}

/* The same if either may be NONE, which is before all moves. */
static bool known_to(const trc_order *o, uint32_t a, uint32_t b)
{
    return a == NONE || (b != NONE && trc_order_before(o, a, b));
}

/* Adds the clock of the operation that this one depends on to the clock of the move. */
static void learn_object(trc_order *o, uint32_t i, uint32_t move)
{
    TD_DASSERT(move < o->moves.len && i < o->first_link.len);
    const trc_op *op = &o->t->ops.at[i];
    mdl_wanted w = done_by(op);
    for (uint32_t k = o->first_link.at[i]; k < o->links.len; k++)
        for (uint32_t l = o->links.at[k].prev; l != NONE; l = o->links.at[l].prev) {
            uint32_t other = o->links.at[l].op;
            if (!trc_depends(&o->t->ops.at[other], &w))
                continue;
            if (o->move_of.at[other] != move)
                clock_join(o, clock_of(o, move), o->move_of.at[other]);
            if (covers(&o->t->ops.at[other], &w))
                break;
        }
}

static void learn(trc_order *o, uint32_t i, uint32_t move)
{
    const trc_op *op = &o->t->ops.at[i];
    if (mdl_effect_of(op->kind) != MDL_EFFECT_N)
        learn_object(o, i, move);
    if (mdl_joins(op->kind) && op->value < n_threads(o))
        clock_join(o, clock_of(o, move), o->last.at[op->value]);
    if (mdl_creates(op->kind) && op->value < n_threads(o))
        o->last.at[op->value] = move;
}

static void move_start(trc_order *o, uint32_t i)
{
    uint32_t thread = o->t->ops.at[i].thread, move = (uint32_t)o->moves.len;
    uint32_t past = o->last.at[thread];
    TD_DASSERT(past == NONE || past < move);
    /* Not `cond ? at[past].nth + 1 : 1`: gcc 14.2 reads at[past] even if cond is false. */
    uint32_t n_before = 0;
    if (past != NONE && o->moves.at[past].thread == thread)
        n_before = o->moves.at[past].nth;
    trc_move m = {thread, i, 0, n_before + 1, past};
    move_vec_push(&o->moves, m);
    for (uint32_t k = 0; k < n_threads(o); k++)
        trc_u32_vec_push(&o->clocks, 0);
    clock_join(o, clock_of(o, move), past);
    clock_of(o, move)[thread] = m.nth;
    o->last.at[thread] = move;
}

static void order_clear(trc_order *o)
{
    move_vec_clear(&o->moves);
    trc_u32_vec_clear(&o->clocks);
    trc_u32_vec_clear(&o->last);
    trc_u32_vec_clear(&o->move_of);
    trc_u32_vec_clear(&o->first_link);
    link_vec_clear(&o->links);
    o->n_used = 0;
    if (++o->generation == 0) {
        memset(o->slots, 0, o->n_slots * sizeof(slot));
        o->generation = 1;
    }
}

void trc_order_take(trc_order *o, const trc *t)
{
    order_clear(o);
    o->t = t;
    for (uint32_t k = 0; k < n_threads(o); k++)
        trc_u32_vec_push(&o->last, NONE);
    for (uint32_t i = 0; i < t->ops.len; i++) {
        links_add(o, i);
        if (trc_is_choice(&t->ops.at[i]))
            move_start(o, i);
        uint32_t move = (uint32_t)o->moves.len - 1;
        trc_u32_vec_push(&o->move_of, move);
        if (move == NONE)
            continue;
        o->moves.at[move].n++;
        learn(o, i, move);
    }
    TD_ASSERT(o->move_of.len == t->ops.len &&
              o->clocks.len == o->moves.len * n_threads(o));
    trc_u32_vec_push(&o->first_link, (uint32_t)o->links.len);
}

/* ---- races ---- */

typedef enum can { CAN_NOT, CAN_PERHAPS, CAN } can;

/* One side of a race that is being looked for. */
typedef struct seeker {
    trc_order *o;
    mdl_wanted wanted; /* the executed or awaited operation */
    uint8_t asked;     /* kind: decides when it can be done */
    uint32_t thread;
    uint32_t move; /* NONE: it was not made */
    uint32_t past; /* the thread's previous move */
    trc_race_vec *out;
} seeker;

static bool was_woken(const trc *t, const trc_op *op, uint32_t thread)
{
    for (uint32_t i = 0; i < op->n_woken; i++)
        if (t->woken.at[op->woken + i] == thread)
            return true;
    return false;
}

/* True if a blocker is the move, or happens before it. */
static bool is_behind_blocker(const trc_order *o, uint32_t move)
{
    for (size_t i = 0; move != NONE && i < o->blockers.len; i++)
        if (trc_order_before(o, o->blockers.at[i], move))
            return true;
    return false;
}

/* Finds the moves from first on that take the object to read and that past does not know. */
static void find_readers(trc_order *o, uint64_t object, uint32_t first, uint32_t past)
{
    trc_u32_vec_clear(&o->blockers);
    if (first == NONE)
        return;
    for (uint32_t i = o->moves.at[first].first; i < o->t->ops.len; i++) {
        const trc_op *op = &o->t->ops.at[i];
        uint32_t move = o->move_of.at[i];
        if (mdl_takes_to_read(op->kind) && op->object == object &&
            !known_to(o, move, past))
            trc_u32_vec_push(&o->blockers, move);
    }
}

/* Returns whether the last exclusive operation on the object lets the thread's operation be executed. */
static can allowed_by(const seeker *s, const trc_op *op)
{
    if (mdl_when_of(s->asked) == MDL_WHEN_W)
        return was_woken(s->o->t, op, s->thread) ? CAN : CAN_NOT;
    if (!(op->flags & WIRE_F_CLOSED))
        return CAN;
    return op->thread == s->thread ? CAN_PERHAPS : CAN_NOT; /* it may be recursive */
}

static int readers_by(const trc_op *op)
{
    if (mdl_takes_to_read(op->kind))
        return !trc_is_misused(op);
    return mdl_does(op->kind) == WIRE_DOES_GIVE_READ ? -1 : 0;
}

/* Could it be done after all operations from the link on back, but without the blockers and all that
 * comes after them? */
static can could_without_blockers(const seeker *s, uint32_t l)
{
    const trc_order *o = s->o;
    can found = CAN_PERHAPS;
    int n_readers = 0;
    bool is_known = false;
    if (mdl_when_of(s->asked) == MDL_WHEN_A)
        return CAN;
    for (; l != NONE; l = o->links.at[l].prev) {
        const trc_op *op = &o->t->ops.at[o->links.at[l].op];
        uint32_t move = o->move_of.at[o->links.at[l].op];
        if (!meets(op, &s->wanted) || is_behind_blocker(o, move))
            continue;
        n_readers += readers_by(op);
        if (!is_known && !is_shared(op->kind)) {
            found = allowed_by(s, op);
            is_known = true;
        }
        if (is_known && mdl_when_of(s->asked) != MDL_WHEN_R)
            break;
    }
    if (!is_known && mdl_when_of(s->asked) == MDL_WHEN_W)
        return CAN_NOT;
    return mdl_when_of(s->asked) == MDL_WHEN_R && n_readers > 0 ? CAN_NOT : found;
}

/* The same without one move; it may be NONE. */
static can could_without(const seeker *s, uint32_t l, uint32_t without)
{
    trc_u32_vec_clear(&s->o->blockers);
    if (without != NONE)
        trc_u32_vec_push(&s->o->blockers, without);
    return could_without_blockers(s, l);
}

/* The same without all readers from that move on that the thread does not know. */
static can could_without_readers(const seeker *s, uint32_t l, uint32_t move)
{
    find_readers(s->o, s->wanted.object, move, s->past);
    return could_without_blockers(s, l);
}

static void race_add(const seeker *s, uint32_t first, uint64_t together)
{
    TD_DASSERT(first != s->move);
    for (size_t i = s->out->len; i-- > 0;) {
        const trc_race *r = &s->out->at[i];
        if (r->second != s->move || r->thread != s->thread)
            break;
        if (r->first == first)
            return;
    }
    trc_race_vec_push(s->out, (trc_race){first, s->move, s->thread, together});
}

/* Walks back over the operations on the object, from a link on. */
static void seek(const seeker *s, uint32_t from)
{
    const trc_order *o = s->o;
    bool seen = false; /* a shared operation that others come before */
    for (uint32_t l = from; l != NONE; l = o->links.at[l].prev) {
        const trc_op *op = &o->t->ops.at[o->links.at[l].op];
        uint32_t move = o->move_of.at[o->links.at[l].op];
        if (!trc_depends(op, &s->wanted))
            continue;
        bool is_end = covers(op, &s->wanted);
        if ((move == s->move && move != NONE) || known_to(o, move, s->past)) {
            if (is_end)
                return;
            continue;
        }
        if (is_end && seen)
            return;
        can c = could_without(s, from, move);
        uint64_t together = 0;
        if (c == CAN_NOT && mdl_waits_for_readers(s->asked) &&
            mdl_takes_to_read(op->kind)) {
            c = could_without_readers(s, from, move);
            together = s->wanted.object;
        }
        if (c != CAN_NOT)
            race_add(s, move, together);
        if (c == CAN && is_end)
            return;
        seen |= c == CAN && is_shared(op->kind);
    }
}

static void seek_made(trc_order *o, uint32_t move, trc_race_vec *out)
{
    TD_ASSERT(move < o->moves.len);
    const trc_move *m = &o->moves.at[move];
    for (uint32_t i = m->first; i < m->first + m->n; i++) {
        const trc_op *op = &o->t->ops.at[i];
        seeker s = {.o = o,
                    .wanted = done_by(op),
                    .asked = mdl_asked_kind(op->kind),
                    .thread = m->thread,
                    .move = move,
                    .past = m->past,
                    .out = out};
        for (uint32_t l = o->first_link.at[i]; l < o->first_link.at[i + 1]; l++)
            seek(&s, o->links.at[l].prev);
    }
}

/* The operation that a thread waits to execute and that is not enabled, or was not before the run stopped. */
static void seek_waiting(trc_order *o, const trc_next *next, trc_race_vec *out)
{
    seeker s = {.o = o,
                .wanted = {next->kind, next->size, next->object},
                .asked = next->kind,
                .thread = next->thread,
                .move = NONE,
                .past = o->last.at[next->thread],
                .out = out};
    mdl_when when = mdl_when_of(next->kind);
    if (when == MDL_WHEN_A || when == MDL_WHEN_J)
        return;
    uint64_t key, last;
    for (keys_of(&s.wanted, &key, &last); key <= last; key++) {
        uint32_t from = slot_at(o, key, mdl_is_access(next->kind))->last;
        if (trc_order_is_stopped(o) || could_without(&s, from, NONE) != CAN)
            seek(&s, from);
    }
}

bool trc_order_is_stopped(const trc_order *o)
{
    if (o->moves.len == 0)
        return false;
    const trc_move *m = &o->moves.at[o->moves.len - 1];
    for (uint32_t i = m->first; i < m->first + m->n; i++)
        if (mdl_exits(o->t->ops.at[i].kind))
            return true;
    return o->t->done == WIRE_DONE_FAIL || o->t->done == WIRE_DONE_REFUSED;
}

/* Adds races of the move that stopped the run with the last moves of the other threads, as far as no other move
 * depends on these. */
static void seek_stop(trc_order *o, trc_race_vec *out)
{
    TD_ASSERT(o->moves.len > 0);
    uint32_t end = (uint32_t)o->moves.len - 1, thread = o->moves.at[end].thread;
    trc_u32_vec_clear(&o->firsts);
    for (uint32_t k = 0; k < n_threads(o); k++) {
        uint32_t move = o->last.at[k];
        if (move != NONE && o->moves.at[move].thread == k &&
            !trc_order_before(o, move, end))
            trc_u32_vec_push(&o->firsts, move);
    }
    seeker s = {.o = o, .thread = thread, .move = end, .out = out};
    for (size_t i = 0; i < o->firsts.len; i++) {
        bool is_last = true;
        for (size_t k = 0; k < o->firsts.len; k++)
            is_last &= k == i || !trc_order_before(o, o->firsts.at[i], o->firsts.at[k]);
        if (is_last)
            race_add(&s, o->firsts.at[i], 0);
    }
}

void trc_order_races(trc_order *o, uint32_t from, trc_race_vec *out)
{
    trc_race_vec_clear(out);
    for (uint32_t i = from; i < o->moves.len; i++)
        seek_made(o, i, out);
}

void trc_order_last_races(trc_order *o, trc_race_vec *out)
{
    if (trc_order_is_stopped(o))
        seek_stop(o, out);
    for (size_t i = 0; i < o->t->nexts.len; i++)
        seek_waiting(o, &o->t->nexts.at[i], out);
}

/* True if one of the first moves of threads, up to now, happens before the move. */
static bool needs_one(const trc_order *o, uint32_t move)
{
    for (size_t i = 0; i < o->firsts.len; i++)
        if (trc_order_before(o, o->firsts.at[i], move))
            return true;
    return false;
}

static bool has_moved(const trc_order *o, uint32_t thread)
{
    for (size_t i = 0; i < o->firsts.len; i++)
        if (o->moves.at[o->firsts.at[i]].thread == thread)
            return true;
    return false;
}

static void add_starter(const trc_race *race, uint32_t thread, trc_u32_vec *out)
{
    trc_u32_vec_push(out, thread);
    if (thread == race->thread) {
        out->at[out->len - 1] = out->at[0];
        out->at[0] = thread;
    }
}

void trc_order_starters(trc_order *o, const trc_race *race, trc_u32_vec *out)
{
    TD_ASSERT(race->first < o->moves.len && race->thread < n_threads(o));
    bool is_made = race->second != TRC_NO_MOVE;
    uint32_t goal = is_made ? race->second : o->last.at[race->thread];
    trc_u32_vec_clear(out);
    trc_u32_vec_clear(&o->firsts);
    trc_u32_vec_clear(&o->blockers);
    if (race->together)
        find_readers(o, race->together, race->first,
                     is_made ? o->moves.at[goal].past : goal);
    for (uint32_t i = race->first + 1; goal != NONE && i <= goal; i++) {
        uint32_t thread = o->moves.at[i].thread;
        bool is_goal = is_made && i == goal;
        if ((!is_goal &&
             (!trc_order_before(o, i, goal) || trc_order_before(o, race->first, i) ||
              is_behind_blocker(o, i))) ||
            has_moved(o, thread))
            continue;
        if (!needs_one(o, i))
            add_starter(race, thread, out);
        trc_u32_vec_push(&o->firsts, i);
    }
    if (!is_made && o->firsts.len == 0)
        add_starter(race, race->thread, out);
}

/* ---- lifetime ---- */

trc_order *trc_order_new(void)
{
    return td_alloc(sizeof(trc_order));
}

void trc_order_free(trc_order *o)
{
    if (!o)
        return;
    move_vec_fini(&o->moves);
    trc_u32_vec_fini(&o->clocks);
    trc_u32_vec_fini(&o->last);
    trc_u32_vec_fini(&o->move_of);
    trc_u32_vec_fini(&o->first_link);
    trc_u32_vec_fini(&o->firsts);
    trc_u32_vec_fini(&o->blockers);
    link_vec_fini(&o->links);
    td_free(o->slots);
    td_free(o);
}
