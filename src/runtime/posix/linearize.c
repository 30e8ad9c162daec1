/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/posix/linearize.h"

#include <string.h>

#include "runtime/core/rt_assert.h"

/* A world in memory: this head, what taken operations must return (by their place, 0 for the
 * others; lin.width of them), the state. From taken on it is compared and hashed. */
typedef struct world {
    const lin_trail *trail;
    uint64_t taken;
    uint64_t results[];
} world;

#define KEY_START offsetof(world, taken)
#define SMALLEST_WIDTH 2u

static void *state_of(const lin *h, world *a)
{
    return &a->results[h->width];
}

static world *world_at(const lin *h, const lin_worlds *w, uint32_t i)
{
    RT_ASSERT(i < w->cap);
    return (world *)(w->at + i * h->stride);
}

/* ---- sets of worlds ---- */

static uint64_t hash_of(const lin *h, const world *a)
{
    uint64_t hash = 0;
    for (size_t at = KEY_START; at < h->stride; at += 8) {
        uint64_t word;
        memcpy(&word, (const uint8_t *)a + at, 8);
        hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
        hash ^= hash >> 29;
    }
    return hash;
}

static bool same(const lin *h, const world *a, const world *b)
{
    return memcmp((const uint8_t *)a + KEY_START, (const uint8_t *)b + KEY_START,
                  h->stride - KEY_START) == 0;
}

/* Where a is in the table, or could be put. */
static uint32_t slot_of(const lin *h, const lin_worlds *w, const world *a)
{
    uint32_t mask = w->n_table - 1, i = (uint32_t)hash_of(h, a) & mask;
    RT_ASSERT(w->n < w->n_table &&
              (w->n_table & mask) == 0); /* a free slot ends the loop */
    while (w->table[i] != 0 && !same(h, world_at(h, w, w->table[i] - 1), a))
        i = (i + 1) & mask;
    return i;
}

/* The old memory is left behind: all of it goes when the run ends. */
static void worlds_grow(lin *h, lin_worlds *w)
{
    uint32_t cap = w->cap > 0 ? 2 * w->cap : 4;
    uint8_t *at = h->host->alloc(cap * h->stride);
    if (w->n > 0)
        memcpy(at, w->at, w->n * h->stride);
    w->at = at;
    w->cap = cap;
    w->n_table = 2 * cap;
    w->table = h->host->alloc(w->n_table * sizeof *w->table);
    for (uint32_t i = 0; i < w->n; i++)
        w->table[slot_of(h, w, world_at(h, w, i))] = i + 1;
}

static void worlds_clear(lin_worlds *w)
{
    if (w->n > 0)
        memset(w->table, 0, w->n_table * sizeof *w->table);
    w->n = 0;
}

/* False: there are too many. a is copied; if it is known, the first trail stays. */
static bool worlds_add(lin *h, lin_worlds *w, const world *a)
{
    if (w->n == w->cap) {
        if (w->n >= LIN_WORLDS || 2 * w->n * h->stride > LIN_BYTES)
            return false;
        worlds_grow(h, w);
    }
    uint32_t slot = slot_of(h, w, a);
    if (w->table[slot] != 0)
        return true;
    memcpy(world_at(h, w, w->n), a, h->stride);
    w->table[slot] = ++w->n;
    RT_ASSERT(w->n <= w->cap);
    return true;
}

/* ---- operations ---- */

/* Worlds have room for the results of that many open operations from now on. */
static void set_width(lin *h, uint32_t width)
{
    RT_ASSERT(width <= LIN_OPEN && h->spec->state_size <= LIN_MAX_STATE);
    h->width = width;
    h->stride = sizeof(world) + width * sizeof(uint64_t);
    h->stride += (h->spec->state_size + 15) / 16 * 16;
    h->scratch = h->host->alloc(2 * h->stride);
    h->now = h->next = h->reached = (lin_worlds){0};
}

static void widen(lin *h)
{
    lin old = *h;
    set_width(h, 2 * old.width);
    for (uint32_t i = 0; i < old.now.n; i++) {
        world *from = world_at(&old, &old.now, i), *to = (world *)h->scratch;
        memset(to, 0, h->stride);
        memcpy(to, from, sizeof(world) + old.width * sizeof(uint64_t));
        memcpy(state_of(h, to), state_of(&old, from), h->spec->state_size);
        worlds_add(h, &h->now, to);
    }
}

void lin_start(lin *h, const lin_host *host, const wire_spec *spec)
{
    *h = (lin){.host = host, .spec = spec};
    set_width(h, SMALLEST_WIDTH);
    world *first = (world *)h->scratch;
    host->init(spec, state_of(h, first));
    worlds_add(h, &h->now, first);
}

lin_op *lin_open_of(const lin *h, uint32_t thread)
{
    for (uint64_t left = h->used; left; left &= left - 1) {
        lin_op *op = h->open[__builtin_ctzll(left)];
        if (op->thread == thread)
            return op;
    }
    return NULL;
}

