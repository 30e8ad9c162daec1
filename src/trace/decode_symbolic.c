/* SPDX-License-Identifier: Apache-2.0 */
/* Inputs, nodes and cases of switches of a run. */
#include "trace/decode.h"

#include "trace/symbolic.h"
#include "wire/sym.h"

const trc_switch *trc_switch_at(const trc *t, uint32_t site)
{
    for (size_t i = t->switches.len; i-- > 0;)
        if (t->switches.at[i].site == site)
            return &t->switches.at[i];
    return NULL;
}

td_status trc_take_input(trc *t, const wire_rec *r, td_diag *diag)
{
    TD_TRY(trc_subject_end(t, diag));
    if (!trc_thread_exists(t, r->thread))
        return trc_reject(t, diag, "thread %u does not exist", r->thread);
    if (r->size == 0 || r->size > 64 || (r->size < 64 && r->value >> r->size != 0))
        return trc_reject(t, diag, "an input of %u bits", r->size);
    if (r->order >= WIRE_N_SIGNS)
        return trc_reject(t, diag, "an input with sign %u", r->order);
    if (r->count != t->inputs.len || t->inputs.len >= WIRE_SYM_MAX_INPUTS)
        return trc_reject(t, diag, "input %u, %zu was next", r->count, t->inputs.len);
    t->decoder.subject = TRC_ABOUT_INPUT;
    t->decoder.dropping = false;
    trc_input_vec_push(&t->inputs, (trc_input){
                                       .key = r->object,
                                       .value = r->value,
                                       .thread = r->thread,
                                       .site = r->site,
                                       .before_op = trc_n_ops(t),
                                       .bits = r->size,
                                       .sign = r->order,
                                   });
    return TD_OK;
}

td_status trc_take_node(trc *t, const wire_rec *r, td_diag *diag)
{
    TD_DASSERT(t->nodes.len > 0);
    TD_TRY(trc_subject_end(t, diag));
    const char *wrong = trc_node_wrong(t, r);
    if (wrong)
        return trc_reject(t, diag, "%s", wrong);
    t->decoder.subject = TRC_ABOUT_NOTHING;
    trc_node_take(t, r);
    return TD_OK;
}

/* Cases of one switch come one after the other. */
td_status trc_take_case(trc *t, const wire_rec *r, td_diag *diag)
{
    TD_TRY(trc_subject_end(t, diag));
    if (!trc_subject_start(t, TRC_ABOUT_NOTHING, t->cases.len, TRC_MAX_NOTES))
        return TD_OK;
    size_t n = t->switches.len;
    if (n == 0 || t->switches.at[n - 1].site != r->site) {
        if (trc_switch_at(t, r->site))
            return trc_reject(t, diag, "the cases of a switch listed twice");
        trc_switch_vec_push(&t->switches,
                            (trc_switch){r->site, (uint32_t)t->cases.len, 0});
    }
    TD_DASSERT(t->switches.at[t->switches.len - 1].first +
                   t->switches.at[t->switches.len - 1].n ==
               t->cases.len);
    t->switches.at[t->switches.len - 1].n++;
    trc_u64_vec_push(&t->cases, r->value);
    return TD_OK;
}
