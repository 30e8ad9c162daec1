/* SPDX-License-Identifier: Apache-2.0 */
/* Operations of a run, from their records; and the notes about an operation that follow it. */
#include "trace/decode.h"

enum { MAX_ORDER = 5 }; /* __ATOMIC_SEQ_CST */
static_assert((int)MAX_ORDER == __ATOMIC_SEQ_CST, "orders are those of the compiler");

static uint64_t case_of(const trc *t, const trc_switch *s, uint64_t value)
{
    for (uint32_t i = 0; i < s->n; i++)
        if (t->cases.at[s->first + i] == value)
            return i + 1;
    return 0;
}

/* The flags that a record of this kind may have. */
static uint8_t flags_of(uint8_t kind)
{
    TD_DASSERT(mdl_is_op(kind));
    uint8_t flags = WIRE_F_FORCED | WIRE_F_PREEMPTS | WIRE_F_SAW;
    if (kind == WIRE_LOAD || kind == WIRE_STORE)
        flags |= WIRE_ACCESS_PLAIN | WIRE_ACCESS_SLOT;
    if (mdl_can_be_misused(kind))
        flags |= WIRE_SYNC_MISUSED;
    if (mdl_effect_of(kind) == MDL_EFFECT_E)
        flags |= WIRE_F_CLOSED;
    if (mdl_may_wait(mdl_asked_kind(kind))) /* a once that was over did not have to */
        flags |= WIRE_F_PATIENCE;
    return mdl_joins(kind) ? flags | WIRE_JOIN_FETCHED : flags;
}

static void take_granule(trc_op *op)
{
    TD_DASSERT(mdl_is_access(op->kind) && op->size > 0);
    op->offset = op->object % WIRE_GRANULE;
    op->object -= op->offset;
    op->size = WIRE_GRANULE;
}

static td_status check_op(const trc *t, const wire_rec *r, td_diag *diag)
{
    if (mdl_spins(r->kind) || r->kind == WIRE_FAIL)
        return trc_reject(t, diag, "a %s as an operation",
                          mdl_spins(r->kind) ? "spin" : "failure");
    if (t->nexts.len > 0)
        return trc_reject(t, diag, "an operation after what would be next");
    if (!trc_thread_exists(t, r->thread))
        return trc_reject(t, diag, "thread %u does not exist", r->thread);
    if (t->threads.at[r->thread].end_op != UINT32_MAX)
        return trc_reject(t, diag, "thread %u has ended", r->thread);
    if ((r->order & ~WIRE_ORDER_WHOLE) > MAX_ORDER ||
        !trc_fits_granule(r, r->kind, r->size))
        return trc_reject(t, diag, "memory order %u", r->order);
    if (r->flags & ~flags_of(r->kind))
        return trc_reject(t, diag, "flags %u", r->flags);
    if (r->count > t->threads.len)
        return trc_reject(t, diag, "%u threads enabled of %zu", r->count, t->threads.len);
    if (mdl_is_access(r->kind) && r->size == 0)
        return trc_reject(t, diag, "an access of 0 bytes");
    bool on_fds = mdl_type_of(r->kind) == WIRE_TYPE_FD;
    if (on_fds && (r->size >= WIRE_N_FD_CALLS || !WIRE_IS_FDS(r->object)))
        return trc_reject(t, diag, "call %u of a descriptor", r->size);
    return TD_OK;
}

static td_status take_create(trc *t, const wire_rec *r, td_diag *diag)
{
    if (r->value != t->threads.len)
        return trc_reject(t, diag, "thread %llu created, %zu was next",
                          (unsigned long long)r->value, t->threads.len);
    t->decoder.wants_thread = true;
    return TD_OK;
}

static td_status take_join(const trc *t, const wire_rec *r, td_diag *diag)
{
    if (!trc_thread_exists(t, r->value) || t->threads.at[r->value].end_op == UINT32_MAX)
        return trc_reject(t, diag, "join of thread %llu, which has not ended",
                          (unsigned long long)r->value);
    return TD_OK;
}

