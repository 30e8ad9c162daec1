/* SPDX-License-Identifier: Apache-2.0 */
#include "explore/product/product_int.h"

#include "base/assert.h"

/* Learned threads: a run only for what no run has shown.
 *
 * The product of the forests is searched depth first. Where a thread goes a way that no run has
 * shown, a run is made that leads there, the forest grows, and the search goes on from the state at
 * hand. A state is remembered by its key once all behind it was searched without a run (Q2); a key
 * has the shapes of all threads in it, so what is learnt about a thread makes keys new
 * where it matters and nowhere else. A pass from the start that needs no run ends the search.
 *
 * Where all threads wait, a run shows it, once for each set of places where they do. */

enum {
    STEPS_AT_ONCE = 20000,  /* until the caller may look at its budget */
    TRIED_RUNS = 3000,      /* of a search that is tried, ... */
    TRIED_STEPS = 20000000, /* ... and its steps */
    MANY_STATES = 32 /* of a thread at a header: it perhaps counts without an end */
};

/* No run was made. */
static void start_empty(xpl_product *x)
{
    x->path = pth_new();
    xpl_forest_init(&x->forest, x->path);
    x->doing = XPL_NONE;
}

static void forget_runs(xpl_product *x)
{
    xpl_forest_fini(&x->forest);
    xpl_shapes_fini(&x->shapes);
    xpl_formulas_fini(&x->formulas);
    xpl_state_fini(&x->state);
    xpl_claims_fini(&x->claims);
    pth_free(x->path);
    xpl_frame_vec_fini(&x->frames);
    xpl_u32_vec_fini(&x->picks);
    td_id_set_fini(&x->done);
    xpl_cycles_fini(&x->cycles);
    td_id_set_fini(&x->stuck);
    exp_value_vec_fini(&x->values);
}

/* All is learned again, in another way. */
static void start_over(xpl_product *x)
{
    forget_runs(x);
    x->forest = (xpl_forest){0};
    x->shapes = (xpl_shapes){0};
    x->formulas = (xpl_formulas){0};
    x->state = (xpl_state){0};
    x->claims = (xpl_claims){0};
    x->cycles = (xpl_cycles){0};
    x->is_last = x->hunts = false;
    x->has_run = x->is_started = x->is_arriving = x->is_asked = false;
    x->n_missed = x->n_grown = x->grown_at = 0;
    start_empty(x);
}

static xpl *new_product(const xpl_opts *opts, const xpl_search *search)
{
    xpl_product *x = td_alloc(sizeof *x);
    x->head.search = search;
    x->claims_all = x->folds = search == &xpl_product_claims;
    x->opts = *opts;
    start_empty(x);
    return &x->head;
}

static xpl *product_new(const xpl_opts *opts)
{
    return new_product(opts, &xpl_product_search);
}

static xpl *claims_new(const xpl_opts *opts)
{
    return new_product(opts, &xpl_product_claims);
}

static void product_free(xpl *head)
{
    xpl_product *x = (xpl_product *)head;
    if (!x)
        return;
    forget_runs(x);
    trc_step_vec_fini(&x->steps);
    td_text_fini(&x->says);
    trc_chosen_vec_fini(&x->inputs);
    td_free(x);
}

/* ---- what is not modelled ---- */

static uint64_t n_wide(const xpl_forest *f)
{
    uint64_t n = 0;
    for (size_t i = 0; i < f->places.len; i++)
        n += f->places.at[i].size > 8;
    return n;
}

/* Spots where a thread failed in one run and continued in another. */
static uint64_t n_failed_once(const xpl_product *x)
{
    uint64_t n = 0;
    for (size_t i = 0; i < x->shapes.pending.len; i++)
        n += x->shapes.pending.at[i].is_changed;
    return n;
}

