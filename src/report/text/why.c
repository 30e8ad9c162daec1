/* SPDX-License-Identifier: Apache-2.0 */
/* One or two sentences about what led to the failure. */
#include "report/text/report_int.h"

#include <string.h>

#include "base/assert.h"

#define WHY_WRITES 2000u /* shown acts, from the end, looked at for an explanation ... */
#define WHY_NEAR 300u    /* ... and as many round each */

/* ---- a write between two accesses ---- */

/* A write of another thread between two accesses of one: indices in slice.shown. */
typedef struct between {
    uint32_t before, write, after;
} between;

static const rep_act *shown_act(const rep_scene *c, uint32_t i)
{
    TD_ASSERT(i < c->slice->shown.len);
    return &c->story->acts.at[c->slice->shown.at[i]];
}

/* The last such write of a value that the first access had not seen. */
static bool find_between(const rep_scene *c, uint32_t w, between *out)
{
    const rep_act *write = shown_act(c, w);
    uint32_t n = (uint32_t)c->slice->shown.len;
    uint32_t first = w > WHY_NEAR ? w - WHY_NEAR : 0;
    for (uint32_t k = w + 1; k < n && k < w + WHY_NEAR; k++) {
        const rep_act *after = shown_act(c, k);
        if (after->object != write->object || after->thread == write->thread)
            continue;
        for (uint32_t i = w; i-- > first;) {
            const rep_act *before = shown_act(c, i);
            if (before->object != write->object || before->thread != after->thread)
                continue;
            if (rep_act_reads(before) && !rep_act_writes(before) &&
                before->value != write->value && !trc_has_failed(before->kind)) {
                TD_ASSERT(i < w && w < k);
                *out = (between){i, w, k};
                return true;
            }
            break;
        }
    }
    return false;
}

/* True if the values of memory led to the failure. */
static bool is_about_data(det_kind kind)
{
    return kind == DET_ASSERT || kind == DET_ABORT || kind == DET_CRASH ||
           kind == DET_EXIT || kind == DET_LINEAR;
}

/* The last write that came between; false: there is none, or the finding needs none. */
static bool find_why(const rep_scene *c, between *out)
{
    uint32_t n = (uint32_t)c->slice->shown.len;
    uint32_t first = n > WHY_WRITES ? n - WHY_WRITES : 0;
    for (uint32_t w = n; is_about_data(c->finding->kind) && w-- > first;)
        if (rep_act_writes(shown_act(c, w)) && find_between(c, w, out))
            return true;
    return false;
}

/* A cas succeeds because the value is again what was read before. */
static void print_aba(const rep_scene *c, const between *b, td_text *out)
{
    const rep_act *before = shown_act(c, b->before), *after = shown_act(c, b->after);
    rep_print_object(c->labels, before->object, out);
    td_text_add(out, " changes between ");
    rep_print_thread(before->thread, out);
    td_text_add(out, "'s read (#%u) and ", before->step);
    rep_print_thread(after->thread, out);
    td_text_add(out, "'s cas (#%u) and back to its old value, so the cas succeeds (ABA).",
                after->step);
}

static void print_between(const rep_scene *c, const between *b, td_text *out)
{
    const rep_act *before = shown_act(c, b->before), *write = shown_act(c, b->write);
    const rep_act *after = shown_act(c, b->after);
    bool lost = rep_act_writes(after) && !rep_act_reads(after);
    const char *what = lost                           ? "write"
                       : trc_is_exchange(after->kind) ? "cas"
                       : rep_act_writes(after)        ? "update"
                                                      : "next read";
    if (trc_exchanges(after->kind) && after->old == before->value) {
        print_aba(c, b, out);
        return;
    }
    rep_print_thread(write->thread, out);
    td_text_add(out, "'s write to ");
    rep_print_object(c->labels, write->object, out);
    td_text_add(out, " at #%u comes between ", write->step);
    rep_print_thread(before->thread, out);
    td_text_add(out, "'s read (#%u) and ", before->step);
    rep_print_thread(after->thread, out);
    td_text_add(out, "'s %s (#%u)%s.", what, after->step,
                lost ? " and is overwritten" : "");
}

/* ---- what the failing statement read ---- */

static bool is_of_other(const rep_scene *c, const rep_act *a)
{
    const rep_act *w = a->from != REP_NONE ? &c->story->acts.at[a->from] : NULL;
    return w != NULL && w->thread != a->thread && w->step != 0;
}

/* The last read of the failing thread that may matter, in slice.shown: of what another thread wrote,
 * else of a zero that nobody has written; REP_NONE. */
static uint32_t find_read(const rep_scene *c)
{
    uint32_t zero = REP_NONE;
    for (uint32_t i = (uint32_t)c->slice->shown.len; i-- > 0;) {
        const rep_act *a = shown_act(c, i);
        if (a->thread != c->finding->thread || !rep_act_reads(a) || a->no_value)
            continue;
        if (is_of_other(c, a))
            return i;
        if (zero == REP_NONE && a->from == REP_NONE && a->value == 0)
            zero = i;
    }
    return zero;
}

