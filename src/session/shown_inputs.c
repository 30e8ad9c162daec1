/* SPDX-License-Identifier: Apache-2.0 */
/* Inputs of a run: for jobs that repeat it, for its recording, and for reports. */
#include "session/session_int.h"

#include <stdlib.h>

#include "base/assert.h"

void ses_inputs(const trc *t, trc_chosen_vec *out)
{
    for (size_t i = 0; i < t->inputs.len; i++)
        trc_chosen_vec_push(out,
                            (wire_input){t->inputs.at[i].key, t->inputs.at[i].value});
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

void ses_inputs_recorded(const sto_recording *r, trc_chosen_vec *out)
{
    for (size_t i = 0; i < r->inputs.len; i++)
        trc_chosen_vec_push(out,
                            (wire_input){r->inputs.at[i].key, r->inputs.at[i].value});
}

/* ---- for people ---- */

static uint32_t ops_before(const trc *t, const det_finding *f)
{
    return f->fail < t->fails.len ? t->fails.at[f->fail].after_op : (uint32_t)t->ops.len;
}

static int by_key(const void *a, const void *b)
{
    uint64_t x = ((const wire_input *)a)->key, y = ((const wire_input *)b)->key;
    return (x > y) - (x < y);
}

/* The inputs that decisions before the failure depend on, by key. */
static void find_what_matters(pth *p, const trc *t, uint32_t n_ops, trc_chosen_vec *out)
{
    exp_ref_vec conditions = {0};
    for (uint32_t i = 0; i < n_ops && i < t->ops.len; i++) {
        const trc_op *op = &t->ops.at[i];
        if (mdl_decides(op->kind))
            exp_ref_vec_push(&conditions,
                             pth_condition(p, pth_question(p, t, op), op->old));
    }
    pth_job(p, conditions.at, conditions.len, (exp_values){0}, out);
    if (out->len > 1)
        qsort(out->at, out->len, sizeof *out->at, by_key);
    exp_ref_vec_fini(&conditions);
}

static bool matters(const trc_chosen_vec *what, uint64_t key)
{
    wire_input wanted = {key, 0};
    return what->len > 0 &&
           bsearch(&wanted, what->at, what->len, sizeof *what->at, by_key) != NULL;
}

static void tell_decision(void *ctx, uint32_t op, td_text *out)
{
    const ses_shown_inputs *shown = ctx;
    TD_ASSERT(shown->path && op < shown->run->ops.len);
    pth_explain_one(shown->path, shown->run, op, out);
}

rep_decisions ses_shown_inputs_decisions(ses_shown_inputs *shown)
{
    return (rep_decisions){tell_decision, shown};
}

const char *const *ses_shown_inputs_args(const ses_shown_inputs *shown)
{
    return (const char *const *)shown->args;
}

bool ses_is_choice(const trc_sites *sites, const trc_input *in)
{
    return in->bits == 1 && in->site != 0 &&
           trc_site_at(sites, in->site).kind == WIRE_SITE_CALL;
}

/* "timeout of sem_timedwait, spurious wakeup": those that happened. */
static void add_choice(const char *name, td_text *out)
{
    td_text_add(out, "%s%s", out->len > 0 ? ", " : "", name);
}

/* Takes the choices of the library out of a condition: "!NAME", "NAME". */
static void drop_choice(td_text *condition, const char *name)
{
    static const char and[] = " && ";
    td_text out = {0};
    const char *at = condition->at;
    while (at != NULL && *at != '\0') {
        const char *end = strstr(at, and);
        size_t n = end ? (size_t)(end - at) : strlen(at), no = *at == '!';
        if (n - no != strlen(name) || memcmp(at + no, name, n - no) != 0) {
            td_text_add(&out, "%s", out.len > 0 ? and : "");
            td_text_put(&out, at, n);
        }
        at = end ? end + strlen(and) : NULL;
    }
    td_text_fini(condition);
    *condition = out;
}

void ses_shown_inputs_init(ses_shown_inputs *shown, const trc *t, const det_finding *f,
                           const ses_words *words)
{
    trc_u32_vec at = {0};
    trc_chosen_vec what = {0};
    td_text condition = {0}, choices = {0};
    *shown = (ses_shown_inputs){.path = pth_new(), .run = t};
    pth_take(shown->path, t);
    pth_explain(shown->path, t, ops_before(t, f), &condition);
    find_what_matters(shown->path, t, ops_before(t, f), &what);
    trc_input_names(t, &shown->names, &at);
    TD_ASSERT(at.len == t->inputs.len);
    for (size_t i = 0; i < t->inputs.len; i++) {
        const trc_input *in = &t->inputs.at[i];
        const char *name = shown->names.at + at.at[i];
        if (ses_is_choice(words->sites, in)) {
            drop_choice(&condition, name);
            if (in->value != 0)
                add_choice(t->texts.at + in->text, &choices);
            continue;
        }
        rep_input_vec_push(&shown->inputs,
                           (rep_input){.name = name,
                                       .value = in->value,
                                       .bits = in->bits,
                                       .sign = in->sign,
                                       .matters = matters(&what, in->key),
                                       .given = ses_words_text(words, name)});
    }
    shown->condition = condition.at ? condition.at : td_strdup("");
    shown->choices = choices.at ? choices.at : td_strdup("");
    shown->args = ses_words_args(words, &shown->inputs);
    trc_u32_vec_fini(&at);
    trc_chosen_vec_fini(&what);
}

rep_inputs ses_shown_inputs_view(const ses_shown_inputs *shown)
{
    return (rep_inputs){shown->inputs.at, shown->inputs.len, shown->condition,
                        shown->choices};
}

void ses_shown_inputs_forget_run(ses_shown_inputs *shown)
{
    pth_free(shown->path);
    shown->path = NULL;
    shown->run = NULL;
}

void ses_shown_inputs_fini(ses_shown_inputs *shown)
{
    ses_shown_inputs_forget_run(shown);
    rep_input_vec_fini(&shown->inputs);
    td_text_fini(&shown->names);
    td_free(shown->condition);
    td_free(shown->choices);
    for (size_t i = 0; shown->args && shown->args[i]; i++)
        td_free(shown->args[i]);
    td_free(shown->args);
    *shown = (ses_shown_inputs){0};
}
