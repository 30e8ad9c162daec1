/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the cause of a finding by experiments. After the point of no return every continuation fails;
 * its last choice, of thread A, is one side of an order. The other side is the operation of a thread
 * B that, if B gets that far first and all else stays as it was, makes the run pass. The two runs are then
 * compared: the first read that sees something else names the two accesses. */
#include "session/session_int.h"

#include "base/assert.h"

#define MAX_RUNS 3000u     /* experiments with one finding */
#define SAMPLES 48u        /* continuations of a beginning of the schedule */
#define EARLIER 4u         /* choices before a switch that may have led to the failure */
#define MAX_AHEAD 60u      /* choices that another thread gets ahead */
#define MAX_OPS 1000000u   /* limit of all experiments together */
#define MAX_CHOICES 10000u /* longest schedule */
#define NEAR 8u /* operations of A after its choice that may be the order's side */
#define NONE UINT32_MAX

/* An operation or a plain access of a run. */
typedef struct event {
    rep_event is;
    bool reads, writes;
    bool is_choice;
    uint8_t size;   /* bytes of an access, else 0 */
    uint32_t stack; /* index in the stacks of its run */
    uint64_t seen;  /* read */
} event;

TD_VEC(event, event_vec);

typedef struct experiments {
    ses_trials trials;
    const det_finding *f;
    const ses_attempt *a;
    trc_u32_vec choices; /* threads, as the failing run chose them */
    trc_step_vec steps;  /* schedule of the next experiment */
    trc_u32_vec stopped; /* threads that can get no further ahead */
    uint32_t n;          /* number of choices after which every continuation fails */
    uint32_t ahead;      /* the thread that makes the run pass if it gets ahead ... */
    uint32_t by;         /* ... by this number of choices; 0: none */
    trc failing;         /* failing run, with all accesses */
} experiments;

/* ---- one run ---- */

/* How a run continues after its steps. */
typedef struct manner {
    bool in_detail;
    bool is_random;
    uint64_t seed;
} manner;

static trc *execute(experiments *x, const trc_chosen_vec *inputs, manner how)
{
    uint32_t flags = ses_replay_flags(x->f->kind) | x->a->flags;
    run_request request = ses_attempt_request(
        x->a, how.in_detail ? flags : flags & ~(WIRE_JOB_DETAIL | WIRE_JOB_STACKS));
    request.policy = how.is_random ? WIRE_POLICY_RANDOM : WIRE_POLICY_FIRST;
    request.seed = how.seed;
    request.steps = x->steps.at;
    request.n_steps = x->steps.len;
    request.inputs = inputs->at;
    request.n_inputs = inputs->len;
    return ses_trial(&x->trials, request);
}

static bool shows(experiments *x, const trc *t)
{
    det_finding found = {0};
    bool same = ses_find_same(x->trials.s, t, x->f, &found);
    det_finding_fini(&found);
    return same;
}

/* True if the run has no failure except data races. */
static bool passes(experiments *x, const trc *t)
{
    if (t->done == WIRE_DONE_DIVERGED || trc_is_stuck(t) || !t->complete)
        return false;
    for (size_t i = 0; i < t->fails.len; i++)
        if (t->fails.at[i].kind != WIRE_FAIL_RACE)
            return false;
    return !shows(x, t);
}

/* ---- from where on it fails ---- */

static void make_beginning(experiments *x, uint32_t n)
{
    trc_step_vec_clear(&x->steps);
    for (uint32_t i = 0; i < n; i++)
        trc_step_add(&x->steps, x->choices.at[i]);
}

static bool samples_fail(experiments *x, uint32_t n)
{
    for (uint32_t i = 0; i < SAMPLES; i++) {
        make_beginning(x, n);
        const trc *t = execute(x, &x->a->inputs, (manner){.is_random = i > 0, .seed = i});
        if (!t || !shows(x, t))
            return false;
    }
    return true;
}

