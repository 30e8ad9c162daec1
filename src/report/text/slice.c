/* SPDX-License-Identifier: Apache-2.0 */
/* Which acts explain the failure. There is no data flow inside a thread to follow, so the slice goes by
 * objects: the last reads of the failing thread, then the reads that the writers of their values made just
 * before; every access to such an object is shown, because a lost write matters as much as one that was
 * read. */
#include "report/text/report_int.h"

#include <string.h>

#include "base/assert.h"
#include "wire/layout.h"

#define LAST_READS 4    /* reads of the failing thread that may have led to the failure */
#define MORE_READS 6    /* ... of what others wrote as well, in a short story */
#define FEEDING 3       /* reads before a write, that may have led to its value */
#define LAST_ACTS 8     /* shown of the failing thread if nothing else is known */
#define MUTEX_ACTS 12u  /* shown of a mutex that was misused */
#define CHECKS 2        /* reads before such a wait, that may have led to it */
#define NEAR_DECISION 4 /* acts after a read, among which its decision is looked for */
#define OBJECT_ACTS 12u /* shown of what a thread waits at forever */

typedef struct choice {
    rep_story *s;
    rep_level level;
    bool *show; /* per act */
} choice;

/* ---- memory that matters ---- */

static void want_bytes(rep_word *w, uint8_t mask, void *ctx)
{
    (void)ctx;
    w->wanted |= mask;
}

static void test_wanted(rep_word *w, uint8_t mask, void *ctx)
{
    if ((w->wanted & mask) != 0)
        *(bool *)ctx = true;
}

static void test_shared(rep_word *w, uint8_t mask, void *ctx)
{
    if ((w->many & w->written & mask) != 0)
        *(bool *)ctx = true;
}

static bool is_memory(const rep_act *a)
{
    return rep_act_reads(a) || rep_act_writes(a);
}

static bool is_wanted(rep_story *s, const rep_act *a)
{
    bool wanted = false;
    rep_story_touch(s, a, test_wanted, &wanted);
    return wanted;
}

/* Accessed by several threads, and written while there were several. */
static bool is_shared(rep_story *s, const rep_act *a)
{
    bool shared = false;
    rep_story_touch(s, a, test_shared, &shared);
    return shared;
}

static bool at_failing_line(const rep_story *s, const rep_act *a)
{
    const det_finding *f = s->f->finding;
    trc_site site = rep_act_site(s, a);
    return site.line == f->line && strcmp(site.file, f->file) == 0;
}

/* What may have led to the failure: an atomic access, or one to memory that is not the
 * thread's own stack. */
static bool may_matter(const rep_act *a)
{
    return mdl_is_op(a->kind) || !plan_on_stack(a->object);
}

/* Selects the reads of the failing thread in the failing statement, and shortly before it. For memory that
 * no other thread changed, only this access is shown, and none before the thread last created or joined
 * another. */
static void want_last_reads(choice *c, unsigned n_more, unsigned n_shared)
{
    rep_story *s = c->s;
    bool in_line = true, alone = true;
    for (size_t i = s->acts.len; i-- > 0 && (in_line || n_more + n_shared > 0);) {
        const rep_act *a = &s->acts.at[i];
        if (a->thread != s->f->finding->thread)
            continue;
        alone = alone && !mdl_creates(a->kind) && !mdl_joins(a->kind);
        if (!rep_act_reads(a))
            continue;
        in_line = in_line && at_failing_line(s, a);
        bool shared = is_shared(s, a);
        if (in_line || shared)
            rep_story_touch(s, a, want_bytes, NULL);
        else if (alone && may_matter(a) && n_more > 0)
            c->show[i] = true;
        else
            continue;
        if (!in_line && shared && n_shared > 0)
            n_shared--;
        else
            n_more -= !in_line && n_more > 0;
    }
}

typedef struct feed {
    uint32_t reads[FEEDING]; /* newest first, REP_NONE */
} feed;

