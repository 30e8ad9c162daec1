/* SPDX-License-Identifier: Apache-2.0 */
/* Searches that are divided: whatever the events they are divided at, the parts add up to what the
 * undivided search finds, in explorers that know nothing and in one that knows what came before.
 * Items as bytes. */
#include "explore/core/explore.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>

#include "explore/core/division_tree.h"
#include "sim.h"
#include "unfold/unfold.h"

/* ---- a search and its runs ---- */

typedef struct lab {
    const sim *p;
    const xpl_search *by;
    trc_namer *namer;
    xpl *x;
    recs r;
    trc t;
    uint64_t n_runs, n_diverged;
} lab;

typedef enum where { ANYWHERE, WELL } where;

static void lab_init(lab *l, const sim *p, const xpl_search *by, uint64_t seed, where w)
{
    *l = (lab){.p = p, .by = by, .namer = trc_namer_new(NULL, 0)};
    l->x = by->new (
        &(xpl_opts){.seed = seed, .namer = l->namer, .splits_anywhere = w == ANYWHERE});
    trc_init(&l->t);
}

static void lab_fini(lab *l)
{
    l->by->free(l->x);
    trc_namer_free(l->namer);
    trc_fini(&l->t);
    recs_fini(&l->r);
}

static void lab_feed(lab *l, uint64_t job)
{
    assert_int_equal(recs_decode(&l->r, &l->t, NULL), TD_OK);
    l->n_diverged += l->t.done == WIRE_DONE_DIVERGED;
    l->t.job = job;
    trc_identify(&l->t, l->namer);
    l->by->feed(l->x, &l->t);
    l->n_runs++;
}

/* False: there is nothing left to run. */
static bool lab_step(lab *l)
{
    xpl_job job;
    if (!l->by->next(l->x, &job))
        return false;
    td_rng choices = {job.seed};
    bool random = job.policy == WIRE_POLICY_RANDOM;
    sim_run(l->p, job.steps, job.n_steps, random ? &choices : NULL, &l->r);
    lab_feed(l, job.id);
    return true;
}

/* ---- all of it, and its parts ---- */

typedef struct total {
    xpl_share sum;
    uint64_t n_runs, n_items;
    uint64_t most_runs; /* of an item, with explorers that know nothing */
} total;

static void total_add(total *t, const xpl_share *s)
{
    t->sum.events += s->events;
    t->sum.digest = td_id_sum(t->sum.digest, s->digest);
    t->sum.traces += s->traces;
    t->sum.trace_digest = td_id_sum(t->sum.trace_digest, s->trace_digest);
    t->sum.whole_traces += s->whole_traces;
    t->sum.known += s->known;
    t->n_items++;
}

static void complain(const sim *p, const char *what)
{
    sim_print(p);
    fail_msg("%s", what);
}

static void take_share(lab *l, total *sum)
{
    xpl_gap gap = {0};
    xpl_share share;
    if (l->by->parts->has_diverged(l->x))
        complain(l->p, "an event of an item did not come up");
    if (xpl_gaps(l->x, &gap, 1) > 0)
        complain(l->p, gap.text);
    if (!l->by->complete(l->x) || l->n_diverged)
        complain(l->p, "a part is not complete");
    l->by->parts->share(l->x, &share);
    total_add(sum, &share);
}

static total undivided(const sim *p, const xpl_search *by, uint64_t seed)
{
    lab l;
    total sum = {0};
    lab_init(&l, p, by, seed, ANYWHERE);
    while (lab_step(&l))
        ;
    take_share(&l, &sum);
    xpl_counts counts;
    by->count(l.x, &counts);
    assert_int_equal(counts.events, sum.sum.events);
    assert_true(td_id_equal(counts.digest, sum.sum.digest));
    sum.n_runs = l.n_runs;
    lab_fini(&l);
    return sum;
}

TD_VEC(xpl_item, item_vec);

