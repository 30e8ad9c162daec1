/* SPDX-License-Identifier: Apache-2.0 */
/* The cause that experiments found: its acts, and a sentence made from their pattern. */
#include "report/text/report_int.h"

#include <string.h>

/* ---- which acts ---- */

static bool is_of_event(const rep_act *a, const rep_event *e)
{
    /* An access of a promoted site may be recorded as the access that follows its operation. */
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

/* Finds the act of the second event's thread on the same memory before the first event. */
static uint32_t act_before(const rep_story *s, uint32_t first, uint32_t thread)
{
    for (uint32_t i = first; i-- > 0;) {
        const rep_act *a = &s->acts.at[i];
        if (a->thread == thread && !a->set_up && same_bytes(a, &s->acts.at[first]))
            return i;
    }
    return REP_NONE;
}

/* acts: of what came before, of the first event, of the second. */
static void find_order(const rep_story *s, const rep_event *first,
                       const rep_event *second, uint32_t acts[3])
{
    acts[1] = act_of_event(s, first);
    acts[2] = act_of_event(s, second);
    if (acts[1] != REP_NONE)
        acts[0] = act_before(s, acts[1], second->thread);
}

void rep_find_cause(rep_story *s)
{
    const rep_cause *cause = s->f->cause;
    for (int i = 0; i < REP_CAUSE_ACTS; i++)
        s->cause[i] = REP_NONE;
    if (cause == NULL || cause->kind != REP_CAUSE_ORDER)
        return;
    find_order(s, &cause->first, &cause->second, s->cause);
    if (cause->has_earlier)
        find_order(s, &cause->earlier[0], &cause->earlier[1],
                   s->cause + REP_CAUSE_EARLIER_BEFORE);
}

/* ---- words ---- */

static const char *noun_of(uint8_t kind)
{
    if (kind == WIRE_NOTE_READ)
        return "read";
    if (kind == WIRE_NOTE_WRITE || kind == REP_FREES)
        return "write";
    if (mdl_is_exchange(kind))
        return "cas";
    if (mdl_updates(kind))
        return "update";
    if (mdl_writes(kind))
        return "write";
    return mdl_reads(kind) ? "read" : mdl_kind_text(kind);
}

static const char *preposition_of(uint8_t kind)
{
    switch (mdl_does(kind)) {
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

static void print_at(const rep_scene *c, const rep_event *e, uint32_t act, td_text *out)
{
    trc_site at = c->story->names->site(c->story->names->ctx, e->site);
    if (e->file != NULL) {
        at.file = e->file;
        at.line = e->line;
    }
    if (act != REP_NONE)
        at = rep_act_site(c->story, &c->story->acts.at[act]);
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
    print_at(c, e, act, out);
}

/* ---- patterns ---- */

/* An order as it is printed. */
typedef struct order {
    const rep_event *first, *second;
    const uint32_t *acts; /* before, first, second */
} order;

static bool sleeps(const rep_event *e)
{
    return mdl_does(e->kind) == WIRE_DOES_SLEEP;
}

static bool wakes(const rep_event *e)
{
    return mdl_does(e->kind) == WIRE_DOES_WAKE || mdl_does(e->kind) == WIRE_DOES_WAKE_ALL;
}

static bool is_woken(const rep_event *e)
{
    return mdl_does(e->kind) == WIRE_DOES_WOKEN;
}

/* The last signal on the object before the act. */
static const rep_act *signal_before(const rep_story *s, uint32_t act, uint64_t object)
{
    for (uint32_t i = act; act != REP_NONE && i-- > 0;)
        if (s->acts.at[i].object == object &&
            (mdl_does(s->acts.at[i].kind) == WIRE_DOES_WAKE ||
             mdl_does(s->acts.at[i].kind) == WIRE_DOES_WAKE_ALL))
            return &s->acts.at[i];
    return NULL;
}

/* "T1's signal on c at q.c:97 wakes T2, which waits at q.c:85, and not T3, which waits at q.c:58." */
static bool print_wrong_waiter(const rep_scene *c, const order *o, td_text *out)
{
    const rep_act *a = NULL;
    if (is_woken(o->first) && is_woken(o->second))
        a = signal_before(c->story, o->acts[1], o->first->object);
    if (a == NULL)
        return false;
    rep_event e = {
        .thread = a->thread, .site = a->site, .kind = a->kind, .object = a->object};
    print_event(c, &e, (uint32_t)(a - c->story->acts.at), true, out);
    td_text_add(out, " wakes ");
    rep_print_thread(o->first->thread, out);
    td_text_add(out, ", which waits");
    print_at(c, o->first, o->acts[1], out);
    td_text_add(out, ", and not ");
    rep_print_thread(o->second->thread, out);
    td_text_add(out, ", which waits");
    print_at(c, o->second, o->acts[2], out);
    return true;
}

/* True if the exchange finds the value that its thread had read, though it was different in between. */
static bool is_aba(const rep_act *before, const rep_act *second)
{
    if (before == NULL || second == NULL || !mdl_exchanges(second->kind) ||
        second->old != before->value || !rep_act_reads(before))
        return false;
    for (const rep_act *a = before + 1; a < second; a++)
        if (a->thread != second->thread && a->object == second->object &&
            rep_act_writes(a) && a->value != before->value)
            return true;
    return false;
}

static const rep_act *act_at(const rep_story *s, uint32_t act)
{
    return act != REP_NONE ? &s->acts.at[act] : NULL;
}

static const char *pattern_of(const rep_scene *c, const order *o)
{
    const rep_act *before = act_at(c->story, o->acts[0]);
    bool writes = o->second->kind == WIRE_NOTE_WRITE || mdl_writes(o->second->kind);
    if (wakes(o->first) && sleeps(o->second))
        return " (lost wakeup)";
    if (is_aba(before, act_at(c->story, o->acts[2])))
        return " (ABA)";
    return before != NULL && rep_act_loads(before) && writes ? " (check-then-act)" : "";
}

static void print_order(const rep_scene *c, const order *o, td_text *out)
{
    const rep_act *before = act_at(c->story, o->acts[0]);
    if (print_wrong_waiter(c, o, out))
        return;
    print_event(c, o->first, o->acts[1], true, out);
    td_text_add(out, before != NULL ? " comes between " : " comes before ");
    if (before != NULL) {
        rep_event e = {.thread = before->thread,
                       .site = before->site,
                       .kind = before->kind};
        print_event(c, &e, o->acts[0], false, out);
        td_text_add(out, " and ");
    }
    print_event(c, o->second, o->acts[2],
                before == NULL && o->second->object != o->first->object, out);
    td_text_add(out, "%s", pattern_of(c, o));
}

/* The orders that are printed: of two, the one with a pattern is enough. */
typedef struct shown_orders {
    bool last, earlier;
} shown_orders;

static order last_order(const rep_scene *c)
{
    const rep_cause *cause = c->f->cause;
    return (order){&cause->first, &cause->second, c->story->cause};
}

static order earlier_order(const rep_scene *c)
{
    const rep_cause *cause = c->f->cause;
    return (order){&cause->earlier[0], &cause->earlier[1],
                   c->story->cause + REP_CAUSE_EARLIER_BEFORE};
}

static shown_orders orders_shown(const rep_scene *c)
{
    order last = last_order(c), earlier = earlier_order(c);
    if (!c->f->cause->has_earlier || pattern_of(c, &last)[0] != '\0')
        return (shown_orders){.last = true};
    return (shown_orders){.last = pattern_of(c, &earlier)[0] == '\0', .earlier = true};
}

size_t rep_why_steps(const rep_scene *c, uint32_t out[REP_WHY_STEPS])
{
    size_t n = 0;
    if (c->f->cause == NULL || c->f->cause->kind != REP_CAUSE_ORDER)
        return 0;
    shown_orders which = orders_shown(c);
    for (int i = 0; i < REP_CAUSE_ACTS; i++) {
        uint32_t act = c->story->cause[i];
        if (act != REP_NONE && c->story->acts.at[act].step != 0 &&
            (i < REP_CAUSE_EARLIER_BEFORE ? which.last : which.earlier))
            out[n++] = c->story->acts.at[act].step - 1;
    }
    return n;
}

/* Returns the wait at which a thread last passed a semaphore before an act, using its initial value: no
 * thread had posted it, and no other thread waits on it. NULL: there is none. */
static const rep_act *passed_freely(const rep_story *s, uint32_t act)
{
    const rep_act *passed = NULL;
    uint32_t thread = s->acts.at[act].thread;
    for (uint32_t i = act; !passed && i-- > 0;)
        if (s->acts.at[i].thread == thread &&
            mdl_does(s->acts.at[i].kind) == WIRE_DOES_DOWN)
            passed = &s->acts.at[i];
    for (const rep_act *a = s->acts.at; passed && a < s->acts.at + act; a++)
        if (a->object == passed->object && !mdl_resets(a->kind) &&
            (a->thread != thread || mdl_does(a->kind) == WIRE_DOES_UP))
            return NULL;
    return passed;
}

/* " T1's wait on empty at b.c:15 needs no post: it is set up at b.c:25 with a count of 3." */
static void print_count(const rep_scene *c, uint32_t act, td_text *out)
{
    const rep_story *s = c->story;
    const rep_act *passed = act != REP_NONE ? passed_freely(s, act) : NULL;
    const rep_act *init = NULL;
    uint64_t count = passed ? passed->value : 0;
    for (const rep_act *a = s->acts.at; passed && a <= passed; a++) {
        bool same = a->object == passed->object;
        init = same && mdl_resets(a->kind) ? a : init;
        count += same && mdl_does(a->kind) == WIRE_DOES_DOWN;
    }
    if (init == NULL)
        return;
    rep_event e = {.site = passed->site}, start = {.site = init->site};
    td_text_add(out, " ");
    rep_print_thread(passed->thread, out);
    td_text_add(out, "'s\twait on\t");
    rep_print_object(c->labels, passed->object, out);
    print_at(c, &e, (uint32_t)(passed - s->acts.at), out);
    td_text_add(out, " needs no post: it is set up");
    print_at(c, &start, (uint32_t)(init - s->acts.at), out);
    td_text_add(out, " with a count of %llu.", (unsigned long long)count);
}

static void print_orders(const rep_scene *c, const rep_cause *cause, td_text *out)
{
    shown_orders which = orders_shown(c);
    order last = last_order(c), earlier = earlier_order(c);
    if (which.earlier)
        print_order(c, &earlier, out);
    if (which.earlier && which.last)
        td_text_add(out, "; then ");
    if (which.last)
        print_order(c, &last, out);
    td_text_add(out, ". In the other order%s the run passes",
                which.earlier && which.last ? " of either" : "");
    if (cause->n_kept > 1 && which.last)
        td_text_add(out, "; in this one all %u continuations that were run fail",
                    cause->n_kept);
    td_text_add(out, ".");
    if (which.last)
        print_count(c, last.acts[1], out);
}

/* ---- choices of the library ---- */

/* "T1's wait ends by a spurious wakeup at x.c:14." */
static void print_input(const rep_scene *c, const rep_cause *cause, td_text *out)
{
    const trc *t = c->story->run;
    if (cause->input >= t->inputs.len)
        return;
    const char *name = t->texts.at + t->inputs.at[cause->input].text;
    rep_print_thread(cause->first.thread, out);
    td_text_add(out, " has a ");
    rep_put_clean(out, name);
    print_at(c, &cause->first, REP_NONE, out);
    td_text_add(out, ". Without it the run passes.");
}

bool rep_print_cause(const rep_scene *c, td_text *out)
{
    const rep_cause *cause = c->f->cause;
    if (cause == NULL || cause->kind == REP_CAUSE_NONE)
        return false;
    if (cause->kind == REP_CAUSE_INPUT)
        print_input(c, cause, out);
    else if (cause->kind == REP_CAUSE_ORDER)
        print_orders(c, cause, out);
    else if (c->f->no_return != 1)
        td_text_add(out, "Every schedule of the %u that were run fails.", cause->n_kept);
    return out->len > 0;
}
