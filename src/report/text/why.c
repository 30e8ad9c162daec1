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
    switch (mdl_type_of(wants)) {
    case WIRE_TYPE_COND:
        return "signal";
    case WIRE_TYPE_SEM:
        return "post";
    case WIRE_TYPE_BARRIER:
        return "reach";
    case WIRE_TYPE_FUTEX:
        return "wake the waiters on";
    default:
        return mdl_spins(wants) ? "change" : NULL;
    }
}

/* A signal that woke another thread explains the wait alone. */
static bool is_wrong_waiter(const rep_cause *cause)
{
    return cause != NULL && cause->kind == REP_CAUSE_ORDER &&
           mdl_does(cause->first.kind) == WIRE_DOES_WOKEN &&
           mdl_does(cause->second.kind) == WIRE_DOES_WOKEN;
}

/* "No thread is left to signal 'c'." */
static void print_nobody(const rep_scene *c, const rep_act *wait, td_text *out)
{
    const char *help = help_for(wait->wants);
    bool known = rep_print_cause(c, out);
    if (help == NULL)
        return;
    td_text_add(out, known ? " " : "");
    td_text_add(out, "No thread is left to %s '", help);
    rep_print_object(c->labels, wait->object, out);
    td_text_add(out, "'.");
    uint32_t reads[REP_LAST_READS];
    size_t n = is_wrong_waiter(c->f->cause) ? 0 : rep_last_reads(c, wait, reads);
    for (size_t i = n; i-- > 0;) {
        if (i + 1 == n) {
            td_text_add(out, " ");
            rep_print_thread(wait->thread, out);
        }
        td_text_add(out, i + 1 == n ? " " : ", and ");
        rep_print_last_read(c, reads[i], out);
    }
    td_text_add(out, n > 0 ? "." : "");
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

#define CYCLE_THREADS 4u /* threads of a cycle that are printed */

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
        td_text_add(out, mdl_joins(w->wants) ? " joins\t" : " waits\tfor\t");
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

/* Where the thread of a wait for the writer's lock took it as a reader; NULL: it has not. */
static const rep_act *upgraded(const rep_story *s, const rep_act *wait)
{
    if (mdl_type_of(wait->wants) != WIRE_TYPE_RWLOCK || mdl_takes_to_read(wait->wants))
        return NULL;
    for (uint32_t i = 0; i < s->acts.len; i++)
        if (s->acts.at[i].thread == wait->thread &&
            s->acts.at[i].object == wait->object && rep_still_reads(s, i))
            return &s->acts.at[i];
    return NULL;
}

static void print_both_places(const rep_scene *c, const rep_act *a, const rep_act *b,
                              td_text *out)
{
    trc_site first = rep_act_site(c->story, a), second = rep_act_site(c->story, b);
    td_text_add(out, " (");
    rep_print_place(&first, out);
    td_text_add(out, ",\t");
    rep_print_place(&second, out);
    td_text_add(out, ")");
}

/* "T1 holds rw as reader and wants to be its writer (x.c:8, x.c:13); so does T2 (x.c:8, x.c:13). A writer waits for
 * all readers, itself included." */
static bool print_upgrade(const rep_scene *c, const rep_act *first, td_text *out)
{
    const rep_story *s = c->story;
    const rep_act *taken = upgraded(s, first);
    if (taken == NULL)
        return false;
    rep_print_thread(first->thread, out);
    td_text_add(out, " holds\t");
    rep_print_object(c->labels, first->object, out);
    td_text_add(out, " as reader and wants to be its writer");
    print_both_places(c, taken, first, out);
    for (size_t i = 0; i < s->acts.len; i++) {
        const rep_act *w = &s->acts.at[i];
        bool is_other = w->kind == REP_WAITS && w->thread != first->thread &&
                        w->object == first->object;
        taken = is_other ? upgraded(s, w) : NULL;
        if (taken == NULL)
            continue;
        td_text_add(out, "; so does ");
        rep_print_thread(w->thread, out);
        print_both_places(c, taken, w, out);
    }
    td_text_add(out, ". A writer waits for all readers, itself included.");
    return true;
}

static void print_stuck(const rep_scene *c, td_text *out)
{
    const rep_story *s = c->story;
    const rep_act *first = wait_of(s, c->finding->thread), *w = first;
    uint32_t n = 0;
    if (first == NULL || print_upgrade(c, first, out))
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
    else if (mdl_locks_alone(first->wants))
        print_holder(c, first, out);
}

/* ---- races and blocks ---- */

/* Returns a lock that both hold as readers, of the first side; or NULL. */
static const det_lock *read_by_both(const det_side *s)
{
    for (size_t i = 0; i < s[0].locks.len; i++)
        for (size_t k = 0; k < s[1].locks.len; k++) {
            const det_lock *a = &s[0].locks.at[i], *b = &s[1].locks.at[k];
            if (a->object == b->object && a->is_reader && b->is_reader)
                return a;
        }
    return NULL;
}

static bool is_atomic(const rep_act *a)
{
    return mdl_is_op(a->kind) && mdl_is_access(a->kind);
}

/* What the thread of the earlier access stored, and that of the later one loaded between the two: the load, as
 * an act, if that would order them with release and acquire, and does not. */
static const rep_act *find_weak(const rep_story *s)
{
    if (s->race[0] == REP_NONE || s->race[1] == REP_NONE)
        return NULL;
    const rep_act *earlier = &s->acts.at[s->race[0]], *later = &s->acts.at[s->race[1]];
    for (uint32_t i = s->race[1]; i-- > s->race[0];) {
        const rep_act *a = &s->acts.at[i];
        if (a->thread != later->thread || !is_atomic(a) || a->from == REP_NONE ||
            a->from <= s->race[0])
            continue;
        const rep_act *w = &s->acts.at[a->from];
        bool weak = w->order == __ATOMIC_RELAXED || a->order == __ATOMIC_RELAXED;
        if (w->thread == earlier->thread && is_atomic(w) && weak)
            return a;
    }
    return NULL;
}

static void print_place_of(const rep_scene *c, const rep_act *a, td_text *out)
{
    trc_site site = rep_act_site(c->story, a);
    td_text_add(out, " at\t");
    rep_print_place(&site, out);
}

/* "T2 reads at x.c:18 what T1's relaxed store at x.c:12 wrote: that does not synchronise." */
static void print_weak(const rep_scene *c, const rep_act *load, td_text *out)
{
    const rep_act *store = &c->story->acts.at[load->from];
    bool weak_store = store->order == __ATOMIC_RELAXED;
    td_text_add(out, "The relaxed %s of\t", weak_store ? "store" : "load");
    rep_print_object(c->labels, load->object, out);
    print_place_of(c, weak_store ? store : load, out);
    td_text_add(out, " does not synchronise with the %s", weak_store ? "load" : "store");
    print_place_of(c, weak_store ? load : store, out);
    td_text_add(out, ", so nothing orders ");
}

/* Side 0 or 1 of the race. */
static bool is_free(const rep_story *s, int side)
{
    return s->race[side] != REP_NONE && s->acts.at[s->race[side]].kind == REP_FREES;
}

static void print_side(const rep_scene *c, int side, td_text *out)
{
    const det_side *s = &c->finding->sides[side];
    trc_site site = {.file = s->file ? s->file : "?", .line = s->line};
    rep_print_thread(s->thread, out);
    td_text_add(out, "'s\t%s at\t",
                is_free(c->story, side) ? "free"
                : s->is_write           ? "write"
                                        : "read");
    rep_print_place(&site, out);
}

static void print_sides(const rep_scene *c, td_text *out)
{
    print_side(c, 0, out);
    td_text_add(out, " and ");
    print_side(c, 1, out);
    if (is_free(c->story, 0))
        td_text_add(out, "; here the access comes after the free");
    else if (is_free(c->story, 1))
        td_text_add(out, ", so the access may come after the free");
}

/* Which lock was held on one side only, or none. */
static void print_locks_of_race(const det_side *s, td_text *out)
{
    const det_lock *read = read_by_both(s);
    if (read != NULL) {
        td_text_add(out, "Both threads hold\t");
        rep_put_clean(out, read->name[0] ? read->name : "the lock");
        td_text_add(out, " only as readers (");
        rep_put_clean(out, rep_base_name(read->file));
        td_text_add(out, ":%u), which does not exclude each other.", read->line);
    } else if (s[0].locks.len == 0 && s[1].locks.len == 0) {
        td_text_add(out, "Neither thread holds a lock.");
    } else if (s[0].locks.len > 0 && s[1].locks.len > 0) {
        td_text_add(out, "No lock is held at both accesses.");
    } else {
        rep_print_thread(s[s[0].locks.len > 0].thread, out);
        td_text_add(out, " holds no lock, so ");
        rep_print_thread(s[s[0].locks.len == 0].thread, out);
        td_text_add(out, "'s lock does not protect the access.");
    }
}

/* What a thread calls the object: what follows the last dot, arrow or colon. */
static const char *last_part(const char *name)
{
    const char *at = name;
    for (const char *p = name; *p; p++)
        if (strchr(".>:*", *p))
            at = p + 1;
    return at;
}

/* One side sets it to a constant, the other one tests it in a condition. */
static bool is_flag(const rep_names *names, const det_side *test, const det_side *set,
                    const char *name)
{
    if (test->is_write || !set->is_write || !test->file || !set->file)
        return false;
    const char *line = names->source(names->ctx, test->file, test->line);
    bool is = line && rep_is_tested(line, last_part(name));
    line = is ? names->source(names->ctx, set->file, set->line) : NULL;
    return line && rep_is_set(line, last_part(name));
}

/* "T1 tests stop as a flag that main sets: make it atomic." */
static void print_flag(const rep_scene *c, td_text *out)
{
    const rep_story *s = c->story;
    const det_side *sides = c->finding->sides, *test = &sides[sides[0].is_write ? 1 : 0],
                   *set = &sides[sides[0].is_write ? 0 : 1];
    td_text name = {0};
    if (s->race[0] != REP_NONE)
        rep_print_object(c->labels, s->acts.at[s->race[0]].object, &name);
    if (name.len > 0 && is_flag(s->names, test, set, name.at)) {
        td_text_add(out, " ");
        rep_print_thread(test->thread, out);
        td_text_add(out, " tests %s as a flag that\t", name.at);
        rep_print_thread(set->thread, out);
        td_text_add(out, " sets: make it atomic (treadle\tcc\t--volatile=atomic does so "
                         "for volatile objects; this one is not volatile).");
    }
    td_text_fini(&name);
}

/* "stop is volatile, which orders nothing between threads; make it atomic, or build with --volatile=atomic." */
static void print_volatile(const rep_scene *c, td_text *out)
{
    const rep_story *s = c->story;
    for (int i = 0; i < 2; i++) {
        const rep_act *a = s->race[i] != REP_NONE ? &s->acts.at[s->race[i]] : NULL;
        trc_site site = {.callee = ""};
        if (a != NULL)
            site = s->names->site(s->names->ctx, a->site);
        if ((site.kind != WIRE_SITE_READ && site.kind != WIRE_SITE_WRITE) ||
            strcmp(site.callee, WIRE_SITE_VOLATILE) != 0)
            continue;
        td_text_add(out, " ");
        rep_print_object(c->labels, a->object, out);
        td_text_add(out, " is volatile, which orders nothing between threads: make it "
                         "atomic, or build with treadle\tcc\t--volatile=atomic.");
        return;
    }
    print_flag(c, out);
}

static void print_race(const rep_scene *c, td_text *out)
{
    const det_side *s = c->finding->sides;
    if (s == NULL)
        return;
    const rep_act *weak = find_weak(c->story);
    if (weak != NULL)
        print_weak(c, weak, out);
    else
        td_text_add(out, "Nothing orders ");
    print_sides(c, out);
    td_text_add(out, ".");
    print_volatile(c, out);
    if (weak != NULL || !s[0].locks_known || !s[1].locks_known)
        return;
    td_text_add(out, " ");
    print_locks_of_race(s, out);
}

/* "T2 frees the block at x.c:19 (#1); T1 uses it at x.c:28." */
static void print_memory(const rep_scene *c, td_text *out)
{
    const rep_story *s = c->story;
    if (s->memory[0] == REP_NONE || s->fail == NULL)
        return;
    const rep_act *frees = &s->acts.at[s->memory[0]];
    const rep_place *own = rep_path_own(s, s->fail_path);
    trc_site at = {.file = own->file, .line = own->line};
    rep_print_thread(frees->thread, out);
    td_text_add(out, " frees the block");
    print_place_of(c, frees, out);
    if (frees->step != 0)
        td_text_add(out, "\t(#%u)", frees->step);
    td_text_add(out, ";\t");
    rep_print_thread(c->finding->thread, out);
    td_text_add(out, " %s at\t",
                c->finding->thread == frees->thread ? "itself uses it later" : "uses it");
    rep_print_place(&at, out);
    td_text_add(out, ".");
    if (c->f->cause != NULL && c->f->cause->kind != REP_CAUSE_NONE)
        td_text_add(out, " ");
    rep_print_cause(c, out);
}

/* ---- a lock that is left held ---- */

static bool sleeps_at(const rep_story *s, uint32_t thread, uint32_t site)
{
    for (size_t i = 0; i < s->acts.len; i++)
        if (s->acts.at[i].thread == thread && s->acts.at[i].site == site &&
            (mdl_does(s->acts.at[i].kind) == WIRE_DOES_SLEEP ||
             s->acts.at[i].kind == WIRE_CANCEL_TEST))
            return true;
    return false;
}

/* Where a thread took a lock last; a wait that takes it again does not count. */
static const rep_act *taken_at(const rep_story *s, uint32_t thread, uint64_t object)
{
    for (size_t i = s->acts.len; i-- > 0;) {
        const rep_act *a = &s->acts.at[i];
        if (a->thread == thread && a->object == object && mdl_locks(a->kind) &&
            !sleeps_at(s, thread, a->site))
            return a;
    }
    return NULL;
}

static const rep_act *cancelled_at(const rep_story *s, uint32_t thread)
{
    for (size_t i = s->acts.len; i-- > 0;) {
        const rep_act *a = &s->acts.at[i];
        if (a->thread == thread && a->kind == WIRE_CANCEL_TEST && a->value != 0)
            return a;
    }
    return NULL;
}

/* "T1 takes m at x.c:52, is cancelled at x.c:57 and ends: no cleanup handler releases m." */
static bool print_left(const rep_scene *c, td_text *out)
{
    const rep_story *s = c->story;
    bool left = s->fail != NULL && strstr(c->finding->message, "ends while it holds");
    const rep_act *taken = left ? taken_at(s, s->fail->thread, s->fail->object) : NULL;
    if (taken == NULL)
        return false;
    const rep_act *cancelled = cancelled_at(s, taken->thread);
    rep_print_thread(taken->thread, out);
    td_text_add(out, " acquires\t");
    rep_print_object(c->labels, taken->object, out);
    print_place_of(c, taken, out);
    if (cancelled != NULL) {
        td_text_add(out, " and is cancelled");
        print_place_of(c, cancelled, out);
        td_text_add(out, "; no cleanup handler releases it.");
    } else {
        td_text_add(out, " and ends without releasing it.");
    }
    return true;
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
    else if (!print_left(c, out))
        print_data(c, out);
    if (c->finding->always) {
        td_text_add(out,
                    "%sEvery schedule that was run%s ends this way: the cause is the "
                    "program or its environment, not the order of threads. "
                    "--exit-code=ignore explores it anyway.",
                    out->len > 0 ? " " : "",
                    c->f->inputs.n > 0 ? " with these inputs" : "");
        return;
    }
    if (c->f->no_return == 1 && c->story->run->threads.len > 1)
        td_text_add(out, "%sEvery schedule%s fails.", out->len > 0 ? " " : "",
                    c->f->inputs.n > 0 ? " with these inputs" : "");
    if (c->f->cut_ms > 0)
        td_text_add(out,
                    "%sThe search for a shorter schedule and for the cause ended after "
                    "%g s (--explain-time).",
                    out->len > 0 ? " " : "", (double)c->f->cut_ms / 1000);
}
