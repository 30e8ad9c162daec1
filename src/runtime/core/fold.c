/* SPDX-License-Identifier: Apache-2.0 */
/* Iterations of loops that end in the same state, whatever happened in them (WIRE_JOB_FOLD).
 *
 * A thread that comes to the header of a loop again differs from itself on another way through the same
 * activation of the loop only by what the body has changed: the header's PHIs, memory that was written with
 * plain accesses, and what the runtime keeps of the thread. A note tells a hash of these. Where two
 * runs tell the same one, the thread goes on in the same way, and what was learned of it on one way holds
 * on the other.
 *
 * Memory that is shared counts for nothing here: accesses to it are operations. A value that depends on what
 * operations read or on inputs has a place: it is written there before the header and read behind it, by
 * operations that no other thread notices. If it cannot have one, the header is not told. Whatever else may differ
 * ends the notes of the loop until it is entered again: memory taken or given back, the time, a call that
 * leads out of the executable, more writes than are kept. */
#include "runtime/core/above.h"

#include <string.h>

#include "runtime/core/spin.h"

static uint64_t n_apart(const rt_spin *s)
{
    return s->fold->n_apart + s->n_asked + s->n_times;
}

/* ---- what was written ---- */

static bool has_cell(const rt_fold *f, uint32_t from, const rt_cell *cell)
{
    for (uint32_t i = from; i < f->n_cells; i++)
        if (f->cells[i].address == cell->address && f->cells[i].size == cell->size)
            return true;
    return false;
}

/* About to be written. */
static void add_cell(rt_fold *f, uint32_t from, rt_cell cell)
{
    if (has_cell(f, from, &cell))
        return;
    if (f->n_cells == RT_MAX_CELLS) {
        f->n_apart++;
        return;
    }
    cell.depended = rt->above->by_inputs(cell.address, cell.size);
    memcpy(cell.was, (const void *)cell.address, cell.size);
    f->cells[f->n_cells++] = cell;
}

void rt_fold_wrote(rt_thread *self, uint64_t p, uint64_t size)
{
    rt_fold *f = self->spin.fold;
    const rt_folded *inner = f && f->n_loops > 0 ? &f->loops[f->n_loops - 1] : NULL;
    if (!inner || inner->n_apart != n_apart(&self->spin))
        return;
    if (size > RT_CELLS_OF_WRITE * RT_CELL_BYTES) {
        f->n_apart++;
        return;
    }
    for (uint64_t n; size > 0; p += n, size -= n) {
        n = size < RT_CELL_BYTES ? size : RT_CELL_BYTES;
        add_cell(f, inner->first, (rt_cell){.address = p, .size = (uint32_t)n});
    }
}

/* Inner loops have added what was there before. */
static void drop_doubles(rt_fold *f, uint32_t first)
{
    uint32_t n = f->n_cells;
    f->n_cells = first;
    for (uint32_t i = first; i < n; i++)
        if (!has_cell(f, first, &f->cells[i]))
            f->cells[f->n_cells++] = f->cells[i];
}

void rt_fold_did(rt_fold *f, uint8_t kind)
{
    f->n_odd += mdl_creates(kind) || mdl_joins(kind);
}

/* ---- loops that the thread is in ---- */

static bool is_on_stack(const rt_thread *self, const wire_loop *loop)
{
    uint64_t at = (uint64_t)loop;
    return at >= rt_stack_bottom(self->slot) && at < rt_stack_top(self->slot);
}

/* The place of the loop among those that the thread is in; the ones in it were left. Behind them all if it is not there. */
static uint32_t place_of(rt_thread *self, const wire_loop *loop)
{
    rt_fold *f = self->spin.fold;
    while (f->n_loops > 0 &&
           (uint64_t)f->loops[f->n_loops - 1].loop < self->spin.frames_end)
        f->n_loops--;
    uint32_t i = 0;
    while (i < f->n_loops && f->loops[i].loop != loop)
        i++;
    return i;
}

static void tell(const rt_thread *self, const wire_loop *loop, enum wire_loop_at at,
                 uint64_t hash, uint32_t site)
{
    rt_flush();
    wire_rec *r = rt_emit(WIRE_NOTE_LOOP);
    r->thread = self->id;
    r->site = site;
    r->size = (uint8_t)at;
    r->object = (uint64_t)loop;
    r->value = hash;
}

