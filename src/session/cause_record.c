/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the cause of a finding into its recording and reads it back. It is valid for one build of the
 * program, and only if the replay has each event at the recorded position. */
#include "session/session_int.h"

#include <string.h>

#include "base/assert.h"

static const char *const kinds[] = {[REP_CAUSE_ORDER] = "order",
                                    [REP_CAUSE_EVERY] = "every",
                                    [REP_CAUSE_INPUT] = "input"};
#define N_KINDS (sizeof kinds / sizeof kinds[0])

/* ---- names of kinds ---- */

static const char *kind_name(uint8_t kind)
{
    switch (kind) {
    case WIRE_NONE:
        return "choice";
    case WIRE_NOTE_READ:
        return "read";
    case WIRE_NOTE_WRITE:
        return "write";
    default:
        return mdl_kind_text(kind);
    }
}

static bool kind_named(const char *name, uint8_t *out)
{
    for (unsigned kind = 0; kind <= UINT8_MAX; kind++) {
        bool is_any = mdl_is_op((uint8_t)kind) || kind == WIRE_NONE ||
                      kind == WIRE_NOTE_READ || kind == WIRE_NOTE_WRITE;
        if (is_any && strcmp(kind_name((uint8_t)kind), name) == 0) {
            *out = (uint8_t)kind;
            return true;
        }
    }
    return false;
}

/* ---- into a recording ---- */

static sto_cause_event event_record(const trc_sites *sites, const rep_event *e)
{
    trc_site at = trc_site_at(sites, e->site);
    return (sto_cause_event){.kind = td_strdup(kind_name(e->kind)),
                             .in_run = e->in_run,
                             .thread = e->thread,
                             .op = e->op,
                             .site = e->site,
                             .file = td_strdup(ses_base_name(at.file)),
                             .line = at.line,
                             .object = e->object,
                             .users_file =
                                 e->file ? td_strdup(ses_base_name(e->file)) : NULL,
                             .users_line = e->line};
}

void ses_cause_record(const trc_sites *sites, uint32_t no_return, const rep_cause *cause,
                      sto_recording *r)
{
    r->no_return = no_return;
    if (cause == NULL || cause->kind == REP_CAUSE_NONE)
        return;
    TD_ASSERT(cause->kind < N_KINDS && r->cause.kind == NULL);
    sto_cause *c = &r->cause;
    c->kind = td_strdup(kinds[cause->kind]);
    c->n_kept = cause->n_kept;
    c->input = cause->input;
    if (cause->kind != REP_CAUSE_EVERY)
        c->events[0] = event_record(sites, &cause->first);
    if (cause->kind != REP_CAUSE_ORDER)
        return;
    c->events[1] = event_record(sites, &cause->second);
    for (int i = 0; cause->has_earlier && i < 2; i++)
        c->events[2 + i] = event_record(sites, &cause->earlier[i]);
}

/* ---- out of it ---- */

/* An operation, or a plain access after it. */
static bool is_in_run(const trc *t, const rep_event *e)
{
    const trc_op *op = e->op < t->ops.len ? &t->ops.at[e->op] : NULL;
    if (op && op->thread == e->thread && op->site == e->site)
        return true;
    for (size_t i = 0; i < t->accesses.len; i++) {
        const trc_access *a = &t->accesses.at[i];
        if (a->before_op == e->op && a->thread == e->thread && a->site == e->site &&
            a->object == e->object)
            return true;
    }
    return false;
}

static bool event_recorded(const trc_sites *sites, const trc *t,
                           const sto_cause_event *from, rep_event *out)
{
    *out = (rep_event){.thread = from->thread,
                       .site = from->site,
                       .in_run = from->in_run,
                       .op = from->op,
                       .object = from->object,
                       .file = from->users_file,
                       .line = from->users_line};
    trc_site at = trc_site_at(sites, from->site);
    if (!kind_named(from->kind, &out->kind) || from->thread >= t->threads.len ||
        at.line != from->line || strcmp(ses_base_name(at.file), from->file) != 0)
        return false;
    return out->kind == WIRE_NONE || !from->in_run || is_in_run(t, out);
}

static bool is_same_build(const trc_sites *sites, const sto_recording *r)
{
    const char *now = trc_build_id(sites);
    return *now && strcmp(now, r->build_id) == 0;
}

uint32_t ses_no_return_recorded(const trc_sites *sites, const trc *t,
                                const sto_recording *r)
{
    return is_same_build(sites, r) && r->no_return <= t->ops.len + 1 ? r->no_return : 0;
}

bool ses_cause_recorded(const trc_sites *sites, const trc *t, const sto_recording *r,
                        rep_cause *out)
{
    const sto_cause *c = &r->cause;
    *out = (rep_cause){.n_kept = c->n_kept, .input = c->input};
    rep_event *const events[STO_CAUSE_EVENTS] = {&out->first, &out->second,
                                                 &out->earlier[0], &out->earlier[1]};
    if (c->kind == NULL || !is_same_build(sites, r))
        return false;
    for (size_t i = 0; i < STO_CAUSE_EVENTS; i++)
        if (c->events[i].kind && !event_recorded(sites, t, &c->events[i], events[i]))
            return false;
    out->has_earlier = c->events[2].kind != NULL;
    for (unsigned kind = REP_CAUSE_ORDER; kind < N_KINDS; kind++)
        if (strcmp(kinds[kind], c->kind) == 0)
            out->kind = (rep_cause_kind)kind;
    return out->kind != REP_CAUSE_INPUT || c->input < t->inputs.len;
}