lin_op *lin_begin(lin *h, uint32_t thread, uint32_t site, const wire_call *call)
{
    if (~h->used == 0)
        return NULL;
    uint32_t place = (uint32_t)__builtin_ctzll(~h->used);
    if (place >= h->width)
        widen(h);
    RT_ASSERT(place < h->width && h->open[place] == NULL); /* L2 */
    lin_op *op = h->host->alloc(sizeof *op);
    *op = (lin_op){.call = *call,
                   .thread = thread,
                   .site = site,
                   .number = h->n_ops++,
                   .begin = ++h->n_marks};
    if (h->last)
        h->last->next = op;
    else
        h->first = op;
    h->last = op;
    h->open[place] = op;
    h->used |= UINT64_C(1) << place;
    return op;
}

static const lin_trail *trail_add(lin *h, const lin_trail *before, const lin_op *op)
{
    lin_trail *t = h->host->alloc(sizeof *t);
    *t = (lin_trail){before, op};
    return t;
}

/* ---- ends ---- */

/* The end that is looked at. */
typedef struct ending {
    lin *h;
    const lin_op *op;
    uint32_t place;
    bool full; /* too many worlds */
} ending;

/* In the world a, in whose trail the operation is, it does something else. */
static void say(ending *e, const lin_trail *order, bool possible, uint64_t result)
{
    lin *h = e->h;
    for (uint32_t i = 0; i < h->n_sayings; i++)
        if (h->sayings[i].possible == possible && h->sayings[i].result == result)
            return;
    if (h->n_sayings < LIN_SAYINGS)
        h->sayings[h->n_sayings++] = (lin_saying){order, possible, result};
}

static bool agrees(const ending *e, uint64_t result)
{
    return !e->op->has_result || result == e->op->result;
}

/* Gives the operation its place in a: it is no longer open. */
static void settle(ending *e, world *a)
{
    RT_ASSERT(e->place < e->h->width);
    a->taken &= ~(UINT64_C(1) << e->place);
    a->results[e->place] = 0;
    e->full |= !worlds_add(e->h, &e->h->next, a);
}

/* Gives the open operation at place its place in the order after what a has: each way that the
 * specification allows. */
static void take(ending *e, const world *a, uint32_t place)
{
    lin *h = e->h;
    const lin_op *op = h->open[place];
    RT_ASSERT(op != NULL && (a->taken >> place & 1) == 0);
    world *b = (world *)(h->scratch + h->stride);
    wire_call call = op->call;
    int ways = 1;
    for (call.choice = 0; (int)call.choice < ways && !e->full; call.choice++) {
        uint64_t result = 0;
        memcpy(b, a, h->stride);
        ways = h->host->step(h->spec, state_of(h, b), &call, &result);
        if (ways <= 0) {
            if (place == e->place)
                say(e, trail_add(h, a->trail, op), false, 0);
            return;
        }
        b->trail = trail_add(h, a->trail, op);
        if (place == e->place && !agrees(e, result)) {
            say(e, b->trail, true, result);
        } else if (place == e->place) {
            settle(e, b);
        } else {
            b->taken |= UINT64_C(1) << place;
            b->results[place] = result;
            e->full |= !worlds_add(h, &h->reached, b);
        }
    }
}

/* The worlds where it is taken already agree or go; the others are where sequences start. */
static void part_worlds(ending *e)
{
    lin *h = e->h;
    world *a = (world *)h->scratch;
    for (uint32_t i = 0; i < h->now.n && !e->full; i++) {
        memcpy(a, world_at(h, &h->now, i), h->stride);
        if ((a->taken >> e->place & 1) == 0)
            e->full |= !worlds_add(h, &h->reached, a);
        else if (agrees(e, a->results[e->place]))
            settle(e, a);
        else
            say(e, a->trail, true, a->results[e->place]);
    }
}

static void try_sequences(ending *e)
{
    lin *h = e->h;
    world *a = (world *)h->scratch;
    for (uint32_t i = 0; i < h->reached.n && !e->full; i++) {
        memcpy(a, world_at(h, &h->reached, i), h->stride);
        for (uint64_t left = h->used & ~a->taken; left && !e->full; left &= left - 1)
            take(e, a, (uint32_t)__builtin_ctzll(left));
    }
}

static uint32_t place_of(const lin *h, const lin_op *op)
{
    uint32_t place = 0;
    while (place < LIN_OPEN && h->open[place] != op)
        place++;
    RT_ASSERT(place < LIN_OPEN && (h->used >> place & 1)); /* L2 */
    return place;
}

lin_verdict lin_end(lin *h, lin_op *op, uint64_t result, bool has_result)
{
    RT_ASSERT(op->end == 0 && h->now.n > 0); /* it is open; L1 */
    op->result = has_result ? result : 0;
    op->has_result = has_result;
    op->end = ++h->n_marks;
    ending e = {.h = h, .op = op, .place = place_of(h, op)};
    h->n_sayings = 0;
    worlds_clear(&h->next);
    worlds_clear(&h->reached);
    part_worlds(&e);
    try_sequences(&e);
    h->used &= ~(UINT64_C(1) << e.place);
    h->open[e.place] = NULL;
    lin_worlds now = h->next;
    h->next = h->now;
    h->now = now;
    if (e.full)
        return LIN_TOO_MANY;
    return h->now.n > 0 ? LIN_EXPLAINED : LIN_NOT_EXPLAINED;
}