/* Fewer choices than the point of no return after which all samples fail. */
static void find_earliest(experiments *x, rep_cause *out)
{
    uint32_t low = 0;
    while (low < x->n && !ses_trials_over(&x->trials)) {
        uint32_t middle = low + (x->n - low) / 2;
        if (samples_fail(x, middle)) {
            x->n = middle;
            out->n_kept = SAMPLES;
        } else {
            low = middle + 1;
        }
    }
}

/* ---- another thread gets ahead ---- */

/* How the run continues after a thread was moved ahead. */
typedef enum rest {
    REST_SAME, /* the rest of the failing schedule */
    REST_NEXT, /* the next choice of that schedule, then any enabled thread */
    REST_FREE,
    N_RESTS
} rest;

static void make_steps(experiments *x, uint32_t ahead, uint32_t by, rest how)
{
    uint32_t skip = by;
    trc_step_vec_clear(&x->steps);
    for (uint32_t i = 0; i + 1 < x->n; i++)
        trc_step_add(&x->steps, x->choices.at[i]);
    for (uint32_t i = 0; i < by; i++)
        trc_step_add(&x->steps, ahead);
    uint32_t end = how == REST_SAME   ? (uint32_t)x->choices.len
                   : how == REST_NEXT ? x->n
                                      : 0;
    for (uint32_t i = x->n - 1; i < end; i++) {
        if (x->choices.at[i] == ahead && skip > 0)
            skip--;
        else
            trc_step_add(&x->steps, x->choices.at[i]);
    }
}

/* Returns whether the run passes with that thread so far ahead; *can: whether it can get that far. The steps
 * of the run are in x->steps. */
static bool passes_ahead(experiments *x, uint32_t thread, uint32_t by, bool *can)
{
    *can = true;
    for (rest how = REST_SAME; how < N_RESTS; how++) {
        make_steps(x, thread, by, how);
        const trc *t = execute(x, &x->a->inputs, (manner){0});
        if (!t)
            return false;
        if (t->done != WIRE_DONE_DIVERGED)
            return passes(x, t);
        if (t->n_choices < x->n - 1 + by) {
            *can = false;
            return false;
        }
    }
    return false;
}

static bool has_stopped(const experiments *x, uint32_t thread)
{
    for (size_t i = 0; i < x->stopped.len; i++)
        if (x->stopped.at[i] == thread)
            return true;
    return false;
}

/* Finds the thread that makes the run pass with the smallest lead. */
static bool find_ahead(experiments *x)
{
    uint32_t n_threads = (uint32_t)x->failing.threads.len;
    trc_u32_vec_clear(&x->stopped);
    trc_u32_vec_push(&x->stopped, x->choices.at[x->n - 1]);
    for (uint32_t by = 1; by <= MAX_AHEAD && x->stopped.len < n_threads; by++)
        for (uint32_t thread = 0; thread < n_threads && !ses_trials_over(&x->trials);
             thread++) {
            bool can = false;
            if (has_stopped(x, thread))
                continue;
            if (passes_ahead(x, thread, by, &can)) {
                x->ahead = thread;
                x->by = by;
                return true;
            }
            if (!can)
                trc_u32_vec_push(&x->stopped, thread);
        }
    return false;
}

/* ---- what differs ---- */

static event event_of_op(const trc_op *op, uint32_t index)
{
    uint8_t kind = trc_turned(op);
    bool is_access = mdl_is_access(kind), plain = trc_is_promoted(op);
    return (event){.is = {.thread = op->thread,
                          .site = op->site,
                          .kind = !plain             ? kind
                                  : mdl_writes(kind) ? WIRE_NOTE_WRITE
                                                     : WIRE_NOTE_READ,
                          .object = op->object + (is_access ? op->offset : 0),
                          .op = index,
                          .in_run = true},
                   .reads = mdl_reads(kind),
                   .writes = mdl_writes(kind),
                   .is_choice = trc_is_choice(op),
                   .size = is_access ? op->n_bytes : 0,
                   .stack = op->stack,
                   .seen = mdl_updates(kind) ? op->old : op->value};
}

