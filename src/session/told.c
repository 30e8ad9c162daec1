/* SPDX-License-Identifier: Apache-2.0 */
/* Inputs of a run: for jobs that repeat it, for its recording, for people. */
#include "session/session_int.h"

void ses_inputs(const trc *t, ses_input_vec *out)
{
    for (size_t i = 0; i < t->inputs.len; i++)
        ses_input_vec_push(out, (wire_input){t->inputs.at[i].key, t->inputs.at[i].value});
}

void ses_inputs_record(const trc *t, sto_recording *r)
{
    for (size_t i = 0; i < t->inputs.len; i++) {
        const trc_input *in = &t->inputs.at[i];
        td_text name = {0};
        const char *text = t->texts.at + in->text;
        td_text_put(&name, text, strnlen(text, STO_MAX_NAME));
        sto_input_vec_push(&r->inputs,
                           (sto_input){.name = name.at ? name.at : td_strdup(""),
                                       .key = in->key,
                                       .value = in->value,
                                       .bits = in->bits,
                                       .sign = in->sign});
    }
}

void ses_inputs_recorded(const sto_recording *r, ses_input_vec *out)
{
    for (size_t i = 0; i < r->inputs.len; i++)
        ses_input_vec_push(out, (wire_input){r->inputs.at[i].key, r->inputs.at[i].value});
}

/* ---- for people ---- */

static uint32_t ops_before(const trc *t, const det_finding *f)
{
    return f->fail < t->fails.len ? t->fails.at[f->fail].after_op : (uint32_t)t->ops.len;
}

static char *condition_of(const trc *t, const det_finding *f)
{
    td_text text = {0};
    pth *p = pth_new();
    pth_take(p, t);
    pth_explain(p, t, ops_before(t, f), &text);
    pth_free(p);
    return text.at ? text.at : td_strdup("");
}

void ses_told_init(ses_told *told, const trc *t, const det_finding *f)
{
    trc_u32_vec at = {0};
    *told = (ses_told){.condition = condition_of(t, f)};
    trc_input_names(t, &told->names, &at);
    for (size_t i = 0; i < t->inputs.len; i++) {
        const trc_input *in = &t->inputs.at[i];
        rep_input_vec_push(&told->inputs, (rep_input){.name = told->names.at + at.at[i],
                                                      .value = in->value,
                                                      .bits = in->bits,
                                                      .sign = in->sign});
    }
    trc_u32_vec_fini(&at);
}

rep_inputs ses_told_view(const ses_told *told)
{
    return (rep_inputs){told->inputs.at, told->inputs.len, told->condition};
}

void ses_told_fini(ses_told *told)
{
    rep_input_vec_fini(&told->inputs);
    td_text_fini(&told->names);
    td_free(told->condition);
    *told = (ses_told){0};
}
