/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/trace.h"

#include <stdio.h>

#include "base/assert.h"
#include "trace/symbolic.h"
#include "wire/sym.h"

/* What a note is about: the operation or note before it that can have notes.
 *
 *   any     -> OP       operation    NOTE_ENABLED, NOTE_OLD, NOTE_WOKEN, NOTE_THREAD may follow
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
enum subject { NOTHING, OP, ACCESS, FAIL, GAP, INPUT, CALL, ORDER };

enum { MAX_ORDER = 5 }; /* __ATOMIC_SEQ_CST */

static_assert(offsetof(trc_decoder, block) ==
                  offsetof(trc_decoder, chain) + sizeof(td_id),
              "chain and block are hashed in one go");

static TD_PRINTF(3, 4) td_status
    reject(const trc *t, td_diag *diag, const char *format, ...)
{
    char why[200];
    va_list args;
    va_start(args, format);
    vsnprintf(why, sizeof why, format, args);
    va_end(args);
    return td_diag_set(diag, TD_E_FORMAT, "record %llu of the run: %s",
                       (unsigned long long)t->decoder.n_recs, why);
}

static bool thread_exists(const trc *t, uint64_t thread)
{
    return thread < t->threads.len;
}

static trc_op *last_op(trc *t)
{
    TD_DASSERT(t->ops.len > 0);
    return &t->ops.at[t->ops.len - 1];
}

static uint32_t n_ops(const trc *t)
{
    return (uint32_t)t->ops.len;
}

/* ---- texts ---- */

static void text_close(trc *t)
{
    if (t->decoder.text_open)
        td_text_put(&t->texts, "", 1);
    t->decoder.text_open = false;
}

/* Adds a piece of untrusted text to the open one: up to a zero, no control characters. */
static void text_put(trc *t, uint32_t start, const char *bytes, size_t n)
{
    char clean[WIRE_TEXT_BYTES];
    size_t len = 0;
    while (len < n && bytes[len] != 0) {
        unsigned char c = (unsigned char)bytes[len];
        clean[len++] = c < 0x20 || c == 0x7f ? ' ' : (char)c;
    }
    size_t room = TRC_MAX_TEXT - (t->texts.len - start);
    td_text_put(&t->texts, clean, len < room ? len : room);
}

static uint32_t *text_of_subject(trc *t)
{
    switch (t->decoder.subject) {
    case FAIL:
        return &t->fails.at[t->fails.len - 1].text;
    case GAP:
        return &t->gaps.at[t->gaps.len - 1].text;
    case CALL:
        return &t->calls.at[t->calls.len - 1].text;
    default:
        return &t->inputs.at[t->inputs.len - 1].text;
    }
}

static td_status take_text(trc *t, const wire_rec *r, td_diag *diag)
{
    trc_decoder *d = &t->decoder;
    if (d->subject != FAIL && d->subject != GAP && d->subject != INPUT &&
        d->subject != CALL)
        return reject(t, diag, "text about nothing");
    if (r->size > WIRE_TEXT_BYTES)
        return reject(t, diag, "%u bytes of text", r->size);
    if (d->dropping)
        return TD_OK;
    uint32_t *start = text_of_subject(t);
    if (!d->text_open)
        *start = (uint32_t)t->texts.len;
    d->text_open = true;
    text_put(t, *start, r->text, r->size);
    return TD_OK;
}

/* ---- switches ---- */

const trc_switch *trc_switch_at(const trc *t, uint32_t site)
{
    for (size_t i = t->switches.len; i-- > 0;)
        if (t->switches.at[i].site == site)
            return &t->switches.at[i];
    return NULL;
}

static uint64_t case_of(const trc *t, const trc_switch *s, uint64_t value)
{
    for (uint32_t i = 0; i < s->n; i++)
        if (t->cases.at[s->first + i] == value)
            return i + 1;
    return 0;
}

/* ---- operations ---- */

/* Everything that had to follow the last operation must have come. */
static td_status subject_end(trc *t, td_diag *diag)
{
    trc_decoder *d = &t->decoder;
    text_close(t);
    if (d->wants_thread)
        return reject(t, diag, "the thread created before it was not named");
    if (d->subject == OP) {
        const trc_op *op = last_op(t);
        if (op->n_alternatives > 0 && op->n_alternatives + 1 != op->n_enabled)
            return reject(t, diag, "%u alternatives named, %u threads enabled",
                          op->n_alternatives, op->n_enabled);
    }
    return TD_OK;
}

/* The flags that a record of this kind may have. */
static uint8_t flags_of(uint8_t kind)
{
    uint8_t flags = WIRE_F_FORCED | WIRE_F_PREEMPTS | WIRE_F_SAW;
    if (kind == WIRE_LOAD || kind == WIRE_STORE)
        flags |= WIRE_ACCESS_PLAIN;
    if (trc_can_be_misused(kind))
        flags |= WIRE_SYNC_MISUSED;
    if (trc_effect_of(kind) == TRC_EFFECT_E)
        flags |= WIRE_F_CLOSED;
    if (trc_may_wait(kind))
        flags |= WIRE_F_PATIENCE;
    return trc_joins(kind) ? flags | WIRE_JOIN_FETCHED : flags;
}