static event event_of_access(const trc_access *x)
{
    return (event){.is = {.thread = x->thread,
                          .site = x->site,
                          .kind = x->is_write ? WIRE_NOTE_WRITE : WIRE_NOTE_READ,
                          .object = x->object,
                          .op = x->before_op,
                          .in_run = true},
                   .reads = !x->is_write && !x->is_free,
                   .writes = x->is_write || x->is_free,
                   .size = x->size > 0 ? x->size : 1,
                   .stack = x->stack,
                   .seen = x->value};
}

/* All events of a run from an operation on, in order. */
static void collect(const trc *t, uint32_t from, event_vec *out)
{
    size_t next = 0;
    while (next < t->accesses.len && t->accesses.at[next].before_op <= from)
        next++;
    for (uint32_t k = from; k <= t->ops.len; k++) {
        for (; next < t->accesses.len && t->accesses.at[next].before_op <= k; next++)
            event_vec_push(out, event_of_access(&t->accesses.at[next]));
        if (k < t->ops.len)
            event_vec_push(out, event_of_op(&t->ops.at[k], k));
    }
}

static uint32_t next_of(const event_vec *v, uint32_t thread, uint32_t from)
{
    while (from < v->len && v->at[from].is.thread != thread)
        from++;
    return from;
}

static bool overlap(const event *a, const event *b)
{
    return a->size > 0 && b->size > 0 && a->is.object < b->is.object + b->size &&
           b->is.object < a->is.object + a->size;
}

/* The last write before event i to the bytes that it reads, if this thread made it; otherwise NONE. */
static uint32_t writer_of(const event_vec *v, uint32_t i, uint32_t thread)
{
    for (uint32_t k = i; k-- > 0;)
        if (v->at[k].writes && overlap(&v->at[k], &v->at[i]))
            return v->at[k].is.thread == thread ? k : NONE;
    return NONE;
}

/* The two runs from the choice on, and the threads of the order. */
typedef struct pair {
    const trc_sites *sites;
    const trc *run; /* the passing one */
    event_vec failing, passing;
    uint32_t a, b; /* the thread of the choice; the one that got ahead */
    uint32_t last; /* its last choice that it got ahead, in the passing run ... */
    uint32_t end;  /* ... and the end of what it did then */
} pair;

/* Finds the corresponding event of the failing run: same position in its thread, same place. If there is
 * none, returns the event of the passing run with the user's line. */
static rep_event in_failing(const pair *p, uint32_t i)
{
    const event_vec *failing = &p->failing, *other = &p->passing;
    uint32_t thread = other->at[i].is.thread, k = next_of(failing, thread, 0);
    for (uint32_t n = next_of(other, thread, 0); n < i && k < failing->len;
         n = next_of(other, thread, n + 1))
        k = next_of(failing, thread, k + 1);
    if (k < failing->len && failing->at[k].is.site == other->at[i].is.site &&
        mdl_asked_kind(failing->at[k].is.kind) == mdl_asked_kind(other->at[i].is.kind))
        return failing->at[k].is;
    rep_event out = other->at[i].is;
    out.in_run = false;
    trc_site own = trc_site_at(p->sites, out.site);
    trc_site users =
        det_users_site(p->run, p->sites, thread, out.site, other->at[i].stack);
    if (users.line > 0 && users.file != own.file) {
        out.file = users.file;
        out.line = users.line;
    }
    return out;
}

/* A thread that reads and then writes without a choice between: other threads notice the write. */
static uint32_t write_after(const event_vec *v, uint32_t i)
{
    uint32_t thread = v->at[i].is.thread;
    for (uint32_t k = next_of(v, thread, i + 1); k < v->len;
         k = next_of(v, thread, k + 1)) {
        if (v->at[k].is_choice)
            break;
        if (v->at[k].writes && overlap(&v->at[i], &v->at[k]))
            return k;
    }
    return i;
}

/* B is ahead until A does something. */
static void find_last(pair *p)
{
    p->end = next_of(&p->passing, p->a, 0);
    for (uint32_t i = 0; i < p->end; i++)
        if (p->passing.at[i].is_choice && p->passing.at[i].is.thread == p->b)
            p->last = i;
}

