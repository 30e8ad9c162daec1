/* SPDX-License-Identifier: Apache-2.0 */
#include "explore/core/explore_int.h"

#include <math.h>

#include "base/assert.h"

/* Chooses the search: inspects a few sample runs, then runs other searches one after the other.
 *
 * The sample runs are the default run and some random ones. They show how many threads there are, how
 * long a run is, how many decisions inputs make, and the number of races: dependent operations of two
 * threads whose order could be reversed. The number of traces grows with two to the number of races.
 * The stages are chosen from these figures. The last stage covers all local states, so a session that
 * finishes has reached them, whatever came before. If the estimate says that it
 * cannot finish, auto switches to the goal observations (a weaker claim, which may finish), and failing
 * that to guided sampling. The summary says what was chosen and why (docs/search.md). */

enum {
    N_SAMPLE_RUNS = 16,
    MAX_STAGES = 3,
    LONG_RUN = 1000,    /* choices */
    MANY_RACES = 30,    /* per run: its traces cannot all be run */
    SAMPLE_RUNS = 200,  /* runs of pct before a search that may never finish */
    BRANCH_RUNS = 2000, /* runs of a search for branches before the search for states */
    FIRST_CHECK =
        512,    /* runs of the last stage before the first check; doubled each time */
    CHECKS = 3, /* consecutive checks above FAR_OPS before the stage is abandoned */
    LONG_CHECKS = 2, /* consecutive checks above LONG_OPS before another goal is tried */
};
#define LONG_OPS 1e11 /* operations: with ten million a second, some hours */
#define FAR_OPS 1e13  /* operations: with ten million a second, more than ten days */

/* Maxima over the sample runs. */
typedef struct facts {
    uint32_t n_threads, n_choices, n_inputs, n_decisions, n_races;
    uint32_t n_deep; /* runs cut at the depth limit */
    uint32_t log_schedules;
} facts;

typedef struct stage {
    const xpl_search *search;
    uint64_t runs; /* 0: as many as there are */
    bool iterate;
} stage;

typedef struct automatic {
    xpl head;
    xpl_opts opts;
    facts facts;
    stage stages[MAX_STAGES];
    size_t n_stages, at; /* at: the current stage */
    xpl *inner;          /* its search; NULL: sample runs are still to come back */
    uint64_t base;       /* jobs handed out before its first one */
    uint64_t n_jobs, n_open;
    /* Estimate of the last stage. */
    uint64_t n_last, n_last_ops; /* its runs, and their operations */
    uint64_t check;              /* number of runs at the next check */
    uint32_t n_far;              /* consecutive checks whose estimate exceeded FAR_OPS */
    uint32_t n_long;             /* ... LONG_OPS */
    double far_runs;             /* the last estimate, in runs */
    bool is_left;                /* the last stage was abandoned: inner is guided */
    /* The explorer of the last stage, after it was abandoned; NULL: that was in an earlier session, or
     * before a restart */
    xpl *left_off;
    xpl_census census; /* counts of the stages that have ended */
    td_text text;
} automatic;

static xpl *auto_new(const xpl_opts *opts)
{
    automatic *x = td_alloc(sizeof *x);
    x->head.search = &xpl_auto;
    x->opts = *opts;
    x->check = FIRST_CHECK;
    return &x->head;
}

static void auto_free(xpl *head)
{
    automatic *x = (automatic *)head;
    if (!x)
        return;
    if (x->inner)
        x->inner->search->free(x->inner);
    if (x->left_off)
        x->left_off->search->free(x->left_off);
    xpl_census_fini(&x->census);
    td_text_fini(&x->text);
    td_free(x);
}

/* ---- looking ---- */