/* What is said to be in a granule is an access in one. */
static bool fits_granule(const wire_rec *r, uint8_t kind, uint32_t size)
{
    return !(r->order & WIRE_ORDER_WHOLE) ||
           (trc_is_access(kind) && size > 0 &&
            r->object % WIRE_GRANULE + size <= WIRE_GRANULE);
}

static void take_granule(trc_op *op)
{
    op->offset = op->object % WIRE_GRANULE;
    op->object -= op->offset;
    op->size = WIRE_GRANULE;
}

static td_status check_op(const trc *t, const wire_rec *r, td_diag *diag)
{
    if (trc_spins(r->kind) || r->kind == WIRE_FAIL)
        return reject(t, diag, "a %s as an operation",
                      trc_spins(r->kind) ? "spin" : "failure");
    if (t->nexts.len > 0)
        return reject(t, diag, "an operation after what would be next");
    if (!thread_exists(t, r->thread))
        return reject(t, diag, "thread %u does not exist", r->thread);
    if (t->threads.at[r->thread].end_op != UINT32_MAX)
        return reject(t, diag, "thread %u has ended", r->thread);
    if ((r->order & ~WIRE_ORDER_WHOLE) > MAX_ORDER || !fits_granule(r, r->kind, r->size))
        return reject(t, diag, "memory order %u", r->order);
    if (r->flags & ~flags_of(r->kind))
        return reject(t, diag, "flags %u", r->flags);
    if (r->count > t->threads.len)
        return reject(t, diag, "%u threads enabled of %zu", r->count, t->threads.len);
    if (trc_is_access(r->kind) && r->size == 0)
        return reject(t, diag, "an access of no bytes");
    bool on_fds = trc_type_of(r->kind) == WIRE_TYPE_FD;
    if (on_fds && (r->size >= WIRE_N_FD_CALLS || !WIRE_IS_FDS(r->object)))
        return reject(t, diag, "call %u of a descriptor", r->size);
    return TD_OK;
}

static td_status take_create(trc *t, const wire_rec *r, td_diag *diag)
{
    if (r->value != t->threads.len)
        return reject(t, diag, "thread %llu created, %zu was next",
                      (unsigned long long)r->value, t->threads.len);
    t->decoder.wants_thread = true;
    return TD_OK;
}

static td_status take_join(const trc *t, const wire_rec *r, td_diag *diag)
{
    if (!thread_exists(t, r->value) || t->threads.at[r->value].end_op == UINT32_MAX)
        return reject(t, diag, "join of thread %llu, which has not ended",
                      (unsigned long long)r->value);
    return TD_OK;
}

/* A cancellation or a signal, to a thread or to the process. */
static td_status check_sent(const trc *t, const wire_rec *r, td_diag *diag)
{
    bool is_for_all = r->kind == WIRE_KILL && r->value == WIRE_NO_THREAD;
    if (!is_for_all && !thread_exists(t, r->value))
        return reject(t, diag, "something sent to thread %llu",
                      (unsigned long long)r->value);
    return TD_OK;
}

static td_status take_end(trc *t, const wire_rec *r, td_diag *diag)
{
    if (!(r->flags & WIRE_F_FORCED))
        return reject(t, diag, "the end of a thread as a choice");
    t->threads.at[r->thread].end_op = n_ops(t);
    return TD_OK;
}

/* Without its cases a switch is like any other value that was used. */
static td_status check_decide(const trc *t, const wire_rec *r, td_diag *diag)
{
    if (!(r->flags & WIRE_F_FORCED) || r->size >= WIRE_N_DECIDES)
        return reject(t, diag, "a decision in way %u, or as a choice", r->size);
    if (r->object == 0 || r->object >= t->nodes.len)
        return reject(t, diag, "a decision by node %llu", (unsigned long long)r->object);
    unsigned bits = t->nodes.at[r->object].bits;
    if (bits > 64 || (bits < 64 && r->value >> bits != 0))
        return reject(t, diag, "a decision by more than %u bits", bits);
    if (r->size == WIRE_DECIDE_BRANCH && bits != 1)
        return reject(t, diag, "a branch by %u bits", bits);
    return TD_OK;
}

static void take_decide(trc *t, trc_op *op)
{
    op->old = op->value;
    if (op->size != WIRE_DECIDE_SWITCH)
        return;
    const trc_switch *s = trc_switch_at(t, op->site);
    if (s)
        op->old = case_of(t, s, op->value);
    else
        op->size = WIRE_DECIDE_VALUE;
}