static size_t product_gaps(const xpl *head, xpl_gap *out, size_t max)
{
    const xpl_product *x = (const xpl_product *)head;
    const xpl_forest_lost *lost = &x->forest.lost;
    const xpl_gap all[] = {
        {"depth", "runs truncated at the depth limit", x->n_deep},
        {"threads", "more threads than this search follows", x->n_threads},
        {"not reached", "a schedule did not reach its target", x->n_missed},
        {"livelocks", "loops that wait forever, perhaps", x->n_unproved},
        {"changed", "a thread diverged without a decision",
         lost->changed + n_failed_once(x)},
        {"inputs", "values of inputs of more bits than this search tries",
         x->shapes.n_inputs},
        {"values", "reads of values that no operation wrote", lost->values},
        {"mixed sizes", "accesses of different sizes overlap", lost->mixed},
        {"operations", "operations whose order this search does not model",
         lost->kinds + x->n_objects},
        {"large", "writes of unknown values", lost->large + n_wide(&x->forest)},
    };
    size_t n = 0;
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (all[i].count > 0 && n < max)
            out[n++] = all[i];
    return n;
}

bool xpl_product_is_partial(const xpl *x)
{
    xpl_gap gap;
    return product_gaps(x, &gap, 1) > 0;
}

bool xpl_product_has_cycles(const xpl *x)
{
    return x->search == &xpl_product_claims &&
           ((const xpl_product *)x)->shapes.n_closes > 0;
}

/* ... and what keeps it from saying what the search for states says. */
static size_t claims_gaps(const xpl *head, xpl_gap *out, size_t max)
{
    const xpl_product *x = (const xpl_product *)head;
    const xpl_unclaimed u = xpl_claims_missing(x);
    const xpl_gap all[] = {
        {"race not claimed", "dependent operations that do not order their threads",
         u.races},
        {"operations", "memory freed concurrently with uses by other threads", u.memory},
        {"operations", "objects destroyed concurrently with uses by other threads",
         u.misuse},
    };
    size_t n = product_gaps(head, out, max);
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (all[i].count > 0 && n < max)
            out[n++] = all[i];
    return n;
}

/* It is tried only, and something is not modelled, or it takes long. */
static bool gives_up(const xpl_product *x)
{
    xpl_gap gap;
    return x->opts.because && (product_gaps(&x->head, &gap, 1) > 0 ||
                               x->n_jobs > TRIED_RUNS || x->n_steps > TRIED_STEPS);
}

/* What comes of it then is to be done by the goal that tried it. */
static const char *product_hands_over(const xpl *head)
{
    const xpl_product *x = (const xpl_product *)head;
    return !x->is_open && gives_up(x) ? "auto" : NULL;
}

/* ---- the search ---- */

typedef enum moved { MOVED, NEEDS_RUN, ALL_DONE } moved;

/* Where all threads wait, and for whom: what a report would say of it. Where a thread has failed or the
 * process exits, the same waits may be no finding. */
static td_id stuck_id(const xpl_product *x)
{
    uint32_t words[XPL_MAX_SLOTS][3];
    uint32_t n = 0;
    memset(words, 0, sizeof words);
    for (uint32_t i = 0; i < x->state.at.len; i++) {
        if (x->state.at.at[i] == XPL_NOWHERE)
            continue;
        const xpl_pending *p = xpl_pending_at(&x->shapes, x->state.at.at[i]);
        bool ends_all = p->has_failed || mdl_exits(p->kind);
        if (p->never && !ends_all)
            continue;
        words[n][0] = 2 * i + ends_all;
        words[n][1] = p->site;
        words[n++][2] =
            p->object == XPL_NONE ? p->other : xpl_object_holder(&x->state, p);
    }
    return td_id_hash(words, n * sizeof words[0]);
}

/* No thread can continue. True: a run is to show that some wait forever, or what becomes of them when
 * the process ends. */
static bool is_new_stop(xpl_product *x)
{
    bool waits = false, idles = false, is_stale = false;
    for (uint32_t i = 0; i < x->state.at.len && !is_stale; i++) {
        idles |= xpl_state_idles(x, i, &is_stale);
        waits |= x->state.at.at[i] != XPL_NOWHERE &&
                 !xpl_pending_at(&x->shapes, x->state.at.at[i])->never;
    }
    if (is_stale || !waits || !td_id_set_add(&x->stuck, stuck_id(x)))
        return false;
    x->is_plain = idles;
    return true;
}

