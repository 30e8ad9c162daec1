/* SPDX-License-Identifier: Apache-2.0 */
/* One or two sentences about what led to the failure. */
#include "report/text/report_int.h"

#include <string.h>


/* ---- values of memory ---- */

static bool has_race(const trc *t)
{
    for (size_t i = 0; i < t->fails.len; i++)
        if (t->fails.at[i].kind == WIRE_FAIL_RACE)
            return true;
    return false;
}

static void print_data(const rep_scene *c, td_text *out)
{
    if (rep_print_cause(c, out) && !has_race(c->story->run))
        td_text_add(out, " No data race in this run.");
}

/* ---- threads that wait ---- */

static const rep_act *wait_of(const rep_story *s, uint32_t thread)
{
    for (size_t i = 0; i < s->acts.len; i++)
        if (s->acts.at[i].kind == REP_WAITS && s->acts.at[i].thread == thread)
            return &s->acts.at[i];
    return NULL;
}

/* What another thread would have to do. */
static const char *help_for(uint8_t wants)
{
    switch (trc_type_of(wants)) {
    case WIRE_TYPE_COND:
        return "signal";
    case WIRE_TYPE_SEM:
        return "post";
    case WIRE_TYPE_BARRIER:
        return "reach";
    case WIRE_TYPE_FUTEX:
        return "wake the waiters on";
    default:
        return trc_spins(wants) ? "change" : NULL;
    }
}

/* "No thread is left to signal 'c'." */
static void print_nobody(const rep_scene *c, const rep_act *wait, td_text *out)
{
    const char *help = help_for(wait->wants);
    if (help == NULL)
        return;
    if (rep_print_cause(c, out))
        td_text_add(out, " ");
    td_text_add(out, "No thread is left to %s '", help);
    rep_print_object(c->labels, wait->object, out);
    td_text_add(out, "'.");
}

/* " holds a (bank.c:18)": what the thread that is waited for holds. */
static void print_holds(const rep_scene *c, const rep_act *wait, td_text *out)
{
    const rep_story *s = c->story;
    for (size_t i = 0; i < s->locks.len; i++) {
        const rep_lock *l = &s->locks.at[i];
        if (l->object != wait->object || l->depth == 0)
            continue;
        trc_site site = rep_act_site(s, &s->acts.at[l->act]);
        td_text_add(out, " holds\t");
        rep_print_object(c->labels, l->object, out);
        td_text_add(out, "\t(");
        rep_print_place(&site, out);
        td_text_add(out, ") and");
    }
}

#define CYCLE_THREADS 4u /* of a cycle that are told */

/* "T1 holds a (x.c:3) and waits for T2 at x.c:4; T2 holds b (x.c:8) and waits for T1 at x.c:9." */
static void print_cycle(const rep_scene *c, const rep_act *first, uint32_t n,
                        td_text *out)
{
    const rep_act *w = first, *before = first;
    for (uint32_t i = 1; i < n; i++)
        before = wait_of(c->story, before->other);
    td_text_add(out, "Circular wait: ");
    for (uint32_t i = 0; i < n; i++, before = w, w = wait_of(c->story, w->other)) {
        if (i + 1 == CYCLE_THREADS && n > CYCLE_THREADS)
            td_text_add(out, "; and so on");
        if (i + 1 >= CYCLE_THREADS && i + 1 < n)
            continue;
        trc_site site = rep_act_site(c->story, w);
        td_text_add(out, "%s", i > 0 ? "; " : "");
        rep_print_thread(w->thread, out);
        print_holds(c, before, out);
        td_text_add(out, trc_joins(w->wants) ? " joins\t" : " waits\tfor\t");
        rep_print_thread(w->other, out);
        td_text_add(out, " at\t");
        rep_print_place(&site, out);
    }
    td_text_add(out, ".");
}