static uint64_t mixed(uint64_t state, uint64_t word)
{
    state = (state ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    return state ^ state >> 32;
}

/* Of all but memory. */
static uint64_t hash_of_thread(const rt_thread *self, const rt_fold_here *here)
{
    uint64_t locks = 0;
    for (uint32_t h = self->held; h != RT_NONE; h = rt_object_by_index(h)->held_next)
        locks += mixed(2, rt_object_by_index(h)->address); /* in any order */
    return mixed(mixed(mixed(1, locks), (uint64_t)self->now_ns), self->n_spurious) +
           here->state;
}

/* The entry for the hash and what the loop carries, or the oldest one. */
static rt_told *told_at(rt_folded *l, uint64_t hash, uint64_t values)
{
    for (uint32_t i = 0; i < RT_MAX_TOLD; i++)
        if (l->told[i].hash == hash && l->told[i].values == values)
            return &l->told[i];
    rt_told *oldest = &l->told[l->n_told++ % RT_MAX_TOLD];
    *oldest = (rt_told){0};
    return oldest;
}

static uint64_t hash_of_values(const rt_fold *f)
{
    uint64_t state = 0;
    for (uint32_t i = 0; i < f->n_slots; i++)
        state = mixed(mixed(state, f->slots[i].at), f->slots[i].value);
    return state;
}

/* What a loop carries may never be the same again, such as a counter. Where it is no slot yet, it will be one in the next
 * run: treadle looks at how many states there were. */
static bool is_endless(const rt_thread *self, const rt_folded *l)
{
    bool is_left = self->spin.fold->n_slots > 0 || !rt->slots_all;
    return is_left && l->n_told > RT_MANY_TOLD && !self->by_step;
}

/* Records that self is at the header in the state with this hash. If it was there before in this activation of the
 * loop, and the steps of the job are done, self stops: it would do nothing new. */
static void tell_state(rt_thread *self, rt_folded *l, uint64_t hash,
                       const rt_fold_here *here, enum wire_loop_at at)
{
    uint64_t values = hash_of_values(self->spin.fold), n_odd = self->spin.fold->n_odd;
    rt_told *t = told_at(l, hash, values);
    bool was_here = t->hash == hash && t->n_odd == n_odd;
    bool stops = (was_here || is_endless(self, l)) && !rt->job.following;
    *t = (rt_told){hash, values, n_odd};
    tell(self, l->loop, at, hash, here->site);
    if (stops) {
        self->spin.is_folded = true;
        rt_cut(self, here->site);
        self->spin.is_folded = false;
    }
}

/* ---- the hash ---- */

/* A cell of a function that has returned. */
static bool is_gone(const rt_thread *self, const rt_cell *c)
{
    return c->address >= rt_stack_bottom(self->slot) &&
           c->address < self->spin.frames_end;
}

/* False: there is no room. */
static bool add_slot(rt_fold *f, rt_slot slot)
{
    if (f->n_slots == RT_MAX_SLOTS)
        return false;
    f->slots[f->n_slots++] = slot;
    return true;
}

/* It depends on what was read, or it did when the loop was entered, or it is not what it was then. */
static bool is_carried(const rt_cell *c, bool all)
{
    return rt->above->by_inputs(c->address, c->size) ||
           (all &&
            (c->depended || memcmp(c->was, (const void *)c->address, c->size) != 0));
}

/* The place of a cell is the cell. False: it can have none. */
static bool add_cell_slot(rt_fold *f, const rt_cell *c)
{
    if (c->size != 1 && c->size != 2 && c->size != 4 && c->size != 8)
        return false;
    uint64_t value = rt_peek(c->address, c->size);
    return add_slot(f, (rt_slot){.at = c->address,
                                 .size = c->size,
                                 .label = rt->above->label_at(c->address, c->size, value),
                                 .value = value});
}

/* What slots hold is not in the hash. False: a cell that depends on what was read has no place. */
static bool hash_cells(const rt_thread *self, uint32_t first, bool all, uint64_t *hash)
{
    rt_fold *f = self->spin.fold;
    for (uint32_t i = first; i < f->n_cells; i++) {
        const rt_cell *c = &f->cells[i];
        uint64_t words[2] = {0, 0};
        if (is_gone(self, c))
            continue;
        uint64_t place = mixed(mixed(1, c->address), c->size);
        if (is_carried(c, all)) {
            *hash += mixed(place, 3);
            if (!add_cell_slot(f, c))
                return false;
            continue;
        }
        memcpy(words, (const void *)c->address, c->size);
        *hash += mixed(mixed(place, words[0]), words[1]); /* in any order */
    }
    return true;
}

static bool hash_phis(rt_fold *f, const rt_folded *l, const rt_fold_here *here, bool all,
                      uint64_t *hash)
{
    for (uint32_t i = 0; i < here->n_phis; i++) {
        plan_phi *p = &here->phis[i];
        const plan_phi *was = i < l->n_phis ? &l->phis[i] : p;
        uint32_t number = p->what >> 8;
        bool is_slot = p->label || (all && (was->label || was->value != p->value));
        if (!is_slot)
            continue;
        *hash += mixed(4, number) - wire_phi_hash(number, p->value);
        if (!add_slot(f, (rt_slot){.at = (uint64_t)&l->loop->slots[i],
                                   .size = sizeof l->loop->slots[i],
                                   .label = p->label,
                                   .value = p->value,
                                   .phi = p}))
            return false;
    }
    return true;
}

/* Finds the slots, and a hash of all else. all: whatever was changed is one. False: something that depends on what was
 * read cannot be one. */
static bool find_slots(rt_thread *self, const rt_folded *l, const rt_fold_here *here,
                       bool all, uint64_t *hash)
{
    self->spin.fold->n_slots = 0;
    *hash = hash_of_thread(self, here);
    return hash_phis(self->spin.fold, l, here, all, hash) &&
           hash_cells(self, l->first, all, hash);
}

/* ---- what the loop carries ---- */

/* An operation of self alone, at once. */
static void do_slot(rt_thread *self, uint8_t kind, const rt_slot *s, uint32_t site)
{
    rt_op saved = self->pending;
    uint64_t called_at = self->called_at;
    rt_op *op = rt_op_new(kind, site, s->at);
    op->size = (uint8_t)s->size;
    op->flags = WIRE_ACCESS_PLAIN | WIRE_ACCESS_SLOT | WIRE_F_FORCED;
    rt_depth_forgive();
    rt_operation();
    self->pending = saved;
    self->called_at = called_at;
}

/* What depends on what was read is written to its place before the header and read behind it: that is what the
 * thread knows from here on, whichever way it came. */
static void stand_at(rt_thread *self, rt_folded *l, uint64_t hash,
                     const rt_fold_here *here, enum wire_loop_at at)
{
    rt_fold *f = self->spin.fold;
    for (uint32_t i = 0; i < f->n_slots; i++) {
        const rt_slot *s = &f->slots[i];
        do_slot(self, WIRE_STORE, s, here->site);
        if (s->phi)
            *(uint64_t *)s->at = s->value;
        rt->above->slot_written(s->label, s->value);
    }
    tell_state(self, l, hash, here, at);
    for (uint32_t i = 0; i < f->n_slots; i++) {
        const rt_slot *s = &f->slots[i];
        do_slot(self, WIRE_LOAD, s, here->site);
        uint32_t label = rt->above->slot_read(s->phi ? s->phi->what & 0xff : 8 * s->size);
        if (s->phi)
            s->phi->label = label;
        else
            rt->above->label_put(s->at, s->size, label);
    }
}

/* Self is at the header of this activation. */
static void come(rt_thread *self, rt_folded *l, const rt_fold_here *here,
                 enum wire_loop_at at)
{
    uint64_t hash = 0;
    bool is_known = (rt->slots_all && find_slots(self, l, here, true, &hash)) ||
                    find_slots(self, l, here, false, &hash);
    if (is_known)
        stand_at(self, l, hash, here, at);
    else if (at == WIRE_LOOP_ENTERED)
        tell(self, l->loop, at, 0, here->site);
}

static void enter(rt_thread *self, wire_loop *loop, const rt_fold_here *here)
{
    rt_spin *s = &self->spin;
    if (!s->fold)
        s->fold = rt_bump(sizeof *s->fold);
    rt_fold *f = s->fold;
    f->n_loops = place_of(self, loop);
    if (f->n_loops == RT_MAX_FOLDED)
        return;
    if (f->n_loops == 0)
        f->n_cells = 0;
    rt_folded *l = &f->loops[f->n_loops++];
    *l = (rt_folded){
        .loop = loop, .n_apart = n_apart(s), .first = f->n_cells, .n_phis = here->n_phis};
    memcpy(l->phis, here->phis, here->n_phis * sizeof l->phis[0]);
    bool is_first =
        self->ended_segment == 0; /* no operation that it could come back to */
    if (here->carries || is_first)
        tell(self, loop, WIRE_LOOP_ENTERED, 0, here->site);
    else
        come(self, l, here, WIRE_LOOP_ENTERED);
}

void rt_fold_header(rt_thread *self, wire_loop *loop, bool enters,
                    const rt_fold_here *here)
{
    if (!is_on_stack(self, loop))
        return;
    if (enters) {
        enter(self, loop, here);
        return;
    }
    rt_fold *f = self->spin.fold;
    uint32_t at = f ? place_of(self, loop) : 0;
    if (!f || at == f->n_loops)
        return;
    f->n_loops = at + 1;
    rt_folded *l = &f->loops[at];
    drop_doubles(f, l->first);
    if (l->n_apart == n_apart(&self->spin) && !here->carries)
        come(self, l, here, WIRE_LOOP_CAME_ROUND);
}
