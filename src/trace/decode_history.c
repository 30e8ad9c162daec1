/* SPDX-License-Identifier: Apache-2.0 */
/* The history of a marked structure that no order explains: its operations, an order of all but the
 * last one, and what the specification says then. */
#include "trace/decode.h"

/* True if the last note that was not about a history was a failure LINEAR. */
static bool has_history(const trc *t)
{
    uint8_t subject = t->decoder.subject;
    if (subject == TRC_ABOUT_CALL || subject == TRC_ABOUT_ORDER)
        return true;
    return subject == TRC_ABOUT_FAIL && t->fails.len > 0 && t->calls.len == 0 &&
           t->fails.at[t->fails.len - 1].kind == WIRE_FAIL_LINEAR;
}

td_status trc_take_call(trc *t, const wire_rec *r, td_diag *diag)
{
    TD_TRY(trc_subject_end(t, diag));
    if (!has_history(t) || t->decoder.subject == TRC_ABOUT_ORDER)
        return trc_reject(t, diag, "an operation without a history");
    if (!trc_thread_exists(t, r->thread) || r->size > TRC_CALL_ARGS)
        return trc_reject(t, diag, "an operation of thread %u with %u arguments",
                          r->thread, r->size);
    uint32_t before = t->calls.len > 0 ? t->calls.at[t->calls.len - 1].begin : 0;
    if (r->count <= before || r->object > UINT32_MAX ||
        (r->object != 0 && r->object <= r->count))
        return trc_reject(t, diag, "an operation from %u to %llu after %u", r->count,
                          (unsigned long long)r->object, before);
    t->decoder.n_args = 0;
    if (!trc_subject_start(t, TRC_ABOUT_CALL, t->calls.len, TRC_MAX_NOTES))
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

td_status trc_take_args(trc *t, const wire_rec *r, td_diag *diag)
{
    trc_decoder *d = &t->decoder;
    if (d->subject != TRC_ABOUT_CALL)
        return trc_reject(t, diag, "arguments without an operation");
    if (d->dropping)
        return TD_OK;
    trc_call *c = &t->calls.at[t->calls.len - 1];
    if (d->n_args >= c->n_args)
        return trc_reject(t, diag, "more than %u arguments", c->n_args);
    TD_DASSERT(c->n_args <= TRC_CALL_ARGS);
    c->args[d->n_args++] = r->object;
    if (d->n_args < c->n_args)
        c->args[d->n_args++] = r->value;
    return TD_OK;
}

/* The order of a saying comes before it. */
td_status trc_take_order(trc *t, const wire_rec *r, td_diag *diag)
{
    TD_TRY(trc_subject_end(t, diag));
    if (!has_history(t) || r->size > WIRE_IDS)
        return trc_reject(t, diag, "an order without a history");
    if (!trc_subject_start(t, TRC_ABOUT_ORDER, t->order.len, TRC_MAX_NOTES))
        return TD_OK;
    for (unsigned i = 0; i < r->size; i++) {
        if (r->ids[i] >= t->calls.len)
            return trc_reject(t, diag, "operation %u of a history of %zu", r->ids[i],
                              t->calls.len);
        trc_u32_vec_push(&t->order, r->ids[i]);
    }
    return TD_OK;
}

td_status trc_take_says(trc *t, const wire_rec *r, td_diag *diag)
{
    TD_TRY(trc_subject_end(t, diag));
    if (!has_history(t))
        return trc_reject(t, diag, "what an operation without a history does");
    if (!trc_subject_start(t, TRC_ABOUT_ORDER, t->sayings.len, TRC_MAX_NOTES))
        return TD_OK;
    size_t n = t->sayings.len;
    uint32_t first = n > 0 ? t->sayings.at[n - 1].first + t->sayings.at[n - 1].n : 0;
    TD_ASSERT(first <= t->order.len);
    trc_saying_vec_push(&t->sayings, (trc_saying){
                                         .first = first,
                                         .n = (uint32_t)t->order.len - first,
                                         .possible = r->size != 0,
                                         .result = r->value,
                                     });
    return TD_OK;
}