/* How and how often a search is divided. */
typedef struct divider {
    td_rng rng;
    uint32_t max_items, one_in;
    where place;
    item_vec waiting;
    uint32_t n_made;
} divider;

/* An item that was sent as bytes. */
static xpl_item sent(const xpl_item *i)
{
    xpl_byte_vec bytes = {0}, again = {0};
    xpl_item out;
    xpl_item_write(i, &bytes);
    assert_int_equal(xpl_item_read(bytes.at, bytes.len, &out, NULL), TD_OK);
    xpl_item_write(&out, &again);
    assert_int_equal(bytes.len, again.len);
    assert_memory_equal(bytes.at, again.at, bytes.len);
    xpl_byte_vec_fini(&bytes);
    xpl_byte_vec_fini(&again);
    return out;
}

static void divide(lab *l, divider *d)
{
    xpl_item mine, away;
    if (d->n_made >= d->max_items || td_rng_below(&d->rng, d->one_in) != 0 ||
        !l->by->parts->split(l->x, &mine, &away))
        return;
    d->n_made++;
    item_vec_push(&d->waiting, sent(&away));
    xpl_item_fini(&mine);
    xpl_item_fini(&away);
}

/* To the end of the item that was taken. */
static void explore_item(lab *l, divider *d, total *sum)
{
    do
        divide(l, d);
    while (lab_step(l));
    take_share(l, sum);
}

typedef enum heat { COLD, WARM } heat;

static total divided(const sim *p, const xpl_search *by, uint64_t seed, divider d, heat h)
{
    total sum = {0};
    lab warm;
    lab_init(&warm, p, by, seed, d.place);
    item_vec_push(&d.waiting, (xpl_item){0});
    while (d.waiting.len > 0) {
        lab cold, *l = &warm;
        size_t at = (size_t)td_rng_below(&d.rng, d.waiting.len);
        xpl_item item = d.waiting.at[at];
        d.waiting.at[at] = d.waiting.at[--d.waiting.len];
        if (h == COLD) {
            lab_init(&cold, p, by, seed + sum.n_items, d.place);
            l = &cold;
        }
        by->parts->take(l->x, &item);
        explore_item(l, &d, &sum);
        xpl_item_fini(&item);
        if (h == COLD) {
            sum.n_runs += cold.n_runs;
            if (cold.n_runs > sum.most_runs)
                sum.most_runs = cold.n_runs;
            lab_fini(&cold);
        }
    }
    sum.n_runs += warm.n_runs;
    lab_fini(&warm);
    item_vec_fini(&d.waiting);
    return sum;
}

/* ---- random programs ---- */

/* A run that exits while a thread is about to join shows a trace that it cuts short; which traces
 * these are depends on the runs. */
static bool has_blurred_traces(const sim_options *o)
{
    return o->exits && o->joins;
}

static void compare(const sim *p, const total *all, const total *parts,
                    const sim_options *o)
{
    if (parts->sum.events != all->sum.events ||
        !td_id_equal(parts->sum.digest, all->sum.digest)) {
        fprintf(stderr, "%llu events in %llu parts, %llu in all\n",
                (unsigned long long)parts->sum.events, (unsigned long long)parts->n_items,
                (unsigned long long)all->sum.events);
        complain(p, "the parts have not the events of all");
    }
    if (has_blurred_traces(o))
        return;
    if (parts->sum.whole_traces != all->sum.whole_traces ||
        !td_id_equal(parts->sum.trace_digest, all->sum.trace_digest) ||
        (!o->exits && !o->fails && parts->sum.traces != all->sum.traces)) {
        fprintf(stderr, "%llu traces in %llu parts, %llu in all\n",
                (unsigned long long)parts->sum.whole_traces,
                (unsigned long long)parts->n_items,
                (unsigned long long)all->sum.whole_traces);
        complain(p, "the parts have not the traces of all");
    }
}

typedef struct tally {
    uint64_t n_programs, n_items, n_runs, n_events, n_known, n_all_runs;
} tally;