/* What can come next at the state at hand: values of an input, or threads. */
static void list_next(xpl_product *x, xpl_frame *f)
{
    uint32_t input = XPL_NONE;
    uint32_t slot = xpl_state_chooser(x, &input);
    if (slot == XPL_NONE) {
        f->n = xpl_persistent(x, f->slots, &f->rest);
        return;
    }
    f->n = 1u << pth_input_at(x->path, input).bits;
    for (uint32_t i = 0; i < f->n; i++)
        f->slots[i] = slot + XPL_CHOICE * (i + 1);
}

/* The last step led to an end, or changed something. */
static void keep_alive(xpl_product *x)
{
    if (x->frames.len > 0 && x->shapes.n_closes > 0)
        x->cycles.is_alive.at[x->frames.at[x->frames.len - 1].number] = 1;
}

/* The state was reached in this pass before. */
static bool was_here(xpl_product *x, xpl_frame *f)
{
    xpl_cycles *c = &x->cycles;
    f->number = xpl_cycles_state(c, f->key);
    if (x->has_effect)
        keep_alive(x);
    else if (x->frames.len > 0)
        xpl_cycles_step(c, x->frames.at[x->frames.len - 1].number, f->number);
    bool was = c->seen.at[f->number] == (uint32_t)x->n_passes;
    c->seen.at[f->number] = (uint32_t)x->n_passes;
    return was;
}

/* Nothing changes any more from here on. True: a run is to show that. */
static bool is_new_livelock(xpl_product *x, const xpl_frame *f)
{
    bool is_dead = x->hunts && !x->cycles.is_alive.at[f->number];
    if (!is_dead || x->n_unproved > 0 || !td_id_set_add(&x->stuck, stuck_id(x)))
        return false;                 /* one that no run shows leaves the question open */
    x->cycles.seen.at[f->number] = 0; /* it comes here again after the run */
    x->is_arriving = x->is_plain = x->is_livelock = true;
    return true;
}

/* The state at hand was reached by a step. */
static moved arrive(xpl_product *x)
{
    x->is_arriving = false;
    if (x->claims_all && xpl_race_is_next(x, x->claims.slots)) {
        x->is_arriving = x->is_plain = x->claims.is_race = true;
        return NEEDS_RUN;
    }
    if (x->claims_all && xpl_misuse_is_new(x)) {
        x->is_arriving = x->is_plain = x->claims.is_use = true;
        return NEEDS_RUN;
    }
    xpl_frame f = {.n_undo = x->state.undo.len,
                   .n_path = x->picks.len,
                   .n_grown = x->n_grown};
    bool has_cycles = x->shapes.n_closes > 0;
    list_next(x, &f);
    if (f.n == 1 && !has_cycles) {
        x->doing = f.slots[0];
        return MOVED;
    }
    if (f.n == 0) {
        keep_alive(x);
        return is_new_stop(x) ? NEEDS_RUN : MOVED;
    }
    f.key = xpl_state_key(x);
    if (has_cycles && was_here(x, &f))
        return MOVED;
    if (is_new_livelock(x, &f))
        return NEEDS_RUN;
    if (!x->is_last && td_id_set_has(&x->done, f.key))
        return MOVED;
    x->n_states++;
    xpl_frame_vec_push(&x->frames, f);
    return MOVED;
}

/* Back to the frame on top; its next thread. */
static void go_back(xpl_product *x)
{
    TD_ASSERT(x->frames.len > 0);
    xpl_frame *f = &x->frames.at[x->frames.len - 1];
    TD_ASSERT(f->n_path <= x->picks.len && f->n_undo <= x->state.undo.len);
    xpl_state_back(&x->state, f->n_undo);
    x->picks.len = f->n_path;
    if (f->next < f->n) {
        x->doing = f->slots[f->next++];
        return;
    }
    if (f->n_grown == x->n_grown && !x->is_last) /* (Q2) */
        td_id_set_add(&x->done, f->key);
    x->frames.len--;
}

