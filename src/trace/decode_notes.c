/* SPDX-License-Identifier: Apache-2.0 */
/* Notes of a run that are about no operation: plain accesses, failures, waits, what would be next,
 * gaps, stacks; and texts. */
#include "trace/decode.h"

/* Adds a piece of untrusted text to the open one: up to a zero, no control characters. */
static void text_put(trc *t, uint32_t start, const char *bytes, size_t n)
{
    TD_DASSERT(n <= WIRE_TEXT_BYTES && start <= t->texts.len);
    char clean[WIRE_TEXT_BYTES];
    size_t len = 0;
    while (len < n && bytes[len] != 0) {
        unsigned char c = (unsigned char)bytes[len];
        clean[len++] = c < 0x20 || c == 0x7f ? ' ' : (char)c;
    }
    TD_DASSERT(t->texts.len - start <= TRC_MAX_TEXT);
    size_t room = TRC_MAX_TEXT - (t->texts.len - start);
    td_text_put(&t->texts, clean, len < room ? len : room);
}

static uint32_t *text_of_subject(trc *t)
{
    switch (t->decoder.subject) {
    case TRC_ABOUT_FAIL:
        return &t->fails.at[t->fails.len - 1].text;
    case TRC_ABOUT_GAP:
        return &t->gaps.at[t->gaps.len - 1].text;
    case TRC_ABOUT_CALL:
        return &t->calls.at[t->calls.len - 1].text;
    default:
        TD_ASSERT(t->decoder.subject == TRC_ABOUT_INPUT && t->inputs.len > 0);
        return &t->inputs.at[t->inputs.len - 1].text;
    }
}

td_status trc_take_text(trc *t, const wire_rec *r, td_diag *diag)
{
    trc_decoder *d = &t->decoder;
    if (d->subject != TRC_ABOUT_FAIL && d->subject != TRC_ABOUT_GAP &&
        d->subject != TRC_ABOUT_INPUT && d->subject != TRC_ABOUT_CALL)
        return trc_reject(t, diag, "text without a record that it belongs to");
    if (r->size > WIRE_TEXT_BYTES)
        return trc_reject(t, diag, "%u bytes of text", r->size);
    if (d->dropping)
        return TD_OK;
    uint32_t *start = text_of_subject(t);
    if (!d->text_open)
        *start = (uint32_t)t->texts.len;
    d->text_open = true;
    text_put(t, *start, r->text, r->size);
    return TD_OK;
}

td_status trc_take_access(trc *t, const wire_rec *r, td_diag *diag)
{
    TD_TRY(trc_subject_end(t, diag));
    if (!trc_thread_exists(t, r->thread))
        return trc_reject(t, diag, "thread %u does not exist", r->thread);
    if (!trc_subject_start(t, TRC_ABOUT_ACCESS, t->accesses.len, TRC_MAX_ACCESSES))
        return TD_OK;
    trc_access_vec_push(&t->accesses, (trc_access){
                                          .thread = r->thread,
                                          .site = r->site,
                                          .before_op = trc_n_ops(t),
                                          .stack = t->threads.at[r->thread].stack,
                                          .size = r->size,
                                          .is_write = r->kind == WIRE_NOTE_WRITE,
                                          .is_free = r->kind == WIRE_NOTE_WRITE &&
                                                     (r->flags & WIRE_WRITE_FREES),
                                          .object = r->object,
                                          .value = r->value,
                                      });
    return TD_OK;
}

td_status trc_take_fail(trc *t, const wire_rec *r, td_diag *diag)
{
    TD_TRY(trc_subject_end(t, diag));
    bool memory = r->size == WIRE_FAIL_MEMORY;
    if (!trc_thread_exists(t, r->thread) || r->size >= WIRE_N_FAILS ||
        (memory && r->order >= WIRE_N_MEMORIES))
        return trc_reject(t, diag, "failure %u of thread %u", r->size, r->thread);
    if (!trc_subject_start(t, TRC_ABOUT_FAIL, t->fails.len, TRC_MAX_NOTES))
        return TD_OK;
    trc_fail_vec_push(&t->fails, (trc_fail){
                                     .kind = r->size,
                                     .thread = r->thread,
                                     .site = r->site,
                                     .call = r->count,
                                     .object = r->object,
                                     .value = r->value,
                                     .other_thread = UINT32_MAX,
                                     .memory = memory ? r->order : 0,
                                     .is_write = memory && (r->flags & WIRE_FAILED_WRITE),
                                     .goes_on = (r->flags & WIRE_FAILED_GOES_ON) != 0,
                                     .after_op = trc_n_ops(t),
                                     .stack = t->threads.at[r->thread].stack,
                                 });
    return TD_OK;
}