/* "main's read of x (#5) sees what T1 wrote at #4." */
static void print_read(const rep_scene *c, td_text *out)
{
    uint32_t i = is_about_data(c->finding->kind) ? find_read(c) : REP_NONE;
    if (i == REP_NONE || c->story->run->threads.len < 2)
        return;
    const rep_act *a = shown_act(c, i);
    rep_print_thread(a->thread, out);
    td_text_add(out, "'s read of ");
    rep_print_object(c->labels, a->object, out);
    td_text_add(out, " (#%u) ", a->step);
    if (!is_of_other(c, a)) {
        td_text_add(out, "comes before any write to it.");
        return;
    }
    const rep_act *w = &c->story->acts.at[a->from];
    td_text_add(out, "sees what ");
    rep_print_thread(w->thread, out);
    td_text_add(out, " wrote at #%u.", w->step);
}

static bool has_race(const trc *t)
{
    for (size_t i = 0; i < t->fails.len; i++)
        if (t->fails.at[i].kind == WIRE_FAIL_RACE)
            return true;
    return false;
}

static void print_data(const rep_scene *c, td_text *out)
{
    between b;
    if (find_why(c, &b))
        print_between(c, &b, out);
    else
        print_read(c, out);
    if (out->len > 0 && !has_race(c->story->run))
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

/* The last act that does one of two things to an object before act end; REP_NONE. thread: only of that one;
 * REP_NONE: of any. */
static uint32_t last_act(const rep_story *s, uint64_t object, enum wire_does does,
                         enum wire_does or_does, uint32_t thread, uint32_t end)
{
    for (uint32_t i = end; i-- > 0;) {
        const rep_act *a = &s->acts.at[i];
        if (a->object == object &&
            (trc_does(a->kind) == does || trc_does(a->kind) == or_does) &&
            (thread == REP_NONE || a->thread == thread))
            return i;
    }
    return REP_NONE;
}

static void print_signal(const rep_scene *c, const rep_act *a, td_text *out)
{
    trc_site site = rep_act_site(c->story, a);
    rep_print_thread(a->thread, out);
    td_text_add(out, "'s\t%s at\t", trc_kind_text(a->kind));
    rep_print_place(&site, out);
}

/* A thread waits for a signal that came too early, or never. */
static void print_lost(const rep_scene *c, const rep_act *wait, td_text *out)
{
    const rep_story *s = c->story;
    uint32_t n = (uint32_t)s->acts.len;
    uint32_t began =
        last_act(s, wait->object, WIRE_DOES_SLEEP, WIRE_DOES_SLEEP, wait->thread, n);
    uint32_t early = last_act(s, wait->object, WIRE_DOES_WAKE, WIRE_DOES_WAKE_ALL,
                              REP_NONE, began == REP_NONE ? 0 : began);
    if (early != REP_NONE) {
        print_signal(c, &s->acts.at[early], out);
        td_text_add(out, " came before ");
        rep_print_thread(wait->thread, out);
        td_text_add(out, " waited (lost wakeup). ");
    }
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
    if (trc_type_of(wait->wants) == WIRE_TYPE_COND)
        print_lost(c, wait, out);
    td_text_add(out, "No thread is left to %s '", help);
    rep_print_object(c->labels, wait->object, out);
    td_text_add(out, "'.");
}

/* "T1 waits for T2, T2 for T1: each holds a lock that the other needs." */
static void print_cycle(const rep_scene *c, const rep_act *first, uint32_t n,
                        td_text *out)
{
    const rep_act *w = first;
    bool joins = false;
    for (uint32_t i = 0; i < n; i++) {
        td_text_add(out, "%s", i > 0 ? ", " : "");
        TD_ASSERT(w != NULL); /* who looked for the cycle came to its end */
        rep_print_thread(w->thread, out);
        td_text_add(out, i > 0 ? "\tfor\t" : "\twaits for\t");
        rep_print_thread(w->other, out);
        joins = joins || trc_joins(w->wants);
        w = wait_of(c->story, w->other);
    }
    td_text_add(out, joins    ? ": none can finish first."
                     : n == 2 ? ": each holds a lock that the other needs."
                              : ": each holds a lock that the previous one needs.");
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
    td_text_add(out, wait->other == wait->thread ? " and locks it again."
                                                 : " and never releases it.");
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

size_t rep_why_steps(const rep_scene *c, uint32_t out[REP_WHY_STEPS])
{
    between b;
    if (!find_why(c, &b))
        return 0;
    out[0] = shown_act(c, b.after)->step - 1;
    out[1] = shown_act(c, b.write)->step - 1;
    out[2] = shown_act(c, b.before)->step - 1;
    return 3;
}

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