/* From the start: nothing has happened. */
static moved begin_pass(xpl_product *x)
{
    TD_ASSERT(x->frames.len == 0 && x->doing == XPL_NONE);
    xpl_state_back(&x->state, 0);
    xpl_u32_vec_clear(&x->picks);
    if (!x->hunts)
        xpl_cycles_clear(&x->cycles);
    x->grown_at = x->n_grown;
    x->n_passes++;
    x->is_started = true;
    if (xpl_state_start(x) == XPL_STEPPED)
        return arrive(x);
    x->n_missed++;
    x->is_over = true;
    return ALL_DONE;
}

/* Does the step that is to be done; who is picked for it goes to picks. */
static xpl_stepped try_step(xpl_product *x)
{
    uint32_t slot = x->doing % XPL_CHOICE, value = x->doing / XPL_CHOICE;
    uint32_t input = XPL_NONE;
    TD_ASSERT(slot < x->state.at.len);
    x->claims.misuse = (td_id){0};
    if (value > 0)
        return xpl_state_chooser(x, &input) == slot
                   ? xpl_state_choose(x, slot, input, value - 1)
                   : XPL_UNSHOWN;
    uint32_t number = x->state.number.at[slot];
    xpl_stepped how = xpl_state_step(x, slot);
    xpl_u32_vec_push(&x->picks, number);
    return how;
}

/* The last step has closed a cycle of its thread: what was put off may not be put off forever (Q3). */
static void try_the_rest(xpl_product *x)
{
    if (x->frames.len ==
        0) /* the cycle was not known when the state was reached; another pass follows */
        return;
    xpl_frame *f = &x->frames.at[x->frames.len - 1];
    for (uint64_t left = f->rest; left; left &= left - 1)
        f->slots[f->n++] = (uint32_t)__builtin_ctzll(left);
    f->rest = 0;
}

static moved do_step(xpl_product *x)
{
    size_t n_picks = x->picks.len;
    if (x->doing < XPL_CHOICE && !xpl_state_can(x, x->doing)) {
        TD_ASSERT(x->n_grown > x->grown_at); /* a run has shown that it waits in a loop */
        x->is_asked = false;
        x->doing = XPL_NONE;
        return MOVED;
    }
    x->has_closed = x->has_effect = false;
    if (try_step(x) == XPL_STEPPED) {
        x->is_asked = false;
        x->doing = XPL_NONE;
        if (x->has_closed)
            try_the_rest(x);
        return arrive(x);
    }
    if (!x->is_asked) {
        x->is_asked = true;
        x->n_picks = n_picks;
        return NEEDS_RUN;
    }
    x->n_missed++;
    x->is_asked = false;
    x->doing = XPL_NONE;
    return MOVED;
}

/* Where there are cycles, a pass sees all states, and if some are not alive, another one runs them. */
static bool needs_another_pass(xpl_product *x)
{
    if (x->shapes.n_closes == 0 || x->hunts)
        return false;
    x->hunts = x->is_last && xpl_cycles_find_dead(&x->cycles);
    bool was_last = x->is_last;
    x->is_last = true;
    return !was_last || x->hunts;
}

/* A pass has ended that says all but whether memory is used once it is freed. True: another one is to say that. */
static bool follows_blocks(xpl_product *x)
{
    if (!x->claims_all || !xpl_blocks_find(x))
        return false;
    xpl_state_back(&x->state, 0);
    xpl_shapes_renew(&x->shapes);
    xpl_state_widen(x);
    x->is_last = x->hunts = false;
    return true;
}

static moved move(xpl_product *x)
{
    if (!x->is_started)
        return begin_pass(x);
    if (x->is_arriving)
        return arrive(x);
    if (x->doing != XPL_NONE)
        return do_step(x);
    if (x->frames.len > 0) {
        go_back(x);
        return MOVED;
    }
    x->is_started = false;
    if (x->grown_at != x->n_grown || needs_another_pass(x) || follows_blocks(x))
        return MOVED;
    x->is_over = true;
    return ALL_DONE;
}

/* True: a run is wanted. */
static bool find_job(xpl_product *x)
{
    x->is_tired = false;
    if (!x->has_run)
        return true;
    for (uint32_t i = 0; i < STEPS_AT_ONCE && !x->is_over && !td_stops(x->opts.stop); i++)
        if (move(x) == NEEDS_RUN)
            return true;
    x->is_tired = !x->is_over && !gives_up(x);
    return false;
}