/* A cancellation or a signal, to a thread or to the process. */
static td_status check_sent(const trc *t, const wire_rec *r, td_diag *diag)
{
    bool is_for_all = r->kind == WIRE_KILL && r->value == WIRE_NO_THREAD;
    if (!is_for_all && !trc_thread_exists(t, r->value))
        return trc_reject(t, diag, "something sent to thread %llu",
                          (unsigned long long)r->value);
    return TD_OK;
}

static td_status take_end(trc *t, const wire_rec *r, td_diag *diag)
{
    if (!(r->flags & WIRE_F_FORCED))
        return trc_reject(t, diag, "the end of a thread as a choice");
    t->threads.at[r->thread].end_op = trc_n_ops(t);
    return TD_OK;
}

/* Without its cases a switch is like any other value that was used. */
static td_status check_decide(const trc *t, const wire_rec *r, td_diag *diag)
{
    if (!(r->flags & WIRE_F_FORCED) || r->size >= WIRE_N_DECIDES)
        return trc_reject(t, diag, "a decision in way %u, or as a choice", r->size);
    if (r->object == 0 || r->object >= t->nodes.len)
        return trc_reject(t, diag, "a decision by node %llu",
                          (unsigned long long)r->object);
    unsigned bits = t->nodes.at[r->object].bits;
    if (bits > 64 || (bits < 64 && r->value >> bits != 0))
        return trc_reject(t, diag, "a decision by more than %u bits", bits);
    if (r->size == WIRE_DECIDE_BRANCH && bits != 1)
        return trc_reject(t, diag, "a branch by %u bits", bits);
    return TD_OK;
}

static void take_decide(trc *t, trc_op *op)
{
    TD_DASSERT(mdl_decides(op->kind) && op->size < WIRE_N_DECIDES);
    op->old = op->value;
    if (op->size != WIRE_DECIDE_SWITCH)
        return;
    const trc_switch *s = trc_switch_at(t, op->site);
    if (s)
        op->old = case_of(t, s, op->value);
    else
        op->size = WIRE_DECIDE_VALUE;
}

td_status trc_take_op(trc *t, const wire_rec *r, uint64_t max_ops, td_diag *diag)
{
    TD_TRY(trc_subject_end(t, diag));
    if (t->ops.len >= max_ops || t->ops.len >= UINT32_MAX - 1)
        return trc_reject(t, diag, "more than %llu operations",
                          (unsigned long long)max_ops);
    TD_TRY(check_op(t, r, diag));
    if (mdl_creates(r->kind))
        TD_TRY(take_create(t, r, diag));
    else if (mdl_joins(r->kind))
        TD_TRY(take_join(t, r, diag));
    else if (mdl_ends(r->kind))
        TD_TRY(take_end(t, r, diag));
    else if (mdl_decides(r->kind))
        TD_TRY(check_decide(t, r, diag));
    else if (mdl_sends(r->kind))
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
        take_granule(trc_last_op(t));
    if (mdl_decides(r->kind))
        take_decide(t, trc_last_op(t));
    t->n_choices += !(r->flags & WIRE_F_FORCED);
    t->decoder.subject = TRC_ABOUT_OP;
    return TD_OK;
}

/* A thread that could have been chosen instead of op's; they come in rising order. */
static bool can_be_alternative(const trc *t, const trc_op *op, uint32_t thread)
{
    bool made_here = mdl_creates(op->kind) && thread == op->value;
    uint32_t n = op->n_alternatives;
    return trc_thread_exists(t, thread) && !made_here && thread != op->thread &&
           t->threads.at[thread].end_op == UINT32_MAX &&
           (n == 0 || thread > t->enabled.at[t->enabled.len - 1]);
}

/* The runner tells each thread once; that is not checked: the list is only looked into. */
td_status trc_take_woken(trc *t, const wire_rec *r, td_diag *diag)
{
    if (t->decoder.subject != TRC_ABOUT_OP ||
        mdl_effect_of(trc_last_op(t)->kind) != MDL_EFFECT_E)
        return trc_reject(t, diag, "threads were woken without an operation that could");
    trc_op *op = trc_last_op(t);
    if (r->size == 0 || r->size > WIRE_IDS || op->n_woken + r->size > t->threads.len)
        return trc_reject(t, diag, "%u threads woken after %u of %zu", r->size,
                          op->n_woken, t->threads.len);
    for (uint8_t i = 0; i < r->size; i++) {
        if (!trc_thread_exists(t, r->ids[i]))
            return trc_reject(t, diag, "thread %u was woken", r->ids[i]);
        trc_u32_vec_push(&t->woken, r->ids[i]);
    }
    op->n_woken += r->size;
    return TD_OK;
}