static void tally_add(tally *t, const total *all, const total *parts)
{
    t->n_items += parts->n_items;
    t->n_runs += parts->n_runs;
    t->n_known += parts->sum.known;
    t->n_events += all->sum.events;
    t->n_all_runs += all->n_runs;
}

static void random_program(const sim_options *o, uint64_t seed, tally *sums)
{
    td_rng rng = {seed};
    sim p;
    sim_random(&rng, o, &p);
    sim_census c;
    sim_enumerate(&p, 20000, &c);
    bool too_many = c.too_many || c.n_traces > 300;
    sim_census_fini(&c);
    if (too_many)
        return;
    for (uint32_t i = 0; i < 4; i++) {
        const xpl_search *by = xpl_search_find(i % 2 ? "optimal" : "unfold");
        heat h = i / 2 ? WARM : COLD;
        total all = undivided(&p, by, seed % 3);
        divider d = {.rng = {seed + i},
                     .max_items = 1 + (uint32_t)(seed % 24),
                     .one_in = 1 + (uint32_t)(seed % 3)};
        total parts = divided(&p, by, seed % 3, d, h);
        compare(&p, &all, &parts, o);
        tally_add(&sums[h], &all, &parts);
    }
    sums[COLD].n_programs++;
}

/* An audit checks the whole unfolding at each insertion: 40 programs of each kind took more than ten minutes. */
#ifdef TD_AUDIT_BUILD
#define N_PROGRAMS 3
#else
#define N_PROGRAMS 40
#endif

/* The environment can ask for other programs: SEED, COUNT. */
static void random_programs(const sim_options *o, uint64_t seed)
{
    const char *from = getenv("SEED"), *count = getenv("COUNT");
    uint64_t n = count ? strtoull(count, NULL, 10) : N_PROGRAMS;
    seed = from ? strtoull(from, NULL, 10) : seed;
    tally sums[2] = {0};
    for (uint64_t i = 0; i < n; i++)
        random_program(o, seed + i, sums);
    for (heat h = COLD; h <= WARM; h++)
        print_message("%s: %llu programs, %llu items, %llu runs (undivided %llu), "
                      "each event known %.2f times\n",
                      h ? "warm" : "cold", (unsigned long long)sums[COLD].n_programs,
                      (unsigned long long)sums[h].n_items,
                      (unsigned long long)sums[h].n_runs,
                      (unsigned long long)sums[h].n_all_runs,
                      (double)sums[h].n_known / (double)sums[h].n_events);
    /* Programs were divided, and what the parts know adds up to all events. */
    for (heat h = COLD; h <= WARM && n > 1; h++)
        assert_true(sums[h].n_items > sums[COLD].n_programs &&
                    sums[h].n_known >= sums[h].n_events);
}

static void test_accesses(void **state)
{
    (void)state;
    random_programs(&(sim_options){.n_threads = 2, .n_ops = 4, .n_vars = 2}, 1);
}

static void test_locks(void **state)
{
    (void)state;
    random_programs(
        &(sim_options){.n_threads = 3, .n_ops = 3, .n_vars = 2, .n_mutexes = 2}, 1000);
}

static void test_joins(void **state)
{
    (void)state;
    random_programs(
        &(sim_options){
            .n_threads = 3, .n_ops = 3, .n_vars = 2, .n_mutexes = 1, .joins = true},
        2000);
}

static void test_exits(void **state)
{
    (void)state;
    random_programs(&(sim_options){.n_threads = 3,
                                   .n_ops = 2,
                                   .n_vars = 2,
                                   .n_mutexes = 1,
                                   .joins = true,
                                   .exits = true},
                    3000);
    random_programs(
        &(sim_options){
            .n_threads = 3, .n_ops = 2, .n_vars = 2, .n_mutexes = 1, .exits = true},
        3500);
}

static void test_fails(void **state)
{
    (void)state;
    random_programs(
        &(sim_options){
            .n_threads = 3, .n_ops = 2, .n_vars = 2, .joins = true, .fails = true},
        4000);
}