/* ---- jobs and runs ---- */

static void write_steps(xpl_product *x)
{
    trc_step_vec_clear(&x->steps);
    for (size_t i = 0; i < x->picks.len; i++)
        trc_step_add(&x->steps, x->picks.at[i]);
    for (size_t i = 0; x->claims.is_race && i < 2; i++)
        trc_step_add(&x->steps, x->state.number.at[x->claims.slots[i]]);
}

/* Inputs that have a value in the state at hand, and the one that the step gives one to. */
static void write_inputs(xpl_product *x)
{
    uint32_t value = x->doing == XPL_NONE ? 0 : x->doing / XPL_CHOICE;
    uint32_t input = XPL_NONE;
    trc_chosen_vec_clear(&x->inputs);
    for (uint32_t i = 0; i < x->state.chosen.len; i++)
        if (x->state.chosen.at[i])
            trc_chosen_vec_push(&x->inputs, (wire_input){pth_input_at(x->path, i).key,
                                                         (uint64_t)x->state.env.at[i]});
    if (value > 0 && xpl_state_chooser(x, &input) != XPL_NONE)
        trc_chosen_vec_push(&x->inputs,
                            (wire_input){pth_input_at(x->path, input).key, value - 1});
}

/* Of the job for the state at hand. On the way there a thread may have gone round a loop and changed nothing. In a run
 * that shows a livelock or a race it waits after that round, and the way without the round leads there as well.
 * That a run shows neither is noticed. */
static uint32_t flags_of_job(const xpl_product *x)
{
    if (x->is_plain)
        return x->is_livelock || x->claims.is_race || x->claims.is_use
                   ? WIRE_JOB_PASS_SPINS
                   : 0;
    return WIRE_JOB_READS | WIRE_JOB_ROUNDS | WIRE_JOB_DETAIL | WIRE_JOB_NEXT |
           (x->folds ? WIRE_JOB_FOLD : 0) | (x->has_slots ? WIRE_JOB_SLOTS : 0);
}

static bool product_next(xpl *head, xpl_job *out)
{
    xpl_product *x = (xpl_product *)head;
    if (x->is_open || x->is_over || (x->opts.runs > 0 && x->n_jobs >= x->opts.runs) ||
        gives_up(x) || !find_job(x))
        return false;
    x->is_open = true;
    x->n_jobs++;
    write_steps(x);
    write_inputs(x);
    *out = (xpl_job){.id = x->n_jobs,
                     .policy = WIRE_POLICY_FIRST,
                     .flags = flags_of_job(x),
                     .seed = xpl_seed(x->opts.seed, x->n_jobs),
                     .steps = x->steps.at,
                     .n_steps = x->steps.len,
                     .inputs = x->inputs.at,
                     .n_inputs = x->inputs.len};
    return true;
}

/* A step that was asked for is made again from the state at hand. */
static void land(xpl_product *x)
{
    x->is_open = false;
    if (x->is_asked)
        x->picks.len = x->n_picks;
}

/* Where there are cycles the way to the state at hand may be long. What was learned holds for all states, and
 * from the start the next state that needs a run is near. */
static void abandon_pass(xpl_product *x)
{
    xpl_state_back(&x->state, 0);
    x->frames.len = 0;
    x->doing = XPL_NONE;
    x->is_started = x->is_arriving = x->is_asked = x->is_last = x->hunts = false;
}

