/* SPDX-License-Identifier: Apache-2.0 */
/* The cause that experiments found: its acts, and a sentence made from its pattern. */
#include "report/text/report_int.h"

#include <string.h>

/* ---- which acts ---- */

static bool is_of_event(const rep_act *a, const rep_event *e)
{
    /* An access of a promoted site may be told as the access that follows its operation. */
    return a->kind != REP_WAITS && a->thread == e->thread && a->site == e->site &&
           a->object == e->object && (a->op == e->op || a->op == e->op + 1);
}

static uint32_t act_of_event(const rep_story *s, const rep_event *e)
{
    for (uint32_t i = 0; e->in_run && i < s->acts.len; i++)
        if (is_of_event(&s->acts.at[i], e))
            return i;
    return REP_NONE;
}

static bool is_memory(const rep_act *a)
{
    return rep_act_reads(a) || rep_act_writes(a);
}

static bool same_bytes(const rep_act *a, const rep_act *b)
{
    return is_memory(a) && is_memory(b) && a->object < b->object + b->size &&
           b->object < a->object + a->size;
}

/* What the thread of the second event had done to the same memory before the first one. */
static uint32_t act_before(const rep_story *s, uint32_t first, uint32_t thread)
{
    for (uint32_t i = first; i-- > 0;) {
        const rep_act *a = &s->acts.at[i];
        if (a->thread == thread && !a->set_up && same_bytes(a, &s->acts.at[first]))
            return i;
    }
    return REP_NONE;
}

void rep_find_cause(rep_story *s)
{
    const rep_cause *cause = s->f->cause;
    for (int i = 0; i < REP_CAUSE_ACTS; i++)
        s->cause[i] = REP_NONE;
    if (cause == NULL || cause->kind != REP_CAUSE_ORDER)
        return;
    s->cause[REP_CAUSE_FIRST] = act_of_event(s, &cause->first);
    s->cause[REP_CAUSE_SECOND] = act_of_event(s, &cause->second);
    if (s->cause[REP_CAUSE_FIRST] != REP_NONE)
        s->cause[REP_CAUSE_BEFORE] =
            act_before(s, s->cause[REP_CAUSE_FIRST], cause->second.thread);
}

size_t rep_why_steps(const rep_scene *c, uint32_t out[REP_WHY_STEPS])
{
    size_t n = 0;
    for (int i = 0; i < REP_CAUSE_ACTS; i++) {
        uint32_t act = c->story->cause[i];
        if (act != REP_NONE && c->story->acts.at[act].step != 0)
            out[n++] = c->story->acts.at[act].step - 1;
    }
    return n;
}

/* ---- words ---- */

static const char *noun_of(uint8_t kind)
{
    if (kind == WIRE_NOTE_READ)
        return "read";
    if (kind == WIRE_NOTE_WRITE || kind == REP_FREES)
        return "write";
    if (trc_is_exchange(kind))
        return "cas";
    if (trc_updates(kind))
        return "update";
    if (trc_writes(kind))
        return "write";
    return trc_reads(kind) ? "read" : trc_kind_text(kind);
}

static const char *preposition_of(uint8_t kind)
{
    switch (trc_does(kind)) {
    case WIRE_DOES_SLEEP:
    case WIRE_DOES_WAKE:
    case WIRE_DOES_WAKE_ALL:
        return "on";
    case WIRE_DOES_WRITE:
    case WIRE_DOES_UP:
        return "to";
    default:
        return kind == WIRE_NOTE_WRITE ? "to" : "of";
    }
}

static void print_at(const rep_scene *c, uint32_t site, uint32_t act, td_text *out)
{
    trc_site at = c->story->names->site(c->story->names->ctx, site);
    td_text_add(out, " at\t");
    rep_print_place(&at, out);
    if (act != REP_NONE && c->story->acts.at[act].step != 0)
        td_text_add(out, "\t(#%u)", c->story->acts.at[act].step);
}

/* "T2's read of balance at bank.c:12 (#3)"; the name of the object is left out the second time. */
static void print_event(const rep_scene *c, const rep_event *e, uint32_t act,
                        bool with_object, td_text *out)
{
    rep_print_thread(e->thread, out);
    td_text_add(out, "'s\t%s", noun_of(e->kind));
    if (with_object) {
        td_text_add(out, " %s\t", preposition_of(e->kind));
        rep_print_object(c->labels, e->object, out);
    }
    print_at(c, e->site, act, out);
}

/* ---- patterns ---- */

static bool sleeps(const rep_event *e)
{
    return trc_does(e->kind) == WIRE_DOES_SLEEP;
}

static bool wakes(const rep_event *e)
{
    return trc_does(e->kind) == WIRE_DOES_WAKE || trc_does(e->kind) == WIRE_DOES_WAKE_ALL;
}