/* Selects the memory that writers of selected memory had read just before. True if some was new. */
static bool want_feeding_reads(rep_story *s)
{
    size_t n_threads = s->run->threads.len;
    bool found = false;
    feed *feeds = td_alloc(n_threads * sizeof *feeds);
    memset(feeds, 0xff, n_threads * sizeof *feeds);
    for (uint32_t i = 0; i < s->acts.len; i++) {
        const rep_act *a = &s->acts.at[i];
        TD_ASSERT(a->thread < n_threads);
        feed *f = &feeds[a->thread];
        if (!is_memory(a) || a->set_up)
            continue;
        if (rep_act_writes(a) && is_wanted(s, a)) {
            for (int k = 0; k < FEEDING && f->reads[k] != REP_NONE; k++) {
                const rep_act *r = &s->acts.at[f->reads[k]];
                found = found || !is_wanted(s, r);
                rep_story_touch(s, r, want_bytes, NULL);
            }
        }
        if (rep_act_reads(a) && is_shared(s, a)) {
            memmove(f->reads + 1, f->reads, (FEEDING - 1) * sizeof f->reads[0]);
            f->reads[0] = i;
        }
    }
    td_free(feeds);
    return found;
}

static void show_wanted(choice *c)
{
    for (size_t i = 0; i < c->s->acts.len; i++) {
        const rep_act *a = &c->s->acts.at[i];
        if (is_memory(a) && !a->set_up && is_wanted(c->s, a))
            c->show[i] = true;
    }
}

static bool is_busy_mutex(const rep_act *a)
{
    return mdl_has_failed(a->kind) && mdl_type_of(a->kind) == WIRE_TYPE_MUTEX;
}

/* Waiting for a lock, where the thread matters anyway. */
static void show_contention(choice *c)
{
    bool *matters = td_alloc(c->s->run->threads.len);
    for (size_t i = 0; i < c->s->acts.len; i++)
        if (c->show[i])
            matters[c->s->acts.at[i].thread] = true;
    for (size_t i = 0; i < c->s->acts.len; i++) {
        const rep_act *a = &c->s->acts.at[i];
        if (matters[a->thread] && (a->contended || is_busy_mutex(a)))
            c->show[i] = true;
    }
    td_free(matters);
}

/* ---- by kind of finding ---- */

static void show_last_acts(choice *c, unsigned n)
{
    for (size_t i = c->s->acts.len; i-- > 0 && n > 0;) {
        if (c->s->acts.at[i].thread != c->s->f->finding->thread)
            continue;
        c->show[i] = true;
        n--;
    }
}

static void forget_wanted(rep_story *s)
{
    for (size_t i = 0; i < s->words.len; i++)
        s->words.at[i].wanted = 0;
}

static void show_data(choice *c)
{
    rep_story *s = c->s;
    forget_wanted(s);
    want_last_reads(c,
                    c->level <= REP_WIDE     ? LAST_READS
                    : c->level == REP_MIDDLE ? LAST_READS / 2
                                             : 1,
                    c->level == REP_WIDEST ? MORE_READS : 0);
    for (int round = 0; c->level <= REP_WIDE && round < 2; round++)
        if (!want_feeding_reads(s))
            break;
    show_wanted(c);
    if (c->level <= REP_WIDE)
        show_contention(c);
}

static void show_mutex(choice *c)
{
    TD_ASSERT(c->s->fail != NULL);
    unsigned left = c->level <= REP_WIDE ? MUTEX_ACTS : MUTEX_ACTS / 2;
    for (size_t i = c->s->acts.len; i-- > 0 && left > 0;) {
        const rep_act *a = &c->s->acts.at[i];
        if (!rep_act_on_object(a) || a->object != c->s->fail->object)
            continue;
        c->show[i] = true;
        left--;
    }
}

/* The last acts on what a thread waits at forever: signals that came too early, posts that others
 * took. */
static void show_object(choice *c, uint64_t object)
{
    unsigned left = c->level <= REP_WIDE ? OBJECT_ACTS : OBJECT_ACTS / 2;
    for (size_t i = c->s->acts.len; i-- > 0 && left > 0;) {
        const rep_act *a = &c->s->acts.at[i];
        if (a->kind == REP_WAITS || !mdl_is_op(a->kind) || a->object != object)
            continue;
        c->show[i] = true;
        left--;
    }
}