static void test_sections(void **state)
{
    (void)state;
    random_programs(
        &(sim_options){.n_threads = 3, .n_ops = 3, .n_vars = 2, .sections = true}, 5000);
}

/* ---- where it is worth it ---- */

/* n threads that do something with a lock, so many times. */
static sim locked(uint32_t n, uint32_t rounds)
{
    sim p = {0};
    for (uint32_t t = 1; t <= n; t++) {
        p.ins[0][t - 1] = (sim_ins){WIRE_CREATE, (uint8_t)t, 0, 0};
        for (uint32_t r = 0; r < rounds; r++) {
            p.ins[t][3 * r] = (sim_ins){WIRE_LOCK, 0, 0, 0};
            p.ins[t][3 * r + 1] = (sim_ins){WIRE_RMW, 0, 1, 0};
            p.ins[t][3 * r + 2] = (sim_ins){WIRE_UNLOCK, 0, 0, 0};
        }
    }
    return p;
}

/* n pairs of threads, each with a variable of its own. */
static sim pairs(uint32_t n)
{
    sim p = {0};
    for (uint32_t t = 0; t < 2 * n; t++) {
        p.ins[0][t] = (sim_ins){WIRE_CREATE, (uint8_t)(t + 1), 0, 0};
        for (uint32_t k = 0; k < 4; k++)
            p.ins[t + 1][k] = (sim_ins){WIRE_RMW, (uint8_t)(t / 2), 1, 0};
    }
    return p;
}

static total divided_well(const sim *p, const char *by, const total *all, heat h)
{
    divider d = {.rng = {1}, .max_items = 15, .one_in = 4, .place = WELL};
    total parts = divided(p, xpl_search_find(by), 1, d, h);
    compare(p, all, &parts, &(sim_options){0});
    print_message("%s, %s: %llu items, %llu runs (undivided %llu), at most %llu an item, "
                  "each event known %.2f times\n",
                  by, h ? "warm" : "cold", (unsigned long long)parts.n_items,
                  (unsigned long long)parts.n_runs, (unsigned long long)all->n_runs,
                  (unsigned long long)parts.most_runs,
                  (double)parts.sum.known / (double)all->sum.events);
    return parts;
}

/* Threads that contend for a lock: parts of a size, and little is found twice. */
static void test_locked(void **state)
{
    (void)state;
    sim p = locked(4, 2);
    for (uint32_t i = 0; i < 2; i++) {
        const char *by = i ? "optimal" : "unfold";
        total all = undivided(&p, xpl_search_find(by), 1);
        total cold = divided_well(&p, by, &all, COLD);
        total warm = divided_well(&p, by, &all, WARM);
        assert_int_equal(cold.n_items, 16);
        assert_true(cold.most_runs < all.n_runs / 3);
        assert_true(cold.n_runs < all.n_runs * 3 / 2);
        assert_true(warm.n_runs <= all.n_runs);
    }
}

/* Threads that have nothing to do with each other are not divided. */
static void test_pairs(void **state)
{
    (void)state;
    sim p = pairs(5);
    const xpl_search *by = xpl_search_find("unfold");
    total all = undivided(&p, by, 1);
    total cold = divided_well(&p, "unfold", &all, COLD);
    assert_int_equal(cold.n_items, 1);
}

/* ---- who owns an event ---- */

/* Every event of the program, by runs in random order. */
static unf *unfolded(const sim *p, trc_namer *namer, uint64_t seed)
{
    unf *u = unf_new(namer, NULL);
    td_rng rng = {seed};
    recs r = {0};
    trc t;
    trc_init(&t);
    for (uint32_t i = 0; i < 40; i++) {
        sim_run(p, NULL, 0, &rng, &r);
        assert_int_equal(recs_decode(&r, &t, NULL), TD_OK);
        trc_identify(&t, namer);
        unf_insert(u, &t);
    }
    trc_fini(&t);
    recs_fini(&r);
    return u;
}