static const rep_act *stuck_at(const rep_scene *c, uint64_t object)
{
    for (size_t i = 0; i < c->story->acts.len; i++) {
        const rep_act *a = &c->story->acts.at[i];
        if (a->kind == REP_WAITS && a->object == object &&
            a->thread == c->finding->thread)
            return a;
    }
    return NULL;
}

/* A waiter that came before the signal took it from the one that waits now. */
static bool print_wrong_waiter(const rep_scene *c, const rep_cause *cause, td_text *out)
{
    const rep_act *stuck = stuck_at(c, cause->first.object);
    if (!sleeps(&cause->first) || !wakes(&cause->second) || stuck == NULL ||
        stuck->thread == cause->first.thread)
        return false;
    trc_site at = rep_act_site(c->story, stuck);
    print_event(c, &cause->second, c->story->cause[REP_CAUSE_SECOND], true, out);
    td_text_add(out, " wakes ");
    rep_print_thread(cause->first.thread, out);
    td_text_add(out, ", which waits");
    print_at(c, cause->first.site, c->story->cause[REP_CAUSE_FIRST], out);
    td_text_add(out, ", and not ");
    rep_print_thread(stuck->thread, out);
    td_text_add(out, ", which waits at\t");
    rep_print_place(&at, out);
    td_text_add(out, ".");
    return true;
}

static bool is_aba(const rep_story *s, const rep_act *before, const rep_act *first,
                   const rep_act *second)
{
    if (before == NULL || second == NULL || !trc_exchanges(second->kind) ||
        second->old != before->value || !rep_act_reads(before))
        return false;
    for (const rep_act *a = before + 1; a < second; a++)
        if (a->thread != second->thread && a->object == second->object &&
            rep_act_writes(a) && a->value != before->value)
            return true;
    (void)s;
    (void)first;
    return false;
}

static const char *pattern_of(const rep_scene *c, const rep_cause *cause)
{
    const rep_story *s = c->story;
    const rep_act *act[REP_CAUSE_ACTS];
    for (int i = 0; i < REP_CAUSE_ACTS; i++)
        act[i] = s->cause[i] != REP_NONE ? &s->acts.at[s->cause[i]] : NULL;
    const rep_act *before = act[REP_CAUSE_BEFORE];
    bool writes = cause->second.kind == WIRE_NOTE_WRITE || trc_writes(cause->second.kind);
    if (wakes(&cause->first) && sleeps(&cause->second))
        return " (lost wakeup)";
    if (is_aba(s, before, act[REP_CAUSE_FIRST], act[REP_CAUSE_SECOND]))
        return " (ABA)";
    if (before != NULL && rep_act_loads(before) && writes)
        return " (check-then-act)";
    return "";
}

static void print_order(const rep_scene *c, const rep_cause *cause, td_text *out)
{
    const rep_story *s = c->story;
    uint32_t before = s->cause[REP_CAUSE_BEFORE];
    if (print_wrong_waiter(c, cause, out))
        return;
    print_event(c, &cause->first, s->cause[REP_CAUSE_FIRST], true, out);
    td_text_add(out, before != REP_NONE ? " comes between " : " comes before ");
    if (before != REP_NONE) {
        const rep_act *a = &s->acts.at[before];
        rep_event e = {.thread = a->thread, .site = a->site, .kind = a->kind};
        print_event(c, &e, before, false, out);
        td_text_add(out, " and ");
    }
    print_event(c, &cause->second, s->cause[REP_CAUSE_SECOND],
                before == REP_NONE && cause->second.object != cause->first.object, out);
    td_text_add(out, "%s.", pattern_of(c, cause));
}

/* "T1's wait at x.c:14 ends by a spurious wakeup." */
static void print_input(const rep_scene *c, const rep_cause *cause, td_text *out)
{
    const trc *t = c->story->run;
    if (cause->input >= t->inputs.len)
        return;
    const char *name = t->texts.at + t->inputs.at[cause->input].text;
    rep_print_thread(cause->first.thread, out);
    td_text_add(out, " has a ");
    for (; *name != '\0'; name++)
        td_text_put(out, *name == '_' ? " " : name, 1);
    print_at(c, cause->first.site, REP_NONE, out);
    td_text_add(out, ". Without it the run passes.");
}

static void print_evidence(const rep_cause *cause, td_text *out)
{
    td_text_add(out, " In the other order the run passes");
    if (cause->n_kept > 1)
        td_text_add(out, "; in this one all %u continuations fail", cause->n_kept);
    td_text_add(out, ".");
}

bool rep_print_cause(const rep_scene *c, td_text *out)
{
    const rep_cause *cause = c->f->cause;
    if (cause == NULL || cause->kind == REP_CAUSE_NONE)
        return false;
    if (cause->kind == REP_CAUSE_INPUT) {
        print_input(c, cause, out);
        return true;
    }
    print_order(c, cause, out);
    print_evidence(cause, out);
    return true;
}