/* The last operation by which B had to get ahead, and the first thing that A does to the same bytes. */
static bool order_of_conflict(const pair *p, rep_cause *out)
{
    const event *second = &p->passing.at[p->last];
    uint32_t i = next_of(&p->failing, p->a, 0);
    for (uint32_t n = 0; n < NEAR && i < p->failing.len; n++) {
        const event *first = &p->failing.at[i];
        if (overlap(first, second) && (first->writes || second->writes)) {
            out->first = first->is;
            out->second = in_failing(p, p->last);
            return true;
        }
        i = next_of(&p->failing, p->a, i + 1);
    }
    return false;
}

/* If the read of A at i observes in the passing run what B wrote at k: fills *out and returns the event of B
 * in the passing run, otherwise NONE. */
static uint32_t order_of_read(const pair *p, uint32_t i, uint32_t k, rep_cause *out)
{
    uint32_t w = writer_of(&p->passing, k, p->b);
    if (w == NONE || w >= p->end)
        return NONE;
    if (!p->failing.at[i].writes)
        i = write_after(&p->failing, i);
    out->first = p->failing.at[i].is;
    out->second = in_failing(p, w);
    return w;
}

/* If the read of B at i observes in the failing run what A wrote: fills *out and returns k, otherwise NONE. */
static uint32_t order_of_write(const pair *p, uint32_t i, uint32_t k, rep_cause *out)
{
    uint32_t w = writer_of(&p->failing, i, p->a);
    if (w == NONE || k >= p->end)
        return NONE;
    out->first = p->failing.at[w].is;
    out->second = p->failing.at[i].is;
    return k;
}

static uint32_t choices_before(const event_vec *v, uint32_t end)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i <= end; i++)
        n += v->at[i].is_choice;
    return n;
}

/* Reads of the thread that see something else in the two runs. B got no further ahead than it had to: the
 * event of its latest choice matters, number *last in the passing run (NONE: none yet). */
static void order_by_reads(const pair *p, uint32_t thread, uint32_t *last, rep_cause *out)
{
    const event_vec *a = &p->failing, *b = &p->passing;
    uint32_t i = next_of(a, thread, 0), k = next_of(b, thread, 0);
    while (i < a->len && k < b->len && a->at[i].is.site == b->at[k].is.site) {
        rep_cause found = *out;
        uint32_t at = NONE;
        if (a->at[i].reads && b->at[k].reads && a->at[i].seen != b->at[k].seen)
            at = thread == p->a ? order_of_read(p, i, k, &found)
                                : order_of_write(p, i, k, &found);
        if (at != NONE)
            at = choices_before(b, at);
        if (at != NONE && (*last == NONE || at > *last)) {
            *last = at;
            *out = found;
        }
        i = next_of(a, thread, i + 1);
        k = next_of(b, thread, k + 1);
    }
}

static bool order_of_data(const pair *p, rep_cause *out)
{
    uint32_t last = NONE;
    if (order_of_conflict(p, out))
        return true;
    order_by_reads(p, p->a, &last, out);
    order_by_reads(p, p->b, &last, out);
    return last != NONE;
}

/* True for kinds that interact by design: a wake and a wait, or two woken threads. */
static bool are_partners(uint8_t a, uint8_t b)
{
    enum wire_does x = mdl_does(a), y = mdl_does(b);
    bool wakes = x == WIRE_DOES_WAKE || x == WIRE_DOES_WAKE_ALL;
    bool woken = y == WIRE_DOES_WAKE || y == WIRE_DOES_WAKE_ALL;
    return (wakes && y == WIRE_DOES_SLEEP) || (woken && x == WIRE_DOES_SLEEP) ||
           (x == WIRE_DOES_WOKEN && y == WIRE_DOES_WOKEN);
}

/* The last operation of B, getting ahead, that depends on this one; NONE. */
static uint32_t dependent_of(const pair *p, const event *first, bool partners_only)
{
    for (uint32_t k = p->end; k-- > 0;) {
        const event *second = &p->passing.at[k];
        if (second->is.thread == p->b && second->is.object == first->is.object &&
            mdl_kinds_depend(first->is.kind, second->is.kind) &&
            (!partners_only || are_partners(first->is.kind, second->is.kind)))
            return k;
    }
    return NONE;
}