/* The holder goes nowhere, or has ended. */
static void print_holder(const rep_scene *c, const rep_act *wait, td_text *out)
{
    const rep_story *s = c->story;
    uint32_t taken = REP_NONE;
    for (size_t i = 0; i < s->locks.len; i++)
        if (s->locks.at[i].object == wait->object && s->locks.at[i].depth > 0)
            taken = s->locks.at[i].act;
    if (taken == REP_NONE)
        return;
    trc_site site = rep_act_site(s, &s->acts.at[taken]);
    rep_print_thread(s->acts.at[taken].thread, out);
    td_text_add(out, " acquired '");
    rep_print_object(c->labels, wait->object, out);
    td_text_add(out, "' at\t");
    rep_print_place(&site, out);
    trc_site at = rep_act_site(s, wait);
    td_text_add(out, wait->other == wait->thread ? " and locks it again at\t"
                                                 : " and never releases it; ");
    if (wait->other != wait->thread) {
        rep_print_thread(wait->thread, out);
        td_text_add(out, " waits for it at\t");
    }
    rep_print_place(&at, out);
    td_text_add(out, ".");
}

static void print_stuck(const rep_scene *c, td_text *out)
{
    const rep_story *s = c->story;
    const rep_act *first = wait_of(s, c->finding->thread), *w = first;
    uint32_t n = 0;
    if (first == NULL)
        return;
    if (rep_act_waits_for_anybody(first)) {
        print_nobody(c, first, out);
        return;
    }
    while (w != NULL && n <= s->run->threads.len && (n == 0 || w != first)) {
        w = w->other != REP_NONE ? wait_of(s, w->other) : NULL;
        n++;
    }
    if (w == first && n > 1)
        print_cycle(c, first, n, out);
    else if (trc_locks_alone(first->wants))
        print_holder(c, first, out);
}

/* ---- races and blocks ---- */

static void print_race(const rep_scene *c, td_text *out)
{
    const det_side *s = c->finding->sides;
    if (s == NULL || !s[0].locks_known || !s[1].locks_known)
        return;
    if (s[0].locks.len == 0 && s[1].locks.len == 0)
        td_text_add(out, "Neither thread holds a lock here, and nothing else orders the"
                         " two accesses.");
    else if (s[0].locks.len > 0 && s[1].locks.len > 0)
        td_text_add(out, "No lock is held at both accesses, and nothing else orders"
                         " two accesses.");
    else {
        rep_print_thread(s[s[0].locks.len > 0].thread, out);
        td_text_add(out, " holds no lock here, so ");
        rep_print_thread(s[s[0].locks.len == 0].thread, out);
        td_text_add(out, "'s lock does not protect the access.");
    }
}

/* "T2 frees the block at #1 without synchronising with T1, which uses it at #2." */
static void print_memory(const rep_scene *c, td_text *out)
{
    const rep_story *s = c->story;
    if (s->memory[0] == REP_NONE)
        return;
    const rep_act *frees = &s->acts.at[s->memory[0]];
    if (frees->step == 0)
        return;
    rep_print_thread(frees->thread, out);
    td_text_add(out, " frees the block at #%u", frees->step);
    if (frees->thread == c->finding->thread) {
        td_text_add(out, " itself.");
        return;
    }
    td_text_add(out, " without synchronising with ");
    rep_print_thread(c->finding->thread, out);
    td_text_add(out, ", which uses it at #%zu.", c->slice->steps.len);
}

/* ---- all of them ---- */

void rep_print_why(const rep_scene *c, td_text *out)
{
    if (det_is_stuck(c->finding->kind))
        print_stuck(c, out);
    else if (c->finding->kind == DET_RACE)
        print_race(c, out);
    else if (c->finding->kind == DET_MEMORY)
        print_memory(c, out);
    else
        print_data(c, out);
    if (c->f->doom == 1 && c->story->run->threads.len > 1)
        td_text_add(out, "%sEvery schedule%s fails.", out->len > 0 ? " " : "",
                    c->f->inputs.n > 0 ? " with these inputs" : "");
}