td_status trc_take_other(trc *t, const wire_rec *r, td_diag *diag)
{
    if (t->decoder.subject != TRC_ABOUT_FAIL)
        return trc_reject(t, diag, "the other access of a race, without the race");
    if (!trc_thread_exists(t, r->thread))
        return trc_reject(t, diag, "thread %u does not exist", r->thread);
    if (t->decoder.dropping)
        return TD_OK;
    trc_fail *f = &t->fails.at[t->fails.len - 1];
    if (f->kind != WIRE_FAIL_RACE || f->other_thread != UINT32_MAX)
        return trc_reject(t, diag, "the other access of a race, without the race");
    f->other_thread = r->thread;
    f->other_site = r->site;
    f->other_is_write = r->value != 0;
    f->size = r->size;
    return TD_OK;
}

td_status trc_take_party(trc *t, const wire_rec *r, td_diag *diag)
{
    if (t->decoder.subject != TRC_ABOUT_FAIL || r->size >= WIRE_N_BLOCKS)
        return trc_reject(t, diag, "a block without a failure");
    if (!trc_thread_exists(t, r->thread))
        return trc_reject(t, diag, "thread %u does not exist", r->thread);
    if (t->decoder.dropping)
        return TD_OK;
    trc_fail *f = &t->fails.at[t->fails.len - 1];
    bool has_block = f->kind == WIRE_FAIL_MEMORY || f->kind == WIRE_FAIL_LEAK;
    if (!has_block || f->parties[r->size].is_known)
        return trc_reject(t, diag, "a block without a failure");
    f->parties[r->size] = (trc_party){true, r->thread, r->site};
    if (r->size == WIRE_BLOCK_MADE) {
        f->block = r->object;
        f->block_bytes = r->value;
    }
    return TD_OK;
}

td_status trc_take_wait(trc *t, const wire_rec *r, td_diag *diag)
{
    TD_TRY(trc_subject_end(t, diag));
    bool is_wait = r->kind == WIRE_NOTE_WAIT;
    if (!trc_thread_exists(t, r->thread))
        return trc_reject(t, diag, "thread %u does not exist", r->thread);
    if (is_wait && !mdl_is_op(r->size))
        return trc_reject(t, diag, "a wait for operation %u", r->size);
    if (is_wait && r->value > t->threads.len)
        return trc_reject(t, diag, "a wait for thread %llu",
                          (unsigned long long)r->value - 1);
    if (!trc_subject_start(t, TRC_ABOUT_NOTHING, t->waits.len, TRC_MAX_NOTES))
        return TD_OK;
    trc_wait_vec_push(&t->waits,
                      (trc_wait){
                          .thread = r->thread,
                          .site = r->site,
                          .kind = is_wait ? r->size : 0,
                          .object = r->object,
                          .other = is_wait && r->value > 0 ? (uint32_t)(r->value - 1)
                                                           : UINT32_MAX,
                          .stack = t->threads.at[r->thread].stack,
                      });
    return TD_OK;
}

/* An operation as a thread asks for it: how it turns out is not known yet. */
static bool can_be_next(uint8_t kind)
{
    return mdl_is_op(kind) && !mdl_ends(kind) && !mdl_decides(kind) && !mdl_spins(kind) &&
           !mdl_has_failed(kind);
}

/* They come in rising order of their threads, so none comes twice. */
td_status trc_take_next(trc *t, const wire_rec *r, td_diag *diag)
{
    TD_TRY(trc_subject_end(t, diag));
    bool living =
        trc_thread_exists(t, r->thread) && t->threads.at[r->thread].end_op == UINT32_MAX;
    if (!living ||
        (t->nexts.len > 0 && r->thread <= t->nexts.at[t->nexts.len - 1].thread))
        return trc_reject(t, diag, "thread %u cannot have something next", r->thread);
    if (!can_be_next(r->size))
        return trc_reject(t, diag, "operation %u cannot be next", r->size);
    if (r->count > UINT8_MAX || (mdl_is_access(r->size) && r->count == 0))
        return trc_reject(t, diag, "%u bytes next", r->count);
    if ((r->order & ~WIRE_ORDER_WHOLE) || !trc_fits_granule(r, r->size, r->count))
        return trc_reject(t, diag, "order %u next", r->order);
    uint64_t whole = r->order ? WIRE_GRANULE : 0;
    bool joins = mdl_joins(r->size);
    if (joins && !trc_thread_exists(t, r->value))
        return trc_reject(t, diag, "thread %llu to be joined next",
                          (unsigned long long)r->value);
    t->decoder.subject = TRC_ABOUT_NOTHING;
    trc_next_vec_push(&t->nexts, (trc_next){
                                     .thread = r->thread,
                                     .site = r->site,
                                     .kind = r->size,
                                     .size = (uint8_t)(whole ? whole : r->count),
                                     .object = whole ? r->object & -whole : r->object,
                                     .other = joins ? (uint32_t)r->value : UINT32_MAX,
                                     .patience = r->flags & WIRE_F_PATIENCE,
                                 });
    return TD_OK;
}