static bool counts(const unf *u, uint32_t event)
{
    unf_view v = unf_at(u, event);
    return v.status == UNF_EXECUTED && v.kind < WIRE_N_OPS && mdl_in_digest(v.kind);
}

/* The same pair by pair. */
static unf_owned owned_by_pairs(unf *u, const unf_part *part)
{
    unf_owned sum = {0};
    for (uint32_t i = 0; i < unf_len(u); i++) {
        bool fits = counts(u, i), owns = fits, has = false;
        for (size_t k = 0; k < part->has.len && fits; k++)
            fits = !unf_conflict(u, part->has.at[k], i);
        for (size_t k = 0; k < part->lacks.len && fits; k++) {
            owns &= unf_conflict(u, part->lacks.at[k], i);
            has |= unf_before(u, part->lacks.at[k], i);
        }
        sum.n_inside += fits && !has;
        sum.n += fits && owns;
        if (fits && owns)
            sum.digest = td_id_sum(sum.digest, unf_at(u, i).id);
    }
    return sum;
}

/* Any events: what a part has need not make sense of what it lacks for this. */
static void draw_part(unf *u, td_rng *rng, unf_part *part)
{
    unf_cfg *c = unf_cfg_new(u);
    for (uint32_t k = 0; k < 3; k++) {
        uint32_t event = (uint32_t)td_rng_below(rng, unf_len(u));
        if (!counts(u, event))
            continue;
        if (td_rng_below(rng, 2)) {
            unf_vec_push(&part->lacks, event);
        } else if (unf_cfg_fits(c, event)) {
            unf_cfg_add(c, event);
            unf_vec_push(&part->has, event);
        }
    }
    unf_cfg_free(c);
}

static void test_owner(void **state)
{
    (void)state;
    const sim_options o = {
        .n_threads = 3, .n_ops = 3, .n_vars = 2, .n_mutexes = 1, .joins = true};
    td_rng rng = {7};
    uint64_t n_owned = 0;
    for (uint32_t i = 0; i < 60; i++) {
        sim p;
        sim_random(&rng, &o, &p);
        trc_namer *namer = trc_namer_new(NULL, 0);
        unf *u = unfolded(&p, namer, i + 1);
        for (uint32_t k = 0; k < 12; k++) {
            unf_part part = {0};
            draw_part(u, &rng, &part);
            unf_owned own = unf_own(u, &part), pairs = owned_by_pairs(u, &part);
            assert_int_equal(own.n, pairs.n);
            assert_int_equal(own.n_inside, pairs.n_inside);
            assert_true(td_id_equal(own.digest, pairs.digest));
            n_owned += own.n;
            unf_vec_fini(&part.has);
            unf_vec_fini(&part.lacks);
        }
        unf_free(u);
        trc_namer_free(namer);
    }
    assert_true(n_owned > 0);
}

/* ---- items as bytes ---- */

static xpl_item example(void)
{
    xpl_item i = {0};
    xpl_literal l = {.event = {1, 0x8000000000000000u}};
    trc_step_vec_push(&l.steps, (wire_step){0, 1});
    trc_step_vec_push(&l.steps, (wire_step){UINT32_MAX, 300});
    trc_chosen_vec_push(&l.inputs, (wire_input){UINT64_MAX, UINT64_MAX});
    xpl_item_add(&i, &l, true);
    xpl_item_add(&i, &l, false);
    xpl_literal_fini(&l);
    return i;
}

static void refuse(const uint8_t *at, size_t len)
{
    xpl_item out;
    td_diag diag = {0};
    assert_int_equal(xpl_item_read(at, len, &out, &diag), TD_E_FORMAT);
    assert_true(diag.text[0] != '\0' && out.literals.len == 0 && out.graphs.len == 0);
}