td_status trc_take_enabled(trc *t, const wire_rec *r, td_diag *diag)
{
    if (t->decoder.subject != TRC_ABOUT_OP)
        return trc_reject(t, diag, "enabled threads without an operation");
    trc_op *op = trc_last_op(t);
    if (!trc_is_choice(op) || r->size == 0 || r->size > WIRE_IDS ||
        r->size + op->n_alternatives >= op->n_enabled)
        return trc_reject(t, diag, "%u alternatives after %u, %u threads enabled",
                          r->size, op->n_alternatives, op->n_enabled);
    if (t->enabled.len > UINT32_MAX - WIRE_IDS)
        return trc_reject(t, diag, "too many alternatives");
    for (unsigned i = 0; i < r->size; i++) {
        if (!can_be_alternative(t, op, r->ids[i]))
            return trc_reject(t, diag, "thread %u cannot be an alternative", r->ids[i]);
        trc_u32_vec_push(&t->enabled, r->ids[i]);
        op->n_alternatives++;
    }
    return TD_OK;
}

td_status trc_take_old(trc *t, const wire_rec *r, td_diag *diag)
{
    trc_decoder *d = &t->decoder;
    if (d->subject == TRC_ABOUT_ACCESS) {
        if (!d->dropping)
            t->accesses.at[t->accesses.len - 1].old = r->value;
        return TD_OK;
    }
    if (d->subject != TRC_ABOUT_OP || !mdl_is_access(trc_last_op(t)->kind))
        return trc_reject(t, diag, "an old value without an operation");
    trc_op *op = trc_last_op(t);
    bool is_seeded =
        t->seeds.len > 0 && t->seeds.at[t->seeds.len - 1].op == trc_n_ops(t) - 1;
    if ((r->flags & WIRE_OLD_SEEDS) && !is_seeded)
        trc_seed_vec_push(&t->seeds, (trc_seed){trc_n_ops(t) - 1, r->value});
    if (mdl_writes(op->kind))
        op->old = r->value;
    return TD_OK;
}

td_status trc_take_choice(trc *t, const wire_rec *r, td_diag *diag)
{
    const trc_op *op = t->decoder.subject == TRC_ABOUT_OP ? trc_last_op(t) : NULL;
    bool behind = r->kind == WIRE_NOTE_BEHIND;
    if (!op || !mdl_is_access(op->kind) || trc_is_promoted(op) ||
        (behind ? op->kind != WIRE_STORE : !mdl_reads(op->kind)))
        return trc_reject(t, diag, "a store that nothing reads");
    if (t->choices.len > 0 && t->choices.at[t->choices.len - 1].op == trc_n_ops(t) - 1)
        return trc_reject(t, diag, "two stores that an operation reads");
    if (!trc_thread_exists(t, r->thread))
        return trc_reject(t, diag, "a store of thread %u", r->thread);
    trc_choice_vec_push(&t->choices, (trc_choice){trc_n_ops(t) - 1, r->thread, r->count});
    return TD_OK;
}

td_status trc_take_operand(trc *t, const wire_rec *r, td_diag *diag)
{
    const trc_op *op = t->decoder.subject == TRC_ABOUT_OP ? trc_last_op(t) : NULL;
    if (!op || (op->kind != WIRE_RMW && !mdl_is_exchange(op->kind)))
        return trc_reject(t, diag, "an operand without an operation");
    if (r->order > __ATOMIC_SEQ_CST)
        return trc_reject(t, diag, "order %u of an exchange", r->order);
    if (t->operands.len > 0 && t->operands.at[t->operands.len - 1].op == trc_n_ops(t) - 1)
        return trc_reject(t, diag, "an operand for the second time");
    trc_operand_vec_push(&t->operands, (trc_operand){trc_n_ops(t) - 1, r->size, r->object,
                                                     r->value, r->order});
    return TD_OK;
}