static uint32_t most(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

/* An operation depends directly on one of another thread. */
static bool has_race(const trc *t, const trc_op *op)
{
    if (mdl_joins(op->kind) || op->after == UINT32_MAX)
        return false;
    return op->after == TRC_MIXED || t->ops.at[op->after].thread != op->thread;
}

static void look(facts *f, const trc *t)
{
    TD_ASSERT(t->threads.len > 0);
    uint32_t n_decisions = 0, n_races = 0, log_schedules = 0;
    double rest = 1; /* there are 2^log_schedules times rest */
    for (size_t i = 0; i < t->ops.len; i++) {
        const trc_op *op = &t->ops.at[i];
        n_decisions += mdl_decides(op->kind);
        n_races += has_race(t, op);
        rest *= trc_is_choice(op) && op->n_enabled > 1 ? op->n_enabled : 1;
        for (; rest >= 2; rest /= 2)
            log_schedules++;
    }
    f->n_threads = most(f->n_threads, (uint32_t)t->threads.len);
    f->n_choices = most(f->n_choices, t->n_choices);
    f->n_inputs = most(f->n_inputs, (uint32_t)t->inputs.len);
    f->n_decisions = most(f->n_decisions, n_decisions);
    f->n_races = most(f->n_races, n_races);
    f->n_deep += t->done == WIRE_DONE_DEPTH;
    f->log_schedules = most(f->log_schedules, log_schedules);
}

/* ---- choosing ---- */

static void add_stage(automatic *x, const xpl_search *search, uint64_t runs, bool iterate)
{
    TD_ASSERT(x->n_stages < MAX_STAGES);
    x->stages[x->n_stages++] = (stage){search, runs, iterate && search->iterates};
}

static bool is_large(const facts *f)
{
    return f->n_choices > LONG_RUN || f->n_races > MANY_RACES || f->n_deep > 0;
}

static void tell_facts(automatic *x)
{
    const facts *f = &x->facts;
    td_text_add(&x->text, "%u thread%s", f->n_threads, f->n_threads == 1 ? "" : "s");
    if (f->n_threads > 1 && f->n_races == 0)
        td_text_add(&x->text, " that share no variables they modify");
    else if (f->n_threads > 1)
        td_text_add(&x->text, " that interact up to %u times per run", f->n_races);
    td_text_add(&x->text, ", up to %u choices", f->n_choices);
    if (f->n_threads > 1)
        td_text_add(&x->text, " and 2^%u schedules", f->log_schedules);
    if (f->n_inputs > 0)
        td_text_add(&x->text, ", %u input%s with %u decision%s", f->n_inputs,
                    f->n_inputs == 1 ? "" : "s", f->n_decisions,
                    f->n_decisions == 1 ? "" : "s");
    if (f->n_deep > 0)
        td_text_add(&x->text, ", loops that reach the depth limit");
}

static void tell_stages(automatic *x)
{
    td_text_add(&x->text, ": ");
    for (size_t i = 0; i < x->n_stages; i++) {
        const stage *s = &x->stages[i];
        if (s->runs > 0)
            td_text_add(&x->text, "%u runs of %s, then ", (uint32_t)s->runs,
                        s->search->name);
        else
            td_text_add(&x->text, "%s%s", s->search->name,
                        s->iterate ? ", fewest preemptions first" : "");
    }
}

static void choose(automatic *x)
{
    TD_ASSERT(x->n_stages == 0 && !x->inner);
    const facts *f = &x->facts;
    bool large = is_large(f);
    if (f->n_decisions > 2 * f->n_races && f->n_threads > 1 && !x->opts.unfollowed)
        add_stage(x, &xpl_interfere, BRANCH_RUNS, false);
    if (large && f->n_threads > 1)
        add_stage(x, &xpl_pct, SAMPLE_RUNS, false);
    add_stage(x, &xpl_unfold, 0, (large && f->n_threads > 1) || x->opts.iterate);
    tell_facts(x);
    tell_stages(x);
}

/* ---- stages ---- */

static void start_stage(automatic *x)
{
    TD_ASSERT(x->at < x->n_stages && x->n_open == 0);
    TD_ASSERT(!x->opts.runs || x->n_jobs < x->opts.runs); /* 0 would mean no limit */
    const stage *s = &x->stages[x->at];
    xpl_opts with = x->opts;
    uint64_t left = x->opts.runs ? x->opts.runs - x->n_jobs : 0;
    with.iterate = s->iterate;
    with.runs = s->runs && (!left || s->runs < left) ? s->runs : left;
    x->base = x->n_jobs;
    x->inner = s->search->new (&with);
}

/* ---- abandoning the last stage ---- */

static bool is_last(const automatic *x)
{
    return x->inner && x->at + 1 == x->n_stages && !x->is_left;
}

/* Checks the estimate at intervals: remaining runs times mean operations per run. Early estimates mean little, so
 * several consecutive ones are required. */
static void look_ahead(automatic *x, const trc *result)
{
    x->n_last++;
    x->n_last_ops += result->ops.len;
    if (x->n_last < x->check)
        return;
    x->check *= 2;
    xpl_left left = xpl_what_is_left(x->inner);
    double ops = left.runs * ((double)x->n_last_ops / (double)x->n_last);
    x->n_far = left.is_known && ops > FAR_OPS ? x->n_far + 1 : 0;
    x->n_long = left.is_known && ops > LONG_OPS ? x->n_long + 1 : 0;
    x->far_runs = left.runs;
}

static xpl_opts guided_opts(const automatic *x)
{
    xpl_opts with = x->opts;
    with.runs = x->opts.runs ? x->opts.runs - x->n_jobs : UINT64_MAX / 2;
    return with;
}

/* True if the goal observations is to be tried; it is tried once. */
static bool wants_other_goal(const automatic *x)
{
    const xpl_opts *o = &x->opts;
    bool may = !o->stays && !o->unfollowed && !o->bounded && !o->iterate && !o->deepens;
    return may && x->n_long >= LONG_CHECKS && is_last(x);
}

static void tell_far(automatic *x, const char *then)
{
    td_text_add(&x->text,
                "; after %llu runs of %s about 10^%.0f runs remained, switched to %s",
                (unsigned long long)x->n_last, x->inner->search->name,
                log10(fmin(x->far_runs, 1e300)), then);
}

static const char *auto_hands_over(const xpl *head)
{
    automatic *x = (automatic *)head;
    if (x->n_open > 0 || !wants_other_goal(x))
        return NULL;
    tell_far(x, "observations");
    return "observations";
}

/* Abandons the last stage for guided sampling. Its explorer is kept for its completed bounds and its gaps. */
static void leave_last(automatic *x)
{
    TD_ASSERT(is_last(x) && x->n_open == 0);
    const xpl_opts with = guided_opts(x);
    tell_far(x, "guided");
    x->is_left = true;
    x->left_off = x->inner;
    x->base = x->n_jobs;
    x->inner = xpl_guided.new(&with);
}

/* Takes a job of the current stage, or of the first later one that has a job. */
static bool next_of_stages(automatic *x, xpl_job *out)
{
    while (!x->inner->search->next(x->inner, out)) {
        if (x->n_open > 0 || x->is_left || x->at + 1 == x->n_stages)
            return false;
        x->inner->search->free(x->inner);
        x->at++;
        start_stage(x);
    }
    out->id += x->base;
    TD_ASSERT(out->id == x->n_jobs + 1); /* the explorer numbers its jobs the same way */
    return true;
}

static void sample_run(automatic *x, xpl_job *out)
{
    *out = (xpl_job){.id = x->n_jobs + 1,
                     .policy = x->n_jobs == 0 ? WIRE_POLICY_FIRST : WIRE_POLICY_RANDOM,
                     .seed = xpl_seed(x->opts.seed, x->n_jobs + 1)};
}

static bool auto_next(xpl *head, xpl_job *out)
{
    automatic *x = (automatic *)head;
    if (x->opts.runs > 0 && x->n_jobs >= x->opts.runs)
        return false;
    if (x->n_jobs < N_SAMPLE_RUNS && !x->is_left) {
        sample_run(x, out);
    } else {
        if (!x->inner && x->n_open > 0)
            return false;
        if (!x->inner) {
            choose(x);
            start_stage(x);
        }
        if (wants_other_goal(x))
            return false;
        if (x->n_far == CHECKS && !x->is_left) {
            if (x->n_open > 0)
                return false;
            leave_last(x);
        }
        if (!next_of_stages(x, out))
            return false;
    }
    x->n_jobs++;
    x->n_open++;
    return true;
}

static void auto_feed(xpl *head, const trc *result)
{
    TD_ASSERT(((automatic *)head)->n_open > 0);
    automatic *x = (automatic *)head;
    x->n_open--;
    if (!x->left_off && (!x->inner || !x->inner->search->count))
        xpl_census_add(&x->census, result);
    if (!x->inner) {
        look(&x->facts, result);
        return;
    }
    TD_ASSERT(result->job > x->base); /* stages change while nothing is under way */
    trc renamed = *result;
    renamed.job = result->job - x->base;
    x->inner->search->feed(x->inner, &renamed);
    if (is_last(x))
        look_ahead(x, result);
}

static void auto_lost(xpl *head, uint64_t job)
{
    TD_ASSERT(((automatic *)head)->n_open > 0);
    automatic *x = (automatic *)head;
    x->n_open--;
    if (x->inner)
        x->inner->search->lost(x->inner, job - x->base);
}

/* ---- results ---- */

static bool auto_complete(const xpl *head)
{
    const automatic *x = (const automatic *)head;
    return is_last(x) && x->inner->search->complete(x->inner);
}

static void auto_count(const xpl *head, xpl_counts *out)
{
    const automatic *x = (const automatic *)head;
    const xpl *counts = x->left_off ? x->left_off : x->inner;
    if (counts && counts->search->count)
        counts->search->count(counts, out);
    else
        *out = (xpl_counts){.events = x->census.events.len, .digest = x->census.digest};
}

static size_t auto_gaps(const xpl *head, xpl_gap *out, size_t max)
{
    const automatic *x = (const automatic *)head;
    size_t n = x->inner ? xpl_gaps(x->inner, out, max) : 0;
    return x->left_off ? n + xpl_gaps(x->left_off, out + n, max - n) : n;
}

static void auto_preemptions(const xpl *head, xpl_preemptions *out)
{
    const automatic *x = (const automatic *)head;
    *out = (xpl_preemptions){0};
    const xpl *by = x->left_off ? x->left_off : is_last(x) ? x->inner : NULL;
    if (by && by->search->preemptions)
        by->search->preemptions(by, out);
}

/* Searches before the last one are bounded and few: their runs do not count. */
static void auto_left(const xpl *head, xpl_left *out)
{
    const automatic *x = (const automatic *)head;
    *out = is_last(x) ? xpl_what_is_left(x->inner) : (xpl_left){0};
}

static uint64_t auto_pairs(const xpl *head)
{
    const automatic *x = (const automatic *)head;
    return x->is_left ? xpl_n_pairs(x->inner) : 0;
}

static uint64_t auto_earlier(const xpl *head)
{
    const automatic *x = (const automatic *)head;
    return x->is_left ? xpl_n_earlier(x->inner) : 0;
}

static const char *auto_says(const xpl *head)
{
    return ((const automatic *)head)->text.at;
}

/* ---- saving and loading ---- */

/* Format: a version; the length of the text, and the text; the saved state of guided. */
enum { VERSION = 1, MAX_TEXT = 4096 };

static bool auto_can_save(const xpl *head)
{
    return ((const automatic *)head)->is_left;
}

static void auto_save(const xpl *head, xpl_byte_vec *out)
{
    const automatic *x = (const automatic *)head;
    TD_ASSERT(x->is_left && x->text.len <= MAX_TEXT);
    xpl_byte_vec_push(out, VERSION);
    xpl_put_number(out, x->text.len);
    xpl_byte_vec_append(out, (const uint8_t *)x->text.at, x->text.len);
    xpl_guided.save(x->inner, out);
}

static td_status read_text(xpl_reader *r, td_text *out)
{
    uint8_t version = 0;
    size_t len = 0;
    TD_TRY(xpl_get_byte(r, &version));
    if (version != VERSION)
        return xpl_reader_bad(r, "it is of another version of treadle");
    TD_TRY(xpl_get_count(r, MAX_TEXT, 1, &len));
    for (size_t i = 0; i < len; i++)
        if (r->at[i] < ' ' || r->at[i] > '~')
            return xpl_reader_bad(r, "the saved text contains a non-printable character");
    td_text_put(out, (const char *)r->at, len);
    r->at += len;
    return TD_OK;
}

static td_status auto_load(xpl *head, const uint8_t *at, size_t len, td_diag *diag)
{
    automatic *x = (automatic *)head;
    TD_ASSERT(x->n_jobs == 0 && !x->inner);
    xpl_reader r = {.at = at, .end = at + len, .what = "the search", .diag = diag};
    const xpl_opts with = guided_opts(x);
    xpl *inner = xpl_guided.new(&with);
    td_text text = {0};
    td_status status = read_text(&r, &text);
    if (status == TD_OK)
        status = xpl_guided.load(inner, r.at, xpl_reader_left(&r), diag);
    if (status != TD_OK) {
        td_text_fini(&text);
        xpl_guided.free(inner);
        return status;
    }
    td_text_fini(&x->text);
    x->text = text;
    x->inner = inner;
    x->is_left = true;
    return TD_OK;
}

/* If sampling has begun it continues; otherwise the stages are chosen again. */
static xpl *auto_again(xpl *old, const xpl_opts *opts)
{
    automatic *from = (automatic *)old, *x = (automatic *)auto_new(opts);
    if (from->is_left) {
        const xpl_opts with = guided_opts(x);
        x->is_left = true;
        x->text = from->text;
        x->inner = xpl_guided.again(from->inner, &with);
        from->text = (td_text){0};
        from->inner = NULL;
    }
    auto_free(old);
    return &x->head;
}

const xpl_search xpl_auto = {
    .name = "auto",
    .text = "chooses another search after a few sample runs",
    .covers = XPL_STATES,
    .takes_preemptions = true,
    .iterates = true,
    .takes_tail = true,
    .new = auto_new,
    .next = auto_next,
    .feed = auto_feed,
    .lost = auto_lost,
    .complete = auto_complete,
    .count = auto_count,
    .gaps = auto_gaps,
    .preemptions = auto_preemptions,
    .left = auto_left,
    .pairs = auto_pairs,
    .may_sample = true,
    .hands_over = auto_hands_over,
    .says = auto_says,
    .earlier = auto_earlier,
    .can_save = auto_can_save,
    .save = auto_save,
    .load = auto_load,
    .again = auto_again,
    .free = auto_free,
};
