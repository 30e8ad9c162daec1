/* SPDX-License-Identifier: Apache-2.0 */
#include "unfold/unfold_int.h"

/* Loops that wait.
 *
 * A run may show that a thread's next operation, if it reads a certain value, only takes it round
 * a loop: the operation was undone (a spin), and is not an event. So the history waits in that
 * state, as others wait for a lock that is held, and in every state of the object with the same
 * value: what a thread does follows from its history and the value. The value of a state is what
 * its event wrote. This holds for states that the history does not know: what it knows may have
 * been written over by plain writes since. A value that depends on inputs is not known here.
 *
 * Where several reads make a round, only the last one is undone; the others are events, and the
 * history that waits comes after them. */

enum { FIRST_BITS = 6 };

/* A value that is taken for not known; if a program uses it, a few runs more are made. */
#define VALUE_UNKNOWN UINT64_C(0xd4f1a3c2957be860)

/* Values of objects other than memory. */
enum { VALUE_OPEN, VALUE_CLOSED };

struct unf_spinning {
    unf_spin_vec all;
    uint32_t *slots; /* by history: the first of all, + 1; 0: free */
    uint32_t bits, n_slots;
    unf_side_vec values; /* by event */
};

unf_spinning *unf_spinning_new(void)
{
    unf_spinning *x = td_alloc(sizeof *x);
    x->bits = FIRST_BITS;
    x->slots = td_alloc(sizeof(uint32_t) << x->bits);
    return x;
}

void unf_spinning_free(unf_spinning *x)
{
    unf_spin_vec_fini(&x->all);
    unf_side_vec_fini(&x->values);
    td_free(x->slots);
    td_free(x);
}

/* ---- values ---- */

void unf_value_note(unf *u, const trc *t, const trc_op *op, uint32_t event)
{
    unf_side_vec *values = &u->spinning->values;
    if (!mdl_writes(op->kind) || trc_is_promoted(op) || t->inputs.len > 0 || op->size > 8)
        return;
    TD_DASSERT(event < u->nodes.len);
    while (values->len <= event)
        unf_side_vec_push(values, VALUE_UNKNOWN);
    values->at[event] = op->value;
}

static uint64_t value_of(const unf *u, uint32_t state)
{
    const unf_node *s = node_at(u, state);
    const unf_side_vec *values = &u->spinning->values;
    if (!mdl_is_op(s->kind))
        return VALUE_UNKNOWN;
    if (!mdl_is_access(s->kind))
        return s->flags & NODE_CLOSED ? VALUE_CLOSED : VALUE_OPEN;
    return state < values->len ? values->at[state] : VALUE_UNKNOWN;
}

/* ---- histories ---- */

static uint32_t *slot_of(const unf_spinning *x, uint32_t history)
{
    uint32_t mask = (UINT32_C(1) << x->bits) - 1;
    uint32_t i = (history * UINT32_C(0x9e3779b1)) >> (32 - x->bits);
    while (x->slots[i] && x->all.at[x->slots[i] - 1].history != history)
        i = (i + 1) & mask;
    return &x->slots[i];
}

static void slots_grow(unf_spinning *x)
{
    TD_ASSERT(x->bits < 31);
    td_free(x->slots);
    x->bits++;
    x->slots = td_alloc(sizeof(uint32_t) << x->bits);
    for (uint32_t i = 0; i < x->all.len; i++) {
        uint32_t *slot = slot_of(x, x->all.at[i].history);
        x->all.at[i].next = *slot;
        *slot = i + 1;
    }
}

static const unf_spin *first_of(const unf *u, uint32_t history)
{
    uint32_t ix = u->spinning->all.len > 0 ? *slot_of(u->spinning, history) : 0;
    return ix ? &u->spinning->all.at[ix - 1] : NULL;
}

static const unf_spin *next_of(const unf *u, const unf_spin *spin)
{
    return spin->next ? &u->spinning->all.at[spin->next - 1] : NULL;
}

const unf_spin *unf_spin_at(const unf *u, uint32_t history, unf_state state)
{
    const unf_spin *spin = first_of(u, history);
    for (; spin; spin = next_of(u, spin))
        if (spin->state == state.ix ||
            (state.ix > history && spin->value != VALUE_UNKNOWN &&
             value_of(u, state.ix) == spin->value))
            return spin;
    return NULL;
}

static void spin_add(unf_spinning *x, unf_spin spin)
{
    if (2 * ++x->n_slots > UINT32_C(1) << x->bits)
        slots_grow(x);
    uint32_t *slot = slot_of(x, spin.history);
    spin.next = *slot;
    unf_spin_vec_push(&x->all, spin);
    *slot = (uint32_t)x->all.len;
    TD_DASSERT(x->all.at[*slot - 1].next < *slot);
}

/* Settles targets of the history that are now known not to be events. True: one was in this state. */
static bool settle(unf *u, uint32_t history, unf_state state)
{
    bool found = false;
    for (uint32_t c = unf_first_child(u, history); c != UNF_NONE;
         c = unf_next_child(u, c)) {
        unf_node *n = node_at(u, c);
        if (n->after == UNF_NONE || !unf_spin_at(u, history, (unf_state){n->after}))
            continue;
        found |= n->after == state.ix;
        if (n->status == UNF_TARGET)
            n->status = UNF_SETTLED;
    }
    return found;
}

static uint64_t value_read(const trc_op *op)
{
    if (mdl_is_access(op->turned))
        return op->value;
    return mdl_found_closed(op->turned) ? VALUE_CLOSED : VALUE_UNKNOWN;
}

void unf_spin_learn(unf *u, const trc_op *op, uint32_t history, unf_state state)
{
    TD_ASSERT(state.ix != UNF_NONE && node_is_state(node_at(u, state.ix)));
    if (unf_spin_at(u, history, state))
        return;
    spin_add(u->spinning, (unf_spin){.value = value_read(op),
                                     .history = history,
                                     .state = state.ix,
                                     .n_round = (uint32_t)op->old,
                                     .loop = op->loop});
    if (!settle(u, history, state))
        unf_block(u, history, state);
}

bool unf_spins(const unf *u, uint32_t target)
{
    const unf_node *n = node_at(u, target);
    return n->status == UNF_SETTLED && n->after != UNF_NONE &&
           unf_spin_at(u, n->before, (unf_state){n->after}) != NULL;
}

bool unf_may_spin(const unf *u, uint32_t history)
{
    return first_of(u, history) != NULL;
}

uint64_t unf_n_spins(const unf *u)
{
    return u->spinning->all.len;
}

bool unf_any_spin(const unf *u)
{
    return u->spinning->all.len > 0;
}