td_status trc_take_thread(trc *t, const wire_rec *r, td_diag *diag)
{
    if (!t->decoder.wants_thread)
        return trc_reject(t, diag, "a thread that was not created");
    if (r->thread != t->threads.len)
        return trc_reject(t, diag, "thread %u named, %zu was next", r->thread,
                          t->threads.len);
    const trc_op *op = trc_last_op(t);
    uint32_t nth = t->threads.at[op->thread].n_created++;
    TD_ASSERT(mdl_creates(op->kind) && op->value == t->threads.len);
    trc_thread_vec_push(&t->threads, (trc_thread){
                                         .parent = op->thread,
                                         .nth = nth,
                                         .create_site = op->site,
                                         .create_op = trc_n_ops(t) - 1,
                                         .end_op = UINT32_MAX,
                                         .start = r->object,
                                         .arg = r->value,
                                         .word = r->size,
                                     });
    t->decoder.wants_thread = false;
    return TD_OK;
}

td_status trc_take_why(trc *t, const wire_rec *r, td_diag *diag)
{
    TD_TRY(trc_subject_end(t, diag));
    trc_op *op = t->ops.len > 0 ? trc_last_op(t) : NULL;
    if (!op || op->thread != r->thread || !mdl_is_exchange(op->kind))
        return trc_reject(t, diag, "a condition without a compare-exchange");
    if (r->object == 0 || r->object >= t->nodes.len || t->nodes.at[r->object].bits != 1)
        return trc_reject(t, diag, "a condition by node %llu",
                          (unsigned long long)r->object);
    t->decoder.subject = TRC_ABOUT_NOTHING;
    op->node = (uint32_t)r->object;
    return TD_OK;
}

/* The last operation, its thread's, was undone. */
td_status trc_take_spin(trc *t, const wire_rec *r, td_diag *diag)
{
    TD_TRY(trc_subject_end(t, diag));
    trc_op *op = t->ops.len > 0 ? trc_last_op(t) : NULL;
    bool reads = op && (mdl_only_looks(op->kind) || op->kind == WIRE_LOCK ||
                        (op->kind == WIRE_RMW && op->old == op->value));
    if (!reads || op->thread != r->thread || op->node != 0 || t->nexts.len > 0)
        return trc_reject(t, diag, "a spin that is not a read of thread %u", r->thread);
    if (r->count == 0 || r->count > t->ops.len)
        return trc_reject(t, diag, "a spin of %u operations", r->count);
    t->decoder.subject = TRC_ABOUT_NOTHING;
    TD_DASSERT(!mdl_spins(op->kind));
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
        if (mdl_writes(op->kind) || mdl_ends(op->kind))
            return op;
        if (op->kind != WIRE_DECIDE)
            return NULL;
    }
    return NULL;
}

td_status trc_take_wrote(trc *t, const wire_rec *r, td_diag *diag)
{
    TD_TRY(trc_subject_end(t, diag));
    trc_op *op = last_write(t, r->thread);
    if (!op || op->is_told || op->size > 8)
        return trc_reject(t, diag, "a written value without an operation");
    unsigned bits = mdl_ends(op->kind) ? 64 : op->size * 8;
    if (r->object != 0 &&
        (r->object >= t->nodes.len || t->nodes.at[r->object].bits != bits))
        return trc_reject(t, diag, "a written value with node %llu",
                          (unsigned long long)r->object);
    t->decoder.subject = TRC_ABOUT_NOTHING;
    op->is_told = true;
    op->written = (uint32_t)r->object;
    op->value = r->value;
    return TD_OK;
}

bool trc_is_unread(const trc *t, const wire_rec *r)
{
    TD_DASSERT(t->decoder.subject != TRC_ABOUT_OP || t->ops.len > 0);
    return r->kind == WIRE_NOTE_OLD && (t->decoder.subject != TRC_ABOUT_OP ||
                                        t->ops.at[t->ops.len - 1].kind != WIRE_RMW);
}