td_status trc_take_use(trc *t, const wire_rec *r, td_diag *diag)
{
    TD_TRY(trc_subject_end(t, diag));
    if (!trc_thread_exists(t, r->thread))
        return trc_reject(t, diag, "thread %u does not exist", r->thread);
    if (r->count > trc_n_ops(t) || r->value > UINT64_MAX - r->object)
        return trc_reject(t, diag, "a read after %u operations, of too many bytes or not",
                          r->count);
    if (!trc_subject_start(t, TRC_ABOUT_NOTHING, t->uses.len, TRC_MAX_ACCESSES))
        return TD_OK;
    trc_use_vec_push(&t->uses, (trc_use){
                                   .thread = r->thread,
                                   .site = r->site,
                                   .before_op = r->count,
                                   .start = r->object,
                                   .end = r->object + r->value,
                               });
    return TD_OK;
}

td_status trc_take_loop(trc *t, const wire_rec *r, td_diag *diag)
{
    TD_TRY(trc_subject_end(t, diag));
    if (!trc_thread_exists(t, r->thread) || r->size >= WIRE_N_LOOP_ATS)
        return trc_reject(t, diag, "a loop of thread %u, at %u", r->thread, r->size);
    if (trc_subject_start(t, TRC_ABOUT_NOTHING, t->loops.len, TRC_MAX_ACCESSES))
        trc_loop_vec_push(&t->loops, (trc_loop){.thread = r->thread,
                                                .site = r->site,
                                                .before_op = trc_n_ops(t),
                                                .at = r->size,
                                                .object = r->object,
                                                .state = r->value});
    return TD_OK;
}

/* Where a thread stands from now on. */
td_status trc_take_frames(trc *t, const wire_rec *r, td_diag *diag)
{
    TD_TRY(trc_subject_end(t, diag));
    t->decoder.subject = TRC_ABOUT_NOTHING;
    if (!trc_thread_exists(t, r->thread) || r->flags > WIRE_FRAMES_INNERMOST)
        return trc_reject(t, diag, "frames of thread %u", r->thread);
    trc_thread *thread = &t->threads.at[r->thread];
    bool is_newest = thread->stack + 1 == t->stacks.len;
    if (r->flags == 0 && (thread->stack == 0 || !is_newest))
        return trc_reject(t, diag, "enclosing frames without inner ones");
    if (r->flags == WIRE_FRAMES_INNERMOST && t->stacks.len >= TRC_MAX_NOTES) {
        t->n_dropped++;
        thread->stack = 0;
        return TD_OK;
    }
    if (r->flags == WIRE_FRAMES_INNERMOST) {
        thread->stack = (uint32_t)t->stacks.len;
        trc_stack_vec_push(&t->stacks, (trc_stack){(uint32_t)t->frames.len, 0});
    }
    trc_stack *stack = &t->stacks.at[thread->stack];
    if (stack->n < TRC_MAX_FRAMES) {
        trc_u64_vec_push(&t->frames, r->object);
        trc_u64_vec_push(&t->bases, r->value);
        stack->n++;
    }
    return TD_OK;
}

td_status trc_take_gap(trc *t, const wire_rec *r, td_diag *diag)
{
    TD_TRY(trc_subject_end(t, diag));
    if (r->size >= WIRE_N_GAPS)
        return trc_reject(t, diag, "gap %u", r->size);
    if (trc_subject_start(t, TRC_ABOUT_GAP, t->gaps.len, TRC_MAX_NOTES))
        trc_gap_vec_push(&t->gaps, (trc_gap){.kind = r->size, .site = r->site});
    return TD_OK;
}

td_status trc_take_side(trc *t, const wire_rec *r, td_diag *diag)
{
    TD_TRY(trc_subject_end(t, diag));
    if (!trc_thread_exists(t, r->thread))
        return trc_reject(t, diag, "thread %u does not exist", r->thread);
    if (trc_subject_start(t, TRC_ABOUT_NOTHING, t->sides.len, TRC_MAX_ACCESSES))
        trc_side_vec_push(&t->sides, (trc_side){.thread = r->thread,
                                                .site = r->site,
                                                .before_op = trc_n_ops(t),
                                                .side = r->value});
    return TD_OK;
}