/* Selects the last reads of a thread that waits for no particular thread, and the writes they observed. */
static void want_checks(choice *c, uint32_t thread)
{
    rep_story *s = c->s;
    unsigned left = c->level <= REP_WIDE ? CHECKS : 1;
    for (size_t i = s->acts.len; i-- > 0 && left > 0;) {
        const rep_act *a = &s->acts.at[i];
        if (a->thread != thread || !rep_act_reads(a) || !is_shared(s, a))
            continue;
        rep_story_touch(s, a, want_bytes, NULL);
        left--;
    }
}

/* Shows the acquisition of each awaited lock, and the waits. A thread that waits in join is named above the
 * table unless there is nothing else to show. */
static void show_deadlock(choice *c)
{
    rep_story *s = c->s;
    bool any_other = false;
    for (size_t i = 0; i < s->acts.len; i++)
        any_other = any_other ||
                    (s->acts.at[i].kind == REP_WAITS && !mdl_joins(s->acts.at[i].wants));
    for (size_t i = 0; i < s->acts.len; i++) {
        const rep_act *a = &s->acts.at[i];
        if (a->kind != REP_WAITS || (any_other && mdl_joins(a->wants)))
            continue;
        c->show[i] = true;
        if (rep_act_waits_for_anybody(a)) {
            show_object(c, a->object);
            if (c->level <= REP_MIDDLE && a->thread == s->f->finding->thread)
                want_checks(c, a->thread);
        }
        for (size_t k = 0; k < s->locks.len; k++)
            if (s->locks.at[k].object == a->object && s->locks.at[k].depth > 0)
                c->show[s->locks.at[k].act] = true;
    }
}

/* Shows the decision of the statement that made the read or called its function, if it follows soon. */
static void show_decision_after(choice *c, uint32_t act)
{
    const rep_story *s = c->s;
    const rep_path *path = &s->paths.at[s->acts.at[act].path];
    TD_ASSERT(c->show[act] && rep_act_reads(&s->acts.at[act]));
    uint32_t next = s->acts.at[act].next;
    for (int i = 0; i < NEAR_DECISION && next != REP_NONE; i++) {
        const rep_act *a = &s->acts.at[next];
        if (!mdl_decides(a->kind) && (rep_act_reads(a) || rep_act_writes(a)))
            return;
        for (uint32_t k = 0; mdl_decides(a->kind) && k < path->n; k++)
            if (rep_place_equal(rep_path_own(s, a->path),
                                &s->places.at[path->first + k])) {
                c->show[next] = true;
                return;
            }
        next = a->next;
    }
}

/* A decision is shown with what its statement read, or if it is the last one before the
 * failure. */
static void show_decisions(choice *c)
{
    const rep_story *s = c->s;
    bool last = c->level <= REP_MIDDLE;
    for (size_t i = s->acts.len; i-- > 0;) {
        const rep_act *a = &s->acts.at[i];
        if (!mdl_decides(a->kind) || a->thread != s->f->finding->thread)
            continue;
        c->show[i] = last || c->show[i];
        last = false;
    }
    for (size_t i = 0; i < s->acts.len && c->level <= REP_MIDDLE; i++)
        if (c->show[i] && rep_act_reads(&s->acts.at[i]))
            show_decision_after(c, (uint32_t)i);
}

/* The operations that the history above the table is about. */
static void show_marks(choice *c)
{
    for (size_t i = 0; i < c->s->acts.len && c->level <= REP_MIDDLE; i++)
        if (c->s->acts.at[i].call != REP_NONE && rep_act_is_mark(&c->s->acts.at[i]))
            c->show[i] = true;
}