static void product_feed(xpl *head, const trc *t)
{
    xpl_product *x = (xpl_product *)head;
    TD_ASSERT(x->is_open && t->job == x->n_jobs); /* one at a time */
    land(x);
    if (x->is_plain) {
        if (x->claims.is_race)
            xpl_race_was_run(x, t);
        if (x->claims.is_use)
            xpl_misuse_was_run(x, t);
        x->n_unproved += x->is_livelock && t->done != WIRE_DONE_DEADLOCK;
        x->is_plain = x->claims.is_race = x->claims.is_use = x->is_livelock = false;
        return;
    }
    size_t n_known = xpl_shapes_n_known(&x->shapes);
    uint64_t n_grown = x->n_grown;
    x->has_run = true;
    xpl_forest_add(&x->forest, t);
    xpl_shapes_take(&x->shapes, &x->forest, t);
    if (x->shapes.is_joined_wrongly) {
        x->folds = x->has_slots = false;
        start_over(x);
        return;
    }
    if (x->forest.most_states > MANY_STATES && x->folds && !x->has_slots) {
        x->has_slots = true;
        start_over(x);
        return;
    }
    if (x->claims_all)
        xpl_claims_take(x, t);
    x->n_deep += t->done == WIRE_DONE_DEPTH;
    x->n_grown += x->forest.added.len > 0 || xpl_shapes_n_known(&x->shapes) > n_known;
    if (x->shapes.n_slots > XPL_MAX_SLOTS) {
        x->n_threads = x->shapes.n_slots;
        x->is_over = true;
        return;
    }
    pth_values(x->path, t, &x->values);
    xpl_state_widen(x);
    if (x->n_grown != n_grown && x->shapes.n_closes > 0)
        abandon_pass(x);
}

static void product_lost(xpl *head, uint64_t job)
{
    xpl_product *x = (xpl_product *)head;
    TD_ASSERT(x->is_open);
    (void)job;
    land(x);
    x->claims.n_unshown += x->claims.is_race;
    x->claims.n_unfreed += x->claims.is_use;
    x->n_unproved += x->is_livelock;
    x->is_plain = x->claims.is_race = x->claims.is_use = x->is_livelock = false;
    x->n_lost++;
    x->is_over |= x->forest.nodes.len == 0;
}

static bool product_works(const xpl *head)
{
    return ((const xpl_product *)head)->is_tired;
}

static bool product_complete(const xpl *head)
{
    const xpl_product *x = (const xpl_product *)head;
    return x->is_over && !x->is_open;
}

/* ---- what came of it ---- */

/* Of what threads were seen to do; how a thread or the process ends does not count. */
static void product_count(const xpl *head, xpl_counts *out)
{
    *out = (xpl_counts){0};
    xpl_forest_count(&((const xpl_product *)head)->forest, &out->events, &out->digest);
}

/* How much was searched without a run; it is said when all runs were made. */
static const char *product_says(const xpl *head)
{
    const xpl_product *x = (const xpl_product *)head;
    xpl_product *own = (xpl_product *)head;
    if (x->is_open)
        return NULL;
    td_text_clear(&own->says);
    if (x->opts.because)
        td_text_add(&own->says, "%s; ", x->opts.because);
    td_count_print(x->n_states, &own->says);
    td_text_add(&own->says, " states of the product of the threads, ");
    td_count_print(x->n_steps, &own->says);
    td_text_add(&own->says, " steps");
    return x->says.at;
}

/* Accesses to shared memory are operations in its runs; sides are not counted. */
static void product_sides(const xpl *head, xpl_side_vec *out, uint64_t *n_candidates)
{
    (void)head;
    (void)out;
    *n_candidates = 0;
}

const xpl_search xpl_product_search = {
    .name = "product",
    .text = "every observation of every thread, with few runs",
    .covers = XPL_OBSERVATIONS,
    .goal = "observations",
    .follows = true,
    .new = product_new,
    .next = product_next,
    .feed = product_feed,
    .lost = product_lost,
    .works = product_works,
    .complete = product_complete,
    .count = product_count,
    .hands_over = product_hands_over,
    .says = product_says,
    .sides = product_sides,
    .gaps = product_gaps,
    .free = product_free,
};

/* A source of runs for the default search (session/turns.c): nobody names it. */
const xpl_search xpl_product_claims = {
    .name = "learned",
    .text = "the same, with data races, freed memory and misuse",
    .covers = XPL_STATES | XPL_OBSERVATIONS,
    .covered = "every observation of every thread was made",
    .follows = true,
    .new = claims_new,
    .next = product_next,
    .feed = product_feed,
    .lost = product_lost,
    .works = product_works,
    .complete = product_complete,
    .count = product_count,
    .says = product_says,
    .sides = product_sides,
    .gaps = claims_gaps,
    .free = product_free,
};