/* Operations of the two on one object that is neither memory nor a lock. */
static bool order_of_operations(const pair *p, rep_cause *out)
{
    uint32_t i = next_of(&p->failing, p->a, 0);
    for (uint32_t n = 0; n < NEAR && i < p->failing.len; n++) {
        const event *first = &p->failing.at[i];
        uint32_t k = NONE;
        if (mdl_has_object(first->is.kind) && !mdl_is_lock(first->is.kind)) {
            k = dependent_of(p, first, true);
            k = k != NONE ? k : dependent_of(p, first, false);
        }
        if (k != NONE) {
            out->first = first->is;
            out->second = in_failing(p, k);
            return true;
        }
        i = next_of(&p->failing, p->a, i + 1);
    }
    return false;
}

/* Index of the operation that is choice n, from 0. */
static uint32_t op_of_choice(const trc *t, uint32_t n)
{
    uint32_t i = 0;
    for (; i < t->ops.len; i++)
        if (trc_is_choice(&t->ops.at[i]) && n-- == 0)
            break;
    return i;
}

static bool name_order(experiments *x, rep_cause *out)
{
    pair p = {.a = x->choices.at[x->n - 1], .b = x->ahead};
    uint32_t from = op_of_choice(&x->failing, x->n - 1);
    bool found = false;
    const trc *t = execute(x, &x->a->inputs, (manner){.in_detail = true});
    if (t && passes(x, t)) {
        p.sites = x->trials.s->exec->sites(x->trials.s->run);
        p.run = t;
        collect(&x->failing, from, &p.failing);
        collect(t, from, &p.passing);
        find_last(&p);
        bool stuck = det_is_stuck(x->f->kind);
        found = (stuck && order_of_operations(&p, out)) || order_of_data(&p, out) ||
                (!stuck && order_of_operations(&p, out));
    }
    event_vec_fini(&p.failing);
    event_vec_fini(&p.passing);
    return found;
}

/* True if the earlier order is implied by the later one: the same object, and the same threads or the two
 * swapped. */
static bool is_part_of(const rep_cause *earlier, const rep_cause *later)
{
    bool crossed = earlier->first.thread == later->second.thread &&
                   earlier->second.thread == later->first.thread;
    bool same = earlier->first.thread == later->first.thread &&
                earlier->second.thread == later->second.thread &&
                earlier->first.site == later->first.site;
    return earlier->first.object == later->first.object && (crossed || same);
}

/* Another order without which the run passes, near a switch before the last one: the latest that is about
 * something else. */
static void find_earlier(experiments *x, rep_cause *out)
{
    for (uint32_t end = x->n - 1; end > 0 && !ses_trials_over(&x->trials); end--) {
        if (x->choices.at[end - 1] == x->choices.at[end])
            continue;
        for (uint32_t i = 0; i < EARLIER && i < end; i++) {
            rep_cause found = {0};
            x->n = end - i;
            if (x->choices.at[x->n - 1] != x->choices.at[end - 1])
                break;
            if (!find_ahead(x) || !name_order(x, &found) || is_part_of(&found, out))
                continue;
            out->earlier[0] = found.first;
            out->earlier[1] = found.second;
            out->has_earlier = true;
            return;
        }
    }
}

/* ---- choices of the library ---- */

/* Tries the run without a spurious wakeup or a timeout: the schedule up to there, then any enabled
 * thread. */