static void show_some(choice *c)
{
    const rep_story *s = c->s;
    det_kind kind = s->f->finding->kind;
    if (det_is_stuck(kind)) {
        forget_wanted(c->s);
        show_deadlock(c);
        show_wanted(c);
    } else if (kind == DET_RACE && s->race[1] != REP_NONE) {
        c->show[s->race[1]] = true;
        if (s->race[0] != REP_NONE)
            c->show[s->race[0]] = true;
    } else if ((kind == DET_MUTEX || kind == DET_MISUSE) && s->fail != NULL)
        show_mutex(c);
    else if (kind == DET_THREAD || kind == DET_NONDET)
        show_last_acts(c, LAST_ACTS);
    else {
        show_data(c);
        show_decisions(c);
        show_marks(c);
    }
    for (int i = 0; i < 2; i++)
        if (s->memory[i] != REP_NONE)
            c->show[s->memory[i]] = true;
    for (int i = 0; i < REP_CAUSE_ACTS; i++)
        if (s->cause[i] != REP_NONE)
            c->show[s->cause[i]] = true;
    for (size_t i = 0; i < s->acts.len; i++)
        if (c->show[i])
            return;
    show_last_acts(c, LAST_ACTS);
}

/* ---- the point of no return ---- */

/* The act from which on every schedule fails: the last write of the move that makes it so, else the
 * first act that is shown after it. None where that is the failure itself. */
static uint32_t find_no_return(const rep_slice *c, const rep_story *s)
{
    uint32_t n = s->f->no_return - 1, start = n, found = REP_NONE;
    if (s->f->no_return < 2 || n > s->n_ops)
        return REP_NONE;
    while (start > 0 && !trc_is_choice(&s->run->ops.at[start - 1]))
        start--;
    for (size_t i = 0; i < c->shown.len; i++) {
        const rep_act *a = &s->acts.at[c->shown.at[i]];
        bool in_move = rep_act_ops_done(a) <= n,
             does = mdl_is_op(a->kind) || rep_act_writes(a);
        if (a->kind == REP_WAITS || rep_act_ops_done(a) < start || (!in_move && !does) ||
            (found != REP_NONE && !(in_move && does)))
            continue;
        found = c->shown.at[i];
    }
    TD_ASSERT(found == REP_NONE || s->acts.at[found].step > 0); /* it is shown */
    bool fails = found == REP_NONE || c->steps.at[s->acts.at[found].step - 1].fails;
    return fails ? REP_NONE : found;
}

/* True for acts of the C++ library that were not called by the program, or in a part without a header, and
 * that do not fail. */
static bool is_of_library(const rep_story *s, uint32_t act)
{
    const rep_act *a = &s->acts.at[act];
    bool is_shown = a->kind == REP_WAITS || act == s->race[0] || act == s->race[1] ||
                    act == s->memory[0] || act == s->memory[1];
    const rep_path *p = &s->paths.at[a->path];
    for (int i = 0; i < REP_CAUSE_ACTS; i++)
        is_shown = is_shown || act == s->cause[i];
    if (!is_shown && p->library && s->f->finding->kind == DET_ABORT)
        return true; /* what it read has no part in that */
    return !is_shown && (det_is_library(rep_path_own(s, a->path)->file) ||
                         (p->library && det_is_ours(p->inside.file)));
}

void rep_slice_init(rep_slice *c, rep_story *s, rep_level level)
{
    TD_ASSERT((unsigned)level < REP_N_LEVELS);
    choice choose = {s, level, td_alloc(s->acts.len + 1)};
    *c = (rep_slice){.no_return = REP_NONE};
    if (level >= REP_WIDEST)
        show_some(&choose);
    for (uint32_t i = 0; i < s->acts.len; i++) {
        s->acts.at[i].step = 0;
        if (level <= REP_ALL || (choose.show[i] && !is_of_library(s, i)))
            trc_u32_vec_push(&c->shown, i);
    }
    td_free(choose.show);
    rep_steps_make(c, s, level);
    c->no_return = find_no_return(c, s);
    TD_ASSERT(c->shown.len <= s->acts.len && c->steps.len <= c->n_all);
}

void rep_slice_fini(rep_slice *c)
{
    trc_u32_vec_fini(&c->shown);
    rep_step_vec_fini(&c->steps);
    rep_trunk_vec_fini(&c->trunks);
}