static void test_bytes(void **state)
{
    (void)state;
    xpl_item i = example(), again = sent(&i);
    assert_int_equal(again.literals.len, 2);
    assert_true(again.literals.at[0].has && !again.literals.at[1].has);
    assert_int_equal(again.literals.at[0].steps.at[1].count, 300);
    assert_int_equal(again.literals.at[1].inputs.at[0].value, UINT64_MAX);
    xpl_item_fini(&again);

    xpl_byte_vec bytes = {0};
    xpl_item_write(&i, &bytes);
    for (size_t len = 0; len < bytes.len; len++)
        refuse(bytes.at, len);
    xpl_byte_vec_push(&bytes, 0);
    refuse(bytes.at, bytes.len);
    bytes.len--;
    for (uint32_t version = 0; version < 256; version++)
        if (version != bytes.at[0])
            refuse((uint8_t[]){(uint8_t)version, 0}, 2);
    refuse((uint8_t[]){1, 0x80, 0}, 3);                      /* not in as few bytes */
    refuse((uint8_t[]){1, 0xff, 0xff, 0xff, 0xff, 0x0f}, 6); /* too many literals */
    xpl_byte_vec_fini(&bytes);
    xpl_item_fini(&i);
}

/* Graphs with n keys and some more, the last one with a thread that waits and a reader. */
static xpl_item example_graphs(size_t n)
{
    xpl_item i = {0};
    for (uint32_t k = 0; k < 3; k++) {
        xpl_graph g = {.reader = k == 2 ? 1 : GRF_NONE, .due = k, .fresh = GRF_NONE};
        xpl_key_vec_push(&g.keys, (xpl_key){.thread = 1, .from = GRF_NONE});
        for (uint32_t at = 1; at < n + k; at++)
            xpl_key_vec_push(
                &g.keys, (xpl_key){.thread = 2, .op = at, .from = at % 2 ? 0 : GRF_INIT});
        trc_step_vec_push(&g.steps, (wire_step){WIRE_STEP_READS | 1, 300});
        trc_step_vec_push(&g.steps, (wire_step){k, 0});
        trc_chosen_vec_push(&g.inputs, (wire_input){UINT64_MAX, k / 2});
        if (k == 2) {
            grf_event e = {.kind = GRF_READ,
                           .order = __ATOMIC_ACQUIRE,
                           .is_sync = true,
                           .waits_if = 1 << GRF_CLOSED,
                           .is_stuck = true,
                           .thread = 3,
                           .op = 7,
                           .object = UINT64_MAX};
            xpl_key_vec_push(
                &g.keys, (xpl_key){.thread = 3, .op = 7, .is_stuck = true, .from = 0});
            grf_event_vec_push(&g.stuck, e);
            grf_event reader = {.kind = GRF_READ,
                                .size = 8,
                                .thread = 2,
                                .op = 1,
                                .updates = GRF_IF_EQUAL,
                                .operand = 5,
                                .desired = 6,
                                .value = 7};
            grf_event_vec_push(&g.stuck, reader);
        }
        xpl_graph_vec_push(&i.graphs, g);
    }
    return i;
}