static bool passes_without(experiments *x, const trc_input *in)
{
    trc_chosen_vec inputs = {0};
    uint32_t n = 0;
    trc_chosen_vec_append(&inputs, x->a->inputs.at, x->a->inputs.len);
    for (size_t i = 0; i < inputs.len; i++)
        if (inputs.at[i].key == in->key)
            inputs.at[i].value = 0;
    for (uint32_t i = 0; i < in->before_op && i < x->failing.ops.len; i++)
        n += trc_is_choice(&x->failing.ops.at[i]);
    trc_step_vec_clear(&x->steps);
    for (uint32_t i = 0; i < n && i < x->choices.len; i++)
        trc_step_add(&x->steps, x->choices.at[i]);
    const trc *t = execute(x, &inputs, (manner){0});
    bool ok = t && passes(x, t);
    trc_chosen_vec_fini(&inputs);
    return ok;
}

static void find_input(experiments *x, rep_cause *out)
{
    const trc_sites *sites = x->trials.s->exec->sites(x->trials.s->run);
    for (uint32_t i = 0; i < x->failing.inputs.len && !ses_trials_over(&x->trials); i++) {
        const trc_input *in = &x->failing.inputs.at[i];
        if (in->bits != 1 || in->value == 0 || in->site == 0 ||
            trc_site_at((trc_sites *)sites, in->site).kind != WIRE_SITE_CALL ||
            !passes_without(x, in))
            continue;
        out->kind = REP_CAUSE_INPUT;
        out->input = i;
        trc_site at = det_users_site(&x->failing, sites, in->thread, in->site, 0);
        bool is_led = at.line > 0 && det_is_library(trc_site_at(sites, in->site).file);
        out->first = (rep_event){.thread = in->thread,
                                 .site = in->site,
                                 .op = in->before_op,
                                 .in_run = true,
                                 .file = is_led ? at.file : NULL,
                                 .line = is_led ? at.line : 0};
        return;
    }
}

/* ---- all of it ---- */

static bool is_worth_it(const det_finding *f)
{
    return f->kind != DET_HANG && f->kind != DET_NONDET && f->kind != DET_RACE &&
           f->kind != DET_LEAK;
}

static void get_choices(experiments *x)
{
    for (size_t i = 0; i < x->a->schedule.len && x->choices.len <= MAX_CHOICES; i++)
        for (uint32_t k = 0; k < x->a->schedule.at[i].count; k++)
            trc_u32_vec_push(&x->choices, x->a->schedule.at[i].thread);
}

static bool get_failing(experiments *x)
{
    trc_step_vec_append(&x->steps, x->a->schedule.at, x->a->schedule.len);
    const trc *t = execute(x, &x->a->inputs, (manner){.in_detail = true});
    if (!t)
        return false;
    trc_copy(&x->failing, t);
    return true;
}

static void find_order(experiments *x, rep_cause *out)
{
    if (x->failing.threads.len < 2)
        return;
    find_earliest(x, out);
    if (x->n == 0 && !ses_trials_over(&x->trials))
        out->kind = REP_CAUSE_EVERY;
    if (x->n == 0 || op_of_choice(&x->failing, x->n - 1) >= x->failing.ops.len ||
        !find_ahead(x) || !name_order(x, out))
        return;
    out->kind = REP_CAUSE_ORDER;
    if (!det_is_stuck(x->f->kind))
        find_earlier(x, out);
}

td_status ses_cause(ses *s, const det_finding *f, ses_attempt *a, td_diag *diag)
{
    experiments x = {.trials = {.s = s,
                                .runs_left = MAX_RUNS,
                                .ops_left = MAX_OPS,
                                .percent = 100,
                                .diag = diag},
                     .f = f,
                     .a = a,
                     .n = a->no_return_choices};
    a->cause = (rep_cause){.n_kept = a->n_ways};
    if (!is_worth_it(f) || ses_is_over(s))
        return TD_OK;
    get_choices(&x);
    TD_ASSERT(x.n <= x.choices.len || x.choices.len > MAX_CHOICES);
    if (x.choices.len <= MAX_CHOICES && get_failing(&x)) {
        find_input(&x, &a->cause);
        if (a->cause.kind == REP_CAUSE_NONE)
            find_order(&x, &a->cause);
        trc_fini(&x.failing);
    }
    trc_u32_vec_fini(&x.choices);
    trc_u32_vec_fini(&x.stopped);
    trc_step_vec_fini(&x.steps);
    return x.trials.status;
}