static td_status take_op(trc *t, const wire_rec *r, uint64_t max_ops, td_diag *diag)
{
    TD_TRY(subject_end(t, diag));
    if (t->ops.len >= max_ops || t->ops.len >= UINT32_MAX - 1)
        return reject(t, diag, "more than %llu operations", (unsigned long long)max_ops);
    TD_TRY(check_op(t, r, diag));
    if (trc_creates(r->kind))
        TD_TRY(take_create(t, r, diag));
    else if (trc_joins(r->kind))
        TD_TRY(take_join(t, r, diag));
    else if (trc_ends(r->kind))
        TD_TRY(take_end(t, r, diag));
    else if (trc_decides(r->kind))
        TD_TRY(check_decide(t, r, diag));
    else if (trc_sends(r->kind))
        TD_TRY(check_sent(t, r, diag));

    if (t->ops.len == t->ops.cap)
        trc_op_vec_reserve(&t->ops, t->ops.len + 1);
    t->ops.at[t->ops.len++] = (trc_op){
        .kind = r->kind,
        .size = r->size,
        .n_bytes = r->size,
        .order = r->order & ~WIRE_ORDER_WHOLE,
        .flags = r->flags,
        .thread = r->thread,
        .site = r->site,
        .n_enabled = r->count,
        .alternatives = (uint32_t)t->enabled.len,
        .woken = (uint32_t)t->woken.len,
        .stack = t->threads.at[r->thread].stack,
        .object = r->object,
        .value = r->value,
    };
    if (r->order & WIRE_ORDER_WHOLE)
        take_granule(last_op(t));
    if (trc_decides(r->kind))
        take_decide(t, last_op(t));
    t->n_choices += !(r->flags & WIRE_F_FORCED);
    t->decoder.subject = OP;
    return TD_OK;
}

/* ---- notes about an operation or access ---- */

/* A thread that could have been chosen instead of op's; they come in rising order. */
static bool can_be_alternative(const trc *t, const trc_op *op, uint32_t thread)
{
    bool made_here = trc_creates(op->kind) && thread == op->value;
    uint32_t n = op->n_alternatives;
    return thread_exists(t, thread) && !made_here && thread != op->thread &&
           t->threads.at[thread].end_op == UINT32_MAX &&
           (n == 0 || thread > t->enabled.at[t->enabled.len - 1]);
}

/* The runner tells each thread once; that is not checked: the list is only looked into. */
static td_status take_woken(trc *t, const wire_rec *r, td_diag *diag)
{
    if (t->decoder.subject != OP || trc_effect_of(last_op(t)->kind) != TRC_EFFECT_E)
        return reject(t, diag, "threads were woken without an operation that could");
    trc_op *op = last_op(t);
    if (r->size == 0 || r->size > WIRE_IDS || op->n_woken + r->size > t->threads.len)
        return reject(t, diag, "%u threads woken after %u of %zu", r->size, op->n_woken,
                      t->threads.len);
    for (uint8_t i = 0; i < r->size; i++) {
        if (!thread_exists(t, r->ids[i]))
            return reject(t, diag, "thread %u was woken", r->ids[i]);
        trc_u32_vec_push(&t->woken, r->ids[i]);
    }
    op->n_woken += r->size;
    return TD_OK;
}

static td_status take_enabled(trc *t, const wire_rec *r, td_diag *diag)
{
    if (t->decoder.subject != OP)
        return reject(t, diag, "enabled threads without an operation");
    trc_op *op = last_op(t);
    if (!trc_is_choice(op) || r->size == 0 || r->size > WIRE_IDS ||
        r->size + op->n_alternatives >= op->n_enabled)
        return reject(t, diag, "%u alternatives after %u, %u threads enabled", r->size,
                      op->n_alternatives, op->n_enabled);
    if (t->enabled.len > UINT32_MAX - WIRE_IDS)
        return reject(t, diag, "too many alternatives");
    for (unsigned i = 0; i < r->size; i++) {
        if (!can_be_alternative(t, op, r->ids[i]))
            return reject(t, diag, "thread %u cannot be an alternative", r->ids[i]);
        trc_u32_vec_push(&t->enabled, r->ids[i]);
        op->n_alternatives++;
    }
    return TD_OK;
}

static td_status take_old(trc *t, const wire_rec *r, td_diag *diag)
{
    trc_decoder *d = &t->decoder;
    if (d->subject == ACCESS) {
        if (!d->dropping)
            t->accesses.at[t->accesses.len - 1].old = r->value;
        return TD_OK;
    }
    if (d->subject != OP || !trc_is_access(last_op(t)->kind))
        return reject(t, diag, "an old value of nothing");
    last_op(t)->old = r->value;
    return TD_OK;
}

static td_status take_thread(trc *t, const wire_rec *r, td_diag *diag)
{
    if (!t->decoder.wants_thread)
        return reject(t, diag, "a thread that was not created");
    if (r->thread != t->threads.len)
        return reject(t, diag, "thread %u named, %zu was next", r->thread,
                      t->threads.len);
    const trc_op *op = last_op(t);
    uint32_t nth = t->threads.at[op->thread].n_created++;
    trc_thread_vec_push(&t->threads, (trc_thread){
                                         .parent = op->thread,
                                         .nth = nth,
                                         .create_site = op->site,
                                         .create_op = n_ops(t) - 1,
                                         .end_op = UINT32_MAX,
                                         .start = r->object,
                                         .arg = r->value,
                                         .word = r->size,
                                     });
    t->decoder.wants_thread = false;
    return TD_OK;
}

