/* SPDX-License-Identifier: Apache-2.0 */
/* A run from its records, one after the other. */
#include "trace/decode.h"

static_assert(offsetof(trc_decoder, block) ==
                  offsetof(trc_decoder, chain) + sizeof(td_id),
              "chain and block are hashed in one go");

static td_status take_done(trc *t, const wire_rec *r, td_diag *diag)
{
    TD_TRY(trc_subject_end(t, diag));
    if (r->size >= WIRE_N_DONES)
        return trc_reject(t, diag, "an end of the run by %u", r->size);
    if (r->object != t->ops.len)
        return trc_reject(t, diag, "%llu operations announced, %zu came",
                          (unsigned long long)r->object, t->ops.len);
    if (r->count != t->n_choices)
        return trc_reject(t, diag, "%u choices announced, %u came", r->count,
                          t->n_choices);
    t->done = r->size;
    t->exit_code = r->value;
    t->has_outcome = (r->flags & WIRE_ENDED_OUTCOME) != 0;
    t->outcome = t->has_outcome ? (uint64_t)r->site << 32 | r->thread : 0;
    t->has_stores = (r->flags & WIRE_ENDED_STORES) != 0;
    t->has_labels = (r->flags & WIRE_ENDED_LABELS) != 0;
    t->is_stopped = (r->flags & WIRE_ENDED_CUT) != 0;
    t->is_cut = r->size == WIRE_DONE_FAIL || (r->flags & WIRE_ENDED_CUT);
    t->complete = true;
    return TD_OK;
}

static td_status take_note(trc *t, const wire_rec *r, td_diag *diag)
{
    switch (r->kind) {
    case WIRE_NOTE_ENABLED:
        return trc_take_enabled(t, r, diag);
    case WIRE_NOTE_WOKEN:
        return trc_take_woken(t, r, diag);
    case WIRE_NOTE_OLD:
        return trc_take_old(t, r, diag);
    case WIRE_NOTE_THREAD:
        return trc_take_thread(t, r, diag);
    case WIRE_NOTE_READ:
    case WIRE_NOTE_WRITE:
        return trc_take_access(t, r, diag);
    case WIRE_NOTE_FAIL:
        return trc_take_fail(t, r, diag);
    case WIRE_NOTE_OTHER:
        return trc_take_other(t, r, diag);
    case WIRE_NOTE_WAIT:
    case WIRE_NOTE_HELD:
        return trc_take_wait(t, r, diag);
    case WIRE_NOTE_NEXT:
        return trc_take_next(t, r, diag);
    case WIRE_NOTE_TOUCH:
        return trc_take_touch(t, r, diag);
    case WIRE_NOTE_USED:
        return trc_take_use(t, r, diag);
    case WIRE_NOTE_LOOP:
        return trc_take_loop(t, r, diag);
    case WIRE_NOTE_BLOCK:
        return trc_take_party(t, r, diag);
    case WIRE_NOTE_GAP:
        return trc_take_gap(t, r, diag);
    case WIRE_NOTE_TEXT:
        return trc_take_text(t, r, diag);
    case WIRE_NOTE_INPUT:
        return trc_take_input(t, r, diag);
    case WIRE_NOTE_NODE:
        return trc_take_node(t, r, diag);
    case WIRE_NOTE_WHY:
        return trc_take_why(t, r, diag);
    case WIRE_NOTE_WROTE:
        return trc_take_wrote(t, r, diag);
    case WIRE_NOTE_SIDE:
        return trc_take_side(t, r, diag);
    case WIRE_NOTE_CASE:
        return trc_take_case(t, r, diag);
    case WIRE_NOTE_SPIN:
        return trc_take_spin(t, r, diag);
    case WIRE_NOTE_CALL:
        return trc_take_call(t, r, diag);
    case WIRE_NOTE_ARGS:
        return trc_take_args(t, r, diag);
    case WIRE_NOTE_ORDER:
        return trc_take_order(t, r, diag);
    case WIRE_NOTE_SAYS:
        return trc_take_says(t, r, diag);
    case WIRE_NOTE_FRAMES:
        return trc_take_frames(t, r, diag);
    case WIRE_NOTE_FROM:
    case WIRE_NOTE_BEHIND:
        return trc_take_choice(t, r, diag);
    case WIRE_NOTE_OPERAND:
        return trc_take_operand(t, r, diag);
    case WIRE_NOTE_DONE:
        return take_done(t, r, diag);
    default:
        return trc_reject(t, diag, "kind %u is unknown", r->kind);
    }
}

/* --- the stream --- */

/* The hash does not depend on how the records were cut into calls of trc_feed: it is
 * taken whenever TRC_BLOCK of them have come, and at the end. */
static void block_end(trc *t)
{
    TD_DASSERT(t->decoder.n_block <= TRC_BLOCK);
    trc_decoder *d = &t->decoder;
    d->chain = td_id_hash(&d->chain, sizeof d->chain + d->n_block * sizeof(wire_rec));
    d->n_block = 0;
}

/* Not a part of what the run did: such a value, and the text of a failure, which may be a guess from what is on the stack. */
static bool counts(const trc *t, const wire_rec *r)
{
    return !trc_is_unread(t, r) &&
           (r->kind != WIRE_NOTE_TEXT || t->decoder.subject != TRC_ABOUT_FAIL);
}

/* Decodes what block has from position at on; *n_taken counts records. Only those that count stay. */
static td_status take_block(trc *t, uint32_t at, uint32_t end, size_t *n_taken,
                            uint64_t max_ops, td_diag *diag)
{
    TD_DASSERT(at <= end && end <= TRC_BLOCK);
    trc_decoder *d = &t->decoder;
    for (uint32_t i = at; i < end && !t->complete;) {
        const wire_rec *r = &d->block[i];
        bool is_op = mdl_is_op(r->kind);
        ++*n_taken;
        d->n_recs++;
        TD_TRY(is_op ? trc_take_op(t, r, max_ops, diag) : take_note(t, r, diag));
        if (counts(t, r))
            d->n_block = ++i;
        else
            memmove(&d->block[i], &d->block[i + 1], (--end - i) * sizeof *r);
    }
    return TD_OK;
}

td_status trc_feed(trc *t, const wire_rec *recs, size_t n, size_t *n_used,
                   uint64_t max_ops, td_diag *diag)
{
    TD_ASSERT(!t->complete && t->threads.len > 0);
    trc_decoder *d = &t->decoder;
    *n_used = 0;
    while (*n_used < n && !t->complete) {
        uint32_t at = d->n_block;
        size_t left = n - *n_used;
        uint32_t taken = TRC_BLOCK - at < left ? TRC_BLOCK - at : (uint32_t)left;
        memcpy(d->block + at, recs + *n_used, taken * sizeof(wire_rec));
        TD_TRY(take_block(t, at, at + taken, n_used, max_ops, diag));
        if (d->n_block == TRC_BLOCK || t->complete)
            block_end(t);
    }
    if (t->complete)
        t->records = d->chain;
    return TD_OK;
}