/* Whatever a byte becomes: it is refused, or read and written as what it is. */
static void test_graph_bytes(void **state)
{
    (void)state;
    xpl_item i = example_graphs(4), again = sent(&i), other = {0};
    assert_int_equal(again.graphs.len, 3);
    assert_true(again.graphs.at[2].is_given && again.graphs.at[2].reader == 1);
    assert_int_equal(again.graphs.at[2].keys.at[6].from, 0);
    assert_int_equal(again.graphs.at[2].stuck.at[1].desired, 6);
    assert_int_equal(again.graphs.at[1].steps.at[1].thread, 1);
    xpl_item_fini(&again);

    xpl_byte_vec bytes = {0};
    xpl_item_write(&i, &bytes);
    for (size_t len = 0; len < bytes.len; len++)
        refuse(bytes.at, len);
    for (size_t at = 0; at < bytes.len; at++)
        for (uint32_t by = 1; by < 256; by++) {
            xpl_item read;
            bytes.at[at] ^= (uint8_t)by;
            if (xpl_item_read(bytes.at, bytes.len, &read, NULL) == TD_OK) {
                xpl_item once_more = sent(&read);
                xpl_item_fini(&once_more);
                xpl_item_fini(&read);
            }
            bytes.at[at] ^= (uint8_t)by;
        }
    refuse((uint8_t[]){2, 0}, 2);                          /* no graph */
    refuse((uint8_t[]){2, 1, 0, 1, 8, 0, 0, 5, 0, 0}, 10); /* reads what is not there */
    xpl_byte_vec_fini(&bytes);

    assert_true(xpl_item_halve(&i, &other));
    assert_true(i.graphs.len == 1 && other.graphs.len == 2);
    assert_int_equal(other.graphs.at[1].reader, 1);
    assert_false(xpl_item_halve(&i, &again));
    xpl_item_fini(&i);
    xpl_item_fini(&other);
}

/* Items of graphs change hands, and none is lost. */
static void test_graphs_items(void **state)
{
    (void)state;
    sim p = locked(2, 1);
    xpl_item i = example_graphs(4);
    lab l = {.p = &p, .by = xpl_search_find("graphs"), .namer = trc_namer_new(NULL, 0)};
    l.x = l.by->new (&(xpl_opts){.model = "rc11", .namer = l.namer});
    xpl_job job;
    xpl_item rest, mine, away;
    l.by->parts->take(l.x, &i);
    assert_false(l.by->complete(l.x));
    assert_true(l.by->next(l.x, &job));
    assert_int_equal(job.n_steps, 2);
    assert_false(l.by->parts->split(l.x, &mine, &away)); /* one is under way */
    l.by->parts->leave(l.x);
    assert_true(l.by->parts->split(l.x, &mine, &away));
    assert_int_equal(mine.graphs.len + away.graphs.len, 3);
    assert_true(l.by->parts->rest(l.x, &rest));
    assert_int_equal(rest.graphs.len, mine.graphs.len);
    assert_true(l.by->complete(l.x) && !l.by->next(l.x, &job));
    l.by->parts->take(l.x, &(xpl_item){0}); /* the whole search */
    assert_true(l.by->next(l.x, &job));
    assert_int_equal(job.n_steps, 0);
    xpl_item_fini(&rest);
    xpl_item_fini(&mine);
    xpl_item_fini(&away);
    xpl_item_fini(&i);
    l.by->free(l.x);
    trc_namer_free(l.namer);
}

/* The event of the item cannot come up: a program that is another one. */
static void test_diverged(void **state)
{
    (void)state;
    sim p = locked(2, 1);
    xpl_item i = example();
    lab l;
    lab_init(&l, &p, xpl_search_find("unfold"), 1, WELL);
    i.literals.at[0].steps.len = 1;
    l.by->parts->take(l.x, &i);
    assert_false(l.by->parts->has_diverged(l.x));
    while (lab_step(&l))
        ;
    xpl_gap gap = {0};
    assert_int_equal(l.n_runs, 1);
    assert_true(l.by->parts->has_diverged(l.x) && !l.by->complete(l.x));
    assert_int_equal(xpl_gaps(l.x, &gap, 1), 1);
    assert_string_equal(gap.kind, "parts");

    l.by->parts->take(l.x, &(xpl_item){0});
    while (lab_step(&l))
        ;
    assert_true(l.by->complete(l.x) && !l.by->parts->has_diverged(l.x));
    lab_fini(&l);
    xpl_item_fini(&i);
}

/* ---- what parts cover ---- */

enum { N_LITERAL = 19 };

static void literal_at(uint8_t *out, uint8_t has, uint8_t event)
{
    memset(out, 0, N_LITERAL);
    out[0] = has;
    memset(out + 1, event, 16);
}