/* ---- notes of their own ---- */

/* Starts a new subject. False: there are max of them already and it is dropped. */
static bool subject_start(trc *t, enum subject subject, size_t len, size_t max)
{
    t->decoder.subject = (uint8_t)subject;
    t->decoder.dropping = len >= max;
    t->n_dropped += len >= max;
    return len < max;
}

static td_status take_access(trc *t, const wire_rec *r, td_diag *diag)
{
    TD_TRY(subject_end(t, diag));
    if (!thread_exists(t, r->thread))
        return reject(t, diag, "thread %u does not exist", r->thread);
    if (!subject_start(t, ACCESS, t->accesses.len, TRC_MAX_ACCESSES))
        return TD_OK;
    trc_access_vec_push(&t->accesses, (trc_access){
                                          .thread = r->thread,
                                          .site = r->site,
                                          .before_op = n_ops(t),
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

static td_status take_fail(trc *t, const wire_rec *r, td_diag *diag)
{
    TD_TRY(subject_end(t, diag));
    bool memory = r->size == WIRE_FAIL_MEMORY;
    if (!thread_exists(t, r->thread) || r->size >= WIRE_N_FAILS ||
        (memory && r->order >= WIRE_N_MEMORIES))
        return reject(t, diag, "failure %u of thread %u", r->size, r->thread);
    if (!subject_start(t, FAIL, t->fails.len, TRC_MAX_NOTES))
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
                                     .after_op = n_ops(t),
                                     .stack = t->threads.at[r->thread].stack,
                                 });
    return TD_OK;
}

static td_status take_other(trc *t, const wire_rec *r, td_diag *diag)
{
    if (t->decoder.subject != FAIL)
        return reject(t, diag, "the other access of no race");
    if (!thread_exists(t, r->thread))
        return reject(t, diag, "thread %u does not exist", r->thread);
    if (t->decoder.dropping)
        return TD_OK;
    trc_fail *f = &t->fails.at[t->fails.len - 1];
    if (f->kind != WIRE_FAIL_RACE || f->other_thread != UINT32_MAX)
        return reject(t, diag, "the other access of no race");
    f->other_thread = r->thread;
    f->other_site = r->site;
    f->other_is_write = r->value != 0;
    f->size = r->size;
    return TD_OK;
}

static td_status take_party(trc *t, const wire_rec *r, td_diag *diag)
{
    if (t->decoder.subject != FAIL || r->size >= WIRE_N_BLOCKS)
        return reject(t, diag, "a block of no failure");
    if (!thread_exists(t, r->thread))
        return reject(t, diag, "thread %u does not exist", r->thread);
    if (t->decoder.dropping)
        return TD_OK;
    trc_fail *f = &t->fails.at[t->fails.len - 1];
    bool has_block = f->kind == WIRE_FAIL_MEMORY || f->kind == WIRE_FAIL_LEAK;
    if (!has_block || f->parties[r->size].is_known)
        return reject(t, diag, "a block of no failure");
    f->parties[r->size] = (trc_party){true, r->thread, r->site};
    if (r->size == WIRE_BLOCK_MADE) {
        f->block = r->object;
        f->block_bytes = r->value;
    }
    return TD_OK;
}

static td_status take_wait(trc *t, const wire_rec *r, td_diag *diag)
{
    TD_TRY(subject_end(t, diag));
    bool is_wait = r->kind == WIRE_NOTE_WAIT;
    if (!thread_exists(t, r->thread))
        return reject(t, diag, "thread %u does not exist", r->thread);
    if (is_wait && !trc_is_op(r->size))
        return reject(t, diag, "a wait for operation %u", r->size);
    if (is_wait && r->value > t->threads.len)
        return reject(t, diag, "a wait for thread %llu",
                      (unsigned long long)r->value - 1);
    if (!subject_start(t, NOTHING, t->waits.len, TRC_MAX_NOTES))
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
    return trc_is_op(kind) && !trc_ends(kind) && !trc_decides(kind) && !trc_spins(kind) &&
           !trc_has_failed(kind);
}

/* They come in rising order of their threads, so none comes twice. */
static td_status take_next(trc *t, const wire_rec *r, td_diag *diag)
{
    TD_TRY(subject_end(t, diag));
    bool living =
        thread_exists(t, r->thread) && t->threads.at[r->thread].end_op == UINT32_MAX;
    if (!living ||
        (t->nexts.len > 0 && r->thread <= t->nexts.at[t->nexts.len - 1].thread))
        return reject(t, diag, "thread %u cannot have something next", r->thread);
    if (!can_be_next(r->size))
        return reject(t, diag, "operation %u cannot be next", r->size);
    if (r->count > UINT8_MAX || (trc_is_access(r->size) && r->count == 0))
        return reject(t, diag, "%u bytes next", r->count);
    if ((r->order & ~WIRE_ORDER_WHOLE) || !fits_granule(r, r->size, r->count))
        return reject(t, diag, "order %u next", r->order);
    uint64_t whole = r->order ? WIRE_GRANULE : 0;
    bool joins = trc_joins(r->size);
    if (joins && !thread_exists(t, r->value))
        return reject(t, diag, "thread %llu to be joined next",
                      (unsigned long long)r->value);
    t->decoder.subject = NOTHING;
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

static td_status take_touch(trc *t, const wire_rec *r, td_diag *diag)
{
    TD_TRY(subject_end(t, diag));
    if (!thread_exists(t, r->thread))
        return reject(t, diag, "thread %u does not exist", r->thread);
    if (r->size >= WIRE_N_TOUCHES || r->value < r->object)
        return reject(t, diag, "bytes touched in way %u, backwards or not", r->size);
    if (!subject_start(t, NOTHING, t->touches.len, TRC_MAX_ACCESSES))
        return TD_OK;
    trc_touch_vec_push(&t->touches, (trc_touch){
                                        .thread = r->thread,
                                        .site = r->site,
                                        .before_op = n_ops(t),
                                        .how = r->size,
                                        .start = r->object,
                                        .end = r->value,
                                    });
    return TD_OK;
}

static td_status take_use(trc *t, const wire_rec *r, td_diag *diag)
{
    TD_TRY(subject_end(t, diag));
    if (!thread_exists(t, r->thread))
        return reject(t, diag, "thread %u does not exist", r->thread);
    if (r->count > n_ops(t) || r->value > UINT64_MAX - r->object)
        return reject(t, diag, "a read after %u operations, of too many bytes or not",
                      r->count);
    if (!subject_start(t, NOTHING, t->uses.len, TRC_MAX_ACCESSES))
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

/* Where a thread stands from now on. */
static td_status take_frames(trc *t, const wire_rec *r, td_diag *diag)
{
    TD_TRY(subject_end(t, diag));
    t->decoder.subject = NOTHING;
    if (!thread_exists(t, r->thread) || r->size == 0 || r->size > 2 ||
        r->flags > WIRE_FRAMES_INNERMOST)
        return reject(t, diag, "%u frames of thread %u", r->size, r->thread);
    trc_thread *thread = &t->threads.at[r->thread];
    bool is_newest = thread->stack + 1 == t->stacks.len;
    if (r->flags == 0 && (thread->stack == 0 || !is_newest))
        return reject(t, diag, "frames round no others");
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
    for (unsigned i = 0; i < r->size && stack->n < TRC_MAX_FRAMES; i++, stack->n++)
        trc_u64_vec_push(&t->frames, i == 0 ? r->object : r->value);
    return TD_OK;
}

static td_status take_gap(trc *t, const wire_rec *r, td_diag *diag)
{
    TD_TRY(subject_end(t, diag));
    if (r->size >= WIRE_N_GAPS)
        return reject(t, diag, "gap %u", r->size);
    if (subject_start(t, GAP, t->gaps.len, TRC_MAX_NOTES))
        trc_gap_vec_push(&t->gaps, (trc_gap){.kind = r->size, .site = r->site});
    return TD_OK;
}

/* ---- histories ---- */

/* True if the last note that was not about a history was a failure LINEAR. */
static bool has_history(const trc *t)
{
    uint8_t subject = t->decoder.subject;
    if (subject == CALL || subject == ORDER)
        return true;
    return subject == FAIL && t->fails.len > 0 && t->calls.len == 0 &&
           t->fails.at[t->fails.len - 1].kind == WIRE_FAIL_LINEAR;
}

static td_status take_call(trc *t, const wire_rec *r, td_diag *diag)
{
    TD_TRY(subject_end(t, diag));
    if (!has_history(t) || t->decoder.subject == ORDER)
        return reject(t, diag, "an operation of no history");
    if (!thread_exists(t, r->thread) || r->size > TRC_CALL_ARGS)
        return reject(t, diag, "an operation of thread %u with %u arguments", r->thread,
                      r->size);
    uint32_t before = t->calls.len > 0 ? t->calls.at[t->calls.len - 1].begin : 0;
    if (r->count <= before || r->object > UINT32_MAX ||
        (r->object != 0 && r->object <= r->count))
        return reject(t, diag, "an operation from %u to %llu after %u", r->count,
                      (unsigned long long)r->object, before);
    t->decoder.n_args = 0;
    if (!subject_start(t, CALL, t->calls.len, TRC_MAX_NOTES))
        return TD_OK;
    trc_call_vec_push(&t->calls, (trc_call){
                                     .thread = r->thread,
                                     .site = r->site,
                                     .begin = r->count,
                                     .end = (uint32_t)r->object,
                                     .n_args = r->size,
                                     .has_result = r->order != 0,
                                     .result = r->value,
                                 });
    return TD_OK;
}

static td_status take_args(trc *t, const wire_rec *r, td_diag *diag)
{
    trc_decoder *d = &t->decoder;
    if (d->subject != CALL)
        return reject(t, diag, "arguments of no operation");
    if (d->dropping)
        return TD_OK;
    trc_call *c = &t->calls.at[t->calls.len - 1];
    if (d->n_args >= c->n_args)
        return reject(t, diag, "more than %u arguments", c->n_args);
    c->args[d->n_args++] = r->object;
    if (d->n_args < c->n_args)
        c->args[d->n_args++] = r->value;
    return TD_OK;
}

/* The order of a saying comes before it. */
static td_status take_order(trc *t, const wire_rec *r, td_diag *diag)
{
    TD_TRY(subject_end(t, diag));
    if (!has_history(t) || r->size > WIRE_IDS)
        return reject(t, diag, "an order of no history");
    if (!subject_start(t, ORDER, t->order.len, TRC_MAX_NOTES))
        return TD_OK;
    for (unsigned i = 0; i < r->size; i++) {
        if (r->ids[i] >= t->calls.len)
            return reject(t, diag, "operation %u of a history of %zu", r->ids[i],
                          t->calls.len);
        trc_u32_vec_push(&t->order, r->ids[i]);
    }
    return TD_OK;
}

static td_status take_says(trc *t, const wire_rec *r, td_diag *diag)
{
    TD_TRY(subject_end(t, diag));
    if (!has_history(t))
        return reject(t, diag, "what an operation of no history does");
    if (!subject_start(t, ORDER, t->sayings.len, TRC_MAX_NOTES))
        return TD_OK;
    size_t n = t->sayings.len;
    uint32_t first = n > 0 ? t->sayings.at[n - 1].first + t->sayings.at[n - 1].n : 0;
    trc_saying_vec_push(&t->sayings, (trc_saying){
                                         .first = first,
                                         .n = (uint32_t)t->order.len - first,
                                         .possible = r->size != 0,
                                         .result = r->value,
                                     });
    return TD_OK;
}

/* ---- symbolic values ---- */

static td_status take_input(trc *t, const wire_rec *r, td_diag *diag)
{
    TD_TRY(subject_end(t, diag));
    if (!thread_exists(t, r->thread))
        return reject(t, diag, "thread %u does not exist", r->thread);
    if (r->size == 0 || r->size > 64 || (r->size < 64 && r->value >> r->size != 0))
        return reject(t, diag, "an input of %u bits", r->size);
    if (r->order >= WIRE_N_SIGNS)
        return reject(t, diag, "an input with sign %u", r->order);
    if (r->count != t->inputs.len || t->inputs.len >= WIRE_SYM_MAX_INPUTS)
        return reject(t, diag, "input %u, %zu was next", r->count, t->inputs.len);
    t->decoder.subject = INPUT;
    t->decoder.dropping = false;
    trc_input_vec_push(&t->inputs, (trc_input){
                                       .key = r->object,
                                       .value = r->value,
                                       .thread = r->thread,
                                       .site = r->site,
                                       .before_op = n_ops(t),
                                       .bits = r->size,
                                       .sign = r->order,
                                   });
    return TD_OK;
}

static td_status take_node(trc *t, const wire_rec *r, td_diag *diag)
{
    TD_TRY(subject_end(t, diag));
    const char *wrong = trc_node_wrong(t, r);
    if (wrong)
        return reject(t, diag, "%s", wrong);
    t->decoder.subject = NOTHING;
    trc_node_take(t, r);
    return TD_OK;
}

/* Cases of one switch come one after the other. */
static td_status take_case(trc *t, const wire_rec *r, td_diag *diag)
{
    TD_TRY(subject_end(t, diag));
    if (!subject_start(t, NOTHING, t->cases.len, TRC_MAX_NOTES))
        return TD_OK;
    size_t n = t->switches.len;
    if (n == 0 || t->switches.at[n - 1].site != r->site) {
        if (trc_switch_at(t, r->site))
            return reject(t, diag, "the cases of a switch told twice");
        trc_switch_vec_push(&t->switches,
                            (trc_switch){r->site, (uint32_t)t->cases.len, 0});
    }
    t->switches.at[t->switches.len - 1].n++;
    trc_u64_vec_push(&t->cases, r->value);
    return TD_OK;
}

static td_status take_why(trc *t, const wire_rec *r, td_diag *diag)
{
    TD_TRY(subject_end(t, diag));
    trc_op *op = t->ops.len > 0 ? last_op(t) : NULL;
    if (!op || op->thread != r->thread || !trc_is_exchange(op->kind))
        return reject(t, diag, "the condition of no compare-exchange");
    if (r->object == 0 || r->object >= t->nodes.len || t->nodes.at[r->object].bits != 1)
        return reject(t, diag, "a condition by node %llu", (unsigned long long)r->object);
    t->decoder.subject = NOTHING;
    op->node = (uint32_t)r->object;
    return TD_OK;
}

/* The last operation, its thread's, was undone. */
static td_status take_spin(trc *t, const wire_rec *r, td_diag *diag)
{
    TD_TRY(subject_end(t, diag));
    trc_op *op = t->ops.len > 0 ? last_op(t) : NULL;
    bool reads = op && (trc_only_looks(op->kind) || op->kind == WIRE_LOCK ||
                        (op->kind == WIRE_RMW && op->old == op->value));
    if (!reads || op->thread != r->thread || op->node != 0 || t->nexts.len > 0)
        return reject(t, diag, "a spin of what is no read of thread %u", r->thread);
    if (r->count == 0 || r->count > t->ops.len)
        return reject(t, diag, "a spin of %u operations", r->count);
    t->decoder.subject = NOTHING;
    op->turned = op->kind;
    op->kind = WIRE_SPIN;
    op->loop = r->site;
    op->old = r->count;
    return TD_OK;
}

/* The thread may have decided something since: by a minimum that it computes. */
static trc_op *last_write(trc *t, uint32_t thread)
{
    for (size_t i = t->ops.len; i-- > 0;) {
        trc_op *op = &t->ops.at[i];
        if (op->thread != thread)
            return NULL;
        if (trc_writes(op->kind) || trc_ends(op->kind))
            return op;
        if (op->kind != WIRE_DECIDE)
            return NULL;
    }
    return NULL;
}

static td_status take_wrote(trc *t, const wire_rec *r, td_diag *diag)
{
    TD_TRY(subject_end(t, diag));
    trc_op *op = last_write(t, r->thread);
    if (!op || op->is_told || op->size > 8)
        return reject(t, diag, "what no operation wrote");
    unsigned bits = trc_ends(op->kind) ? 64 : op->size * 8;
    if (r->object != 0 &&
        (r->object >= t->nodes.len || t->nodes.at[r->object].bits != bits))
        return reject(t, diag, "node %llu written", (unsigned long long)r->object);
    t->decoder.subject = NOTHING;
    op->is_told = true;
    op->written = (uint32_t)r->object;
    op->value = r->value;
    return TD_OK;
}

static td_status take_side(trc *t, const wire_rec *r, td_diag *diag)
{
    TD_TRY(subject_end(t, diag));
    if (!thread_exists(t, r->thread))
        return reject(t, diag, "thread %u does not exist", r->thread);
    if (subject_start(t, NOTHING, t->sides.len, TRC_MAX_ACCESSES))
        trc_side_vec_push(&t->sides, (trc_side){.thread = r->thread,
                                                .site = r->site,
                                                .before_op = n_ops(t),
                                                .side = r->value});
    return TD_OK;
}

static td_status take_done(trc *t, const wire_rec *r, td_diag *diag)
{
    TD_TRY(subject_end(t, diag));
    if (r->size >= WIRE_N_DONES)
        return reject(t, diag, "an end of the run by %u", r->size);
    if (r->object != t->ops.len)
        return reject(t, diag, "%llu operations announced, %zu came",
                      (unsigned long long)r->object, t->ops.len);
    if (r->count != t->n_choices)
        return reject(t, diag, "%u choices announced, %u came", r->count, t->n_choices);
    t->done = r->size;
    t->exit_code = r->value;
    t->is_stopped = (r->flags & WIRE_ENDED_CUT) != 0;
    t->is_cut = r->size == WIRE_DONE_FAIL || (r->flags & WIRE_ENDED_CUT);
    t->complete = true;
    return TD_OK;
}

static td_status take_note(trc *t, const wire_rec *r, td_diag *diag)
{
    switch (r->kind) {
    case WIRE_NOTE_ENABLED:
        return take_enabled(t, r, diag);
    case WIRE_NOTE_WOKEN:
        return take_woken(t, r, diag);
    case WIRE_NOTE_OLD:
        return take_old(t, r, diag);
    case WIRE_NOTE_THREAD:
        return take_thread(t, r, diag);
    case WIRE_NOTE_READ:
    case WIRE_NOTE_WRITE:
        return take_access(t, r, diag);
    case WIRE_NOTE_FAIL:
        return take_fail(t, r, diag);
    case WIRE_NOTE_OTHER:
        return take_other(t, r, diag);
    case WIRE_NOTE_WAIT:
    case WIRE_NOTE_HELD:
        return take_wait(t, r, diag);
    case WIRE_NOTE_NEXT:
        return take_next(t, r, diag);
    case WIRE_NOTE_TOUCH:
        return take_touch(t, r, diag);
    case WIRE_NOTE_USED:
        return take_use(t, r, diag);
    case WIRE_NOTE_BLOCK:
        return take_party(t, r, diag);
    case WIRE_NOTE_GAP:
        return take_gap(t, r, diag);
    case WIRE_NOTE_TEXT:
        return take_text(t, r, diag);
    case WIRE_NOTE_INPUT:
        return take_input(t, r, diag);
    case WIRE_NOTE_NODE:
        return take_node(t, r, diag);
    case WIRE_NOTE_WHY:
        return take_why(t, r, diag);
    case WIRE_NOTE_WROTE:
        return take_wrote(t, r, diag);
    case WIRE_NOTE_SIDE:
        return take_side(t, r, diag);
    case WIRE_NOTE_CASE:
        return take_case(t, r, diag);
    case WIRE_NOTE_SPIN:
        return take_spin(t, r, diag);
    case WIRE_NOTE_CALL:
        return take_call(t, r, diag);
    case WIRE_NOTE_ARGS:
        return take_args(t, r, diag);
    case WIRE_NOTE_ORDER:
        return take_order(t, r, diag);
    case WIRE_NOTE_SAYS:
        return take_says(t, r, diag);
    case WIRE_NOTE_FRAMES:
        return take_frames(t, r, diag);
    case WIRE_NOTE_DONE:
        return take_done(t, r, diag);
    default:
        return reject(t, diag, "kind %u is unknown", r->kind);
    }
}

/* ---- the stream ---- */

/* The hash does not depend on how the records were cut into calls of trc_feed: it is
 * taken whenever TRC_BLOCK of them have come, and at the end. */
static void block_end(trc *t)
{
    trc_decoder *d = &t->decoder;
    d->chain = td_id_hash(&d->chain, sizeof d->chain + d->n_block * sizeof(wire_rec));
    d->n_block = 0;
}

/* Decodes what block has from position at on; *n_taken counts records. */
static td_status take_block(trc *t, uint32_t at, uint32_t end, size_t *n_taken,
                            uint64_t max_ops, td_diag *diag)
{
    trc_decoder *d = &t->decoder;
    for (uint32_t i = at; i < end && !t->complete; i++) {
        const wire_rec *r = &d->block[i];
        bool is_op = trc_is_op(r->kind);
        ++*n_taken;
        d->n_recs++;
        TD_TRY(is_op ? take_op(t, r, max_ops, diag) : take_note(t, r, diag));
        d->n_block = i + 1;
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

/* ---- lifetime ---- */

void trc_init(trc *t)
{
    *t = (trc){0};
    trc_clear(t);
}

void trc_clear(trc *t)
{
    trc_op_vec_clear(&t->ops);
    trc_thread_vec_clear(&t->threads);
    trc_u32_vec_clear(&t->enabled);
    trc_u32_vec_clear(&t->woken);
    trc_access_vec_clear(&t->accesses);
    trc_wait_vec_clear(&t->waits);
    trc_next_vec_clear(&t->nexts);
    trc_touch_vec_clear(&t->touches);
    trc_use_vec_clear(&t->uses);
    trc_gap_vec_clear(&t->gaps);
    trc_stack_vec_clear(&t->stacks);
    trc_u64_vec_clear(&t->frames);
    trc_fail_vec_clear(&t->fails);
    trc_call_vec_clear(&t->calls);
    trc_saying_vec_clear(&t->sayings);
    trc_u32_vec_clear(&t->order);
    trc_node_vec_clear(&t->nodes);
    trc_input_vec_clear(&t->inputs);
    trc_switch_vec_clear(&t->switches);
    trc_u64_vec_clear(&t->cases);
    trc_side_vec_clear(&t->sides);
    td_text_clear(&t->texts);

    trc_thread_vec_push(&t->threads,
                        (trc_thread){.create_op = UINT32_MAX, .end_op = UINT32_MAX});
    trc_node_vec_push(&t->nodes, (trc_node){0});
    trc_stack_vec_push(&t->stacks, (trc_stack){0});
    td_text_put(&t->texts, "", 1);
    t->job = 0;
    t->complete = false;
    t->done = 0;
    t->exit_code = 0;
    t->n_choices = 0;
    t->records = t->sum = (td_id){0};
    t->n_dropped = 0;
    trc_decoder *d = &t->decoder;
    d->subject = NOTHING;
    d->wants_thread = d->text_open = d->dropping = false;
    d->n_args = 0;
    d->n_block = 0;
    d->n_recs = 0;
    d->chain = (td_id){0};
}

void trc_fini(trc *t)
{
    trc_op_vec_fini(&t->ops);
    trc_thread_vec_fini(&t->threads);
    trc_u32_vec_fini(&t->enabled);
    trc_u32_vec_fini(&t->woken);
    trc_access_vec_fini(&t->accesses);
    trc_wait_vec_fini(&t->waits);
    trc_next_vec_fini(&t->nexts);
    trc_touch_vec_fini(&t->touches);
    trc_use_vec_fini(&t->uses);
    trc_gap_vec_fini(&t->gaps);
    trc_stack_vec_fini(&t->stacks);
    trc_u64_vec_fini(&t->frames);
    trc_fail_vec_fini(&t->fails);
    trc_call_vec_fini(&t->calls);
    trc_saying_vec_fini(&t->sayings);
    trc_u32_vec_fini(&t->order);
    trc_node_vec_fini(&t->nodes);
    trc_input_vec_fini(&t->inputs);
    trc_switch_vec_fini(&t->switches);
    trc_u64_vec_fini(&t->cases);
    trc_side_vec_fini(&t->sides);
    td_text_fini(&t->texts);
}
