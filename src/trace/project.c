/* SPDX-License-Identifier: Apache-2.0 */
/* Makes a run without some of its operations. */
#include "trace/trace.h"

#include "base/assert.h"

/* New index of operation i; of a hidden one, the index of the next operation. */
static uint32_t *new_places(const trc *t, const bool *hidden)
{
    uint32_t *places = td_alloc((t->ops.len + 1) * sizeof *places);
    uint32_t n = 0;
    for (size_t i = 0; i < t->ops.len; i++) {
        places[i] = n;
        n += !hidden[i];
    }
    places[t->ops.len] = n;
    return places;
}

static void move(uint32_t *place, const uint32_t *places)
{
    TD_DASSERT(*place == UINT32_MAX || places[*place] <= *place);
    if (*place != UINT32_MAX)
        *place = places[*place];
}

static void move_notes(trc *out, const uint32_t *places)
{
    for (size_t i = 0; i < out->threads.len; i++) {
        move(&out->threads.at[i].create_op, places);
        move(&out->threads.at[i].end_op, places);
    }
    for (size_t i = 0; i < out->accesses.len; i++)
        move(&out->accesses.at[i].before_op, places);
    for (size_t i = 0; i < out->touches.len; i++)
        move(&out->touches.at[i].before_op, places);
    for (size_t i = 0; i < out->uses.len; i++)
        move(&out->uses.at[i].before_op, places);
    for (size_t i = 0; i < out->loops.len; i++)
        move(&out->loops.at[i].before_op, places);
    for (size_t i = 0; i < out->inputs.len; i++)
        move(&out->inputs.at[i].before_op, places);
    for (size_t i = 0; i < out->fails.len; i++)
        move(&out->fails.at[i].after_op, places);
}

/* Number of operations of a spin's iteration that remain. */
static uint64_t round_of(const trc *t, size_t spin, const bool *hidden)
{
    TD_DASSERT(spin < t->ops.len && mdl_spins(t->ops.at[spin].kind));
    uint64_t n = 0, left = t->ops.at[spin].old;
    for (size_t i = spin + 1; i-- > 0 && left > 0;) {
        if (t->ops.at[i].thread != t->ops.at[spin].thread)
            continue;
        n += !hidden[i];
        left--;
    }
    return n;
}

void trc_project(const trc *t, const bool *hidden, const bool *next_hidden, trc *out)
{
    TD_ASSERT(out != t);
    trc_copy(out, t);
    uint32_t *places = new_places(t, hidden);
    size_t n = 0;
    for (size_t i = 0; i < t->ops.len; i++)
        if (!hidden[i]) {
            out->ops.at[n] = t->ops.at[i];
            if (mdl_spins(t->ops.at[i].kind))
                out->ops.at[n].old = round_of(t, i, hidden);
            n++;
        }
    TD_ASSERT(n == places[t->ops.len]);
    out->ops.len = n;
    out->n_choices = 0;
    for (size_t i = 0; i < n; i++)
        out->n_choices += trc_is_choice(&out->ops.at[i]);
    for (size_t i = 0; i < out->nexts.len; i++)
        if (next_hidden[i])
            out->nexts.at[i].kind = WIRE_NONE;
    move_notes(out, places);
    td_free(places);
}