/* Item 1 fell into 2 and 3, and 3 into 4 and 5; 2, 4 and 5 were handed in. */
typedef struct tree {
    uint8_t literals[5][N_LITERAL];
    xpl_division at[5];
} tree;

static void tree_init(tree *t)
{
    static const struct {
        uint8_t parent, done, has, event;
    } rows[] = {{0, 0, 0, 0}, {1, 1, 1, 7}, {1, 0, 0, 7}, {3, 1, 0, 9}, {3, 1, 1, 9}};
    for (size_t i = 0; i < 5; i++) {
        literal_at(t->literals[i], rows[i].has, rows[i].event);
        t->at[i] = (xpl_division){.item = i + 1,
                                  .parent = rows[i].parent,
                                  .n_done = rows[i].done,
                                  .literal = t->literals[i],
                                  .n_literal = i > 0 ? N_LITERAL : 0};
    }
}

static void is_refused(const tree *t, size_t n, const char *why)
{
    uint64_t n_parts = 0;
    td_diag said = {0};
    assert_false(xpl_divisions_cover(t->at, n, &n_parts, &said));
    assert_string_equal(said.text, why);
}

static void test_cover(void **state)
{
    (void)state;
    tree t;
    uint64_t n_parts = 0;
    td_diag said = {0};
    tree_init(&t);
    assert_true(xpl_divisions_cover(t.at, 5, &n_parts, &said));
    assert_int_equal(n_parts, 3);
    is_refused(&t, 0, "there is no record of its items");
    is_refused(&t, 1, "item 1 was neither handed in nor divided");
    is_refused(&t, 2, "item 1 was not divided into its two halves");
    t.at[0].n_done = 1;
    is_refused(&t, 5, "item 1 was handed in and divided as well");
    assert_true(xpl_divisions_cover(t.at, 1, &n_parts, &said));
    tree_init(&t);
    t.at[1].n_done = 0;
    is_refused(&t, 5, "item 2 was neither handed in nor divided");
    t.at[1].n_done = 2;
    is_refused(&t, 5, "item 2 was handed in more than once");
    tree_init(&t);
    t.at[4].parent = 1;
    is_refused(&t, 5, "item 1 was not divided into its two halves");
    t.at[4].parent = 9;
    is_refused(&t, 5, "item 5 is half of no item");
    t.at[4].parent = 0;
    is_refused(&t, 5, "item 5 is half of no item");
    tree_init(&t);
    t.at[4].item = 4;
    is_refused(&t, 5, "item 4 is there twice");
    t.at[0].n_literal = N_LITERAL;
    is_refused(&t, 5, "item 1 is the first, and not the whole search");
}

/* Any other byte of a literal is another literal, or none. */
static void test_cover_literals(void **state)
{
    (void)state;
    tree t;
    uint64_t n_parts;
    for (unsigned i = 0; i < N_LITERAL; i++) {
        td_diag said = {0};
        tree_init(&t);
        t.literals[3][i] ^= 1;
        assert_false(xpl_divisions_cover(t.at, 5, &n_parts, &said));
        assert_string_equal(said.text, "item 3 was not divided into its two halves");
    }
    for (size_t n = 0; n < N_LITERAL; n++) {
        tree_init(&t);
        t.at[3].n_literal = t.at[4].n_literal = n;
        assert_false(xpl_divisions_cover(t.at, 5, &n_parts, &(td_diag){0}));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_accesses),       cmocka_unit_test(test_locks),
        cmocka_unit_test(test_joins),          cmocka_unit_test(test_exits),
        cmocka_unit_test(test_fails),          cmocka_unit_test(test_sections),
        cmocka_unit_test(test_locked),         cmocka_unit_test(test_pairs),
        cmocka_unit_test(test_owner),          cmocka_unit_test(test_bytes),
        cmocka_unit_test(test_diverged),       cmocka_unit_test(test_graph_bytes),
        cmocka_unit_test(test_graphs_items),   cmocka_unit_test(test_cover),
        cmocka_unit_test(test_cover_literals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
