/* SPDX-License-Identifier: Apache-2.0 */
/* trace/decode.h - what the files decode*.c share: from records of the program to a trc.
 *
 * Purpose     Every byte may be wrong. A record is refused with a sentence, or it leaves the trc valid.
 * Invariants  (D1) unless it is dropped, what a note is about is the last of its vector;
 *             (D2) dropping: it was not kept, and neither are notes about it.
 *
 * What a note is about: the operation or note before it that can have notes.
 *
 *   any     -> OP       operation    NOTE_ENABLED, NOTE_OLD, NOTE_WOKEN, NOTE_THREAD, NOTE_FROM,
 *                                  NOTE_BEHIND, NOTE_OPERAND may follow
 *   any     -> ACCESS   NOTE_READ, NOTE_WRITE                 NOTE_OLD may follow
 *   any     -> FAIL     NOTE_FAIL    NOTE_OTHER, NOTE_BLOCK, NOTE_TEXT may follow
 *   any     -> GAP      NOTE_GAP                             NOTE_TEXT may follow
 *   any     -> INPUT    NOTE_INPUT                           NOTE_TEXT may follow
 *   FAIL    -> CALL     NOTE_CALL              NOTE_ARGS, NOTE_TEXT, NOTE_CALL may follow
 *   CALL    -> ORDER    NOTE_ORDER, NOTE_SAYS               more of them may follow
 *   any     -> NOTHING  NOTE_WAIT, NOTE_HELD, NOTE_TOUCH, NOTE_NODE, NOTE_CASE, NOTE_WHY,
 *                       NOTE_SPIN, NOTE_USED, NOTE_FRAMES; the start
 *   any     -> NOTHING  NOTE_NEXT                  no operation may follow any more
 *   any     -> (end)    NOTE_DONE                                                    */
#pragma once

#include "trace/trace.h"

#include "base/assert.h"

enum trc_subject {
    TRC_ABOUT_NOTHING,
    TRC_ABOUT_OP,
    TRC_ABOUT_ACCESS,
    TRC_ABOUT_FAIL,
    TRC_ABOUT_GAP,
    TRC_ABOUT_INPUT,
    TRC_ABOUT_CALL,
    TRC_ABOUT_ORDER,
    TRC_N_SUBJECTS
};

/* The run is refused, at this record. */
td_status trc_reject(const trc *t, td_diag *diag, const char *format, ...)
    TD_PRINTF(3, 4);

static inline bool trc_thread_exists(const trc *t, uint64_t thread)
{
    return thread < t->threads.len;
}

static inline trc_op *trc_last_op(trc *t)
{
    TD_DASSERT(t->ops.len > 0);
    return &t->ops.at[t->ops.len - 1];
}

static inline uint32_t trc_n_ops(const trc *t)
{
    return (uint32_t)t->ops.len;
}

static inline void trc_text_close(trc *t)
{
    if (t->decoder.text_open)
        td_text_put(&t->texts, "", 1);
    t->decoder.text_open = false;
}

/* Starts a new subject. False: there are max of them already and it is dropped. */
static inline bool trc_subject_start(trc *t, enum trc_subject subject, size_t len,
                                     size_t max)
{
    TD_DASSERT(subject < TRC_N_SUBJECTS);
    t->decoder.subject = (uint8_t)subject;
    t->decoder.dropping = len >= max;
    t->n_dropped += len >= max;
    return len < max;
}

/* What is said to be in a granule is an access in one. */
static inline bool trc_fits_granule(const wire_rec *r, uint8_t kind, uint32_t size)
{
    return !(r->order & WIRE_ORDER_WHOLE) ||
           (mdl_is_access(kind) && size > 0 &&
            r->object % WIRE_GRANULE + size <= WIRE_GRANULE);
}

/* Everything that had to follow the last operation must have come. */
static inline td_status trc_subject_end(trc *t, td_diag *diag)
{
    trc_decoder *d = &t->decoder;
    trc_text_close(t);
    if (d->wants_thread)
        return trc_reject(t, diag, "the thread created before it was not named");
    if (d->subject == TRC_ABOUT_OP) {
        const trc_op *op = trc_last_op(t);
        if (op->n_alternatives > 0 && op->n_alternatives + 1 != op->n_enabled)
            return trc_reject(t, diag, "%u alternatives named, %u threads enabled",
                              op->n_alternatives, op->n_enabled);
    }
    return TD_OK;
}

/* --- decode_ops.c --- */

td_status trc_take_op(trc *t, const wire_rec *r, uint64_t max_ops, td_diag *diag);
td_status trc_take_woken(trc *t, const wire_rec *r, td_diag *diag);
td_status trc_take_enabled(trc *t, const wire_rec *r, td_diag *diag);
td_status trc_take_old(trc *t, const wire_rec *r, td_diag *diag);
td_status trc_take_choice(trc *t, const wire_rec *r, td_diag *diag);
td_status trc_take_operand(trc *t, const wire_rec *r, td_diag *diag);
/* What was in memory before a write that did not read it. If nobody has written there, frames of the runtime left it. */
bool trc_is_unread(const trc *t, const wire_rec *r);
td_status trc_take_thread(trc *t, const wire_rec *r, td_diag *diag);
td_status trc_take_why(trc *t, const wire_rec *r, td_diag *diag);
td_status trc_take_spin(trc *t, const wire_rec *r, td_diag *diag);
td_status trc_take_wrote(trc *t, const wire_rec *r, td_diag *diag);

/* --- decode_notes.c --- */

td_status trc_take_text(trc *t, const wire_rec *r, td_diag *diag);
td_status trc_take_access(trc *t, const wire_rec *r, td_diag *diag);
td_status trc_take_fail(trc *t, const wire_rec *r, td_diag *diag);
td_status trc_take_other(trc *t, const wire_rec *r, td_diag *diag);
td_status trc_take_party(trc *t, const wire_rec *r, td_diag *diag);
td_status trc_take_wait(trc *t, const wire_rec *r, td_diag *diag);
td_status trc_take_next(trc *t, const wire_rec *r, td_diag *diag);
td_status trc_take_loop(trc *t, const wire_rec *r, td_diag *diag);
td_status trc_take_use(trc *t, const wire_rec *r, td_diag *diag);
td_status trc_take_frames(trc *t, const wire_rec *r, td_diag *diag);
td_status trc_take_gap(trc *t, const wire_rec *r, td_diag *diag);
td_status trc_take_side(trc *t, const wire_rec *r, td_diag *diag);

/* --- touches.c --- */

td_status trc_take_touch(trc *t, const wire_rec *r, td_diag *diag);

/* --- decode_history.c --- */

td_status trc_take_call(trc *t, const wire_rec *r, td_diag *diag);
td_status trc_take_args(trc *t, const wire_rec *r, td_diag *diag);
td_status trc_take_order(trc *t, const wire_rec *r, td_diag *diag);
td_status trc_take_says(trc *t, const wire_rec *r, td_diag *diag);

/* --- decode_symbolic.c --- */

td_status trc_take_input(trc *t, const wire_rec *r, td_diag *diag);
td_status trc_take_node(trc *t, const wire_rec *r, td_diag *diag);
td_status trc_take_case(trc *t, const wire_rec *r, td_diag *diag);
