/* SPDX-License-Identifier: Apache-2.0 */
/* Searches that are divided: whatever the events they are divided at, the parts add up to what the
 * undivided search finds, in explorers that know nothing and in one that knows what came before.
 * Items as bytes. */
#include "explore/explore.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>

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

static void lab_init(lab *l, const sim *p, const xpl_search *by, uint64_t seed)
{
    *l = (lab){.p = p, .by = by, .namer = trc_namer_new(0, 0)};
    l->x =
        by->new (&(xpl_opts){.seed = seed, .namer = l->namer, .splits_anywhere = true});
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
    lab_init(&l, p, by, seed);
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
    lab_init(&warm, p, by, seed);
    item_vec_push(&d.waiting, (xpl_item){0});
    while (d.waiting.len > 0) {
        lab cold, *l = &warm;
        size_t at = (size_t)td_rng_below(&d.rng, d.waiting.len);
        xpl_item item = d.waiting.at[at];
        d.waiting.at[at] = d.waiting.at[--d.waiting.len];
        if (h == COLD) {
            lab_init(&cold, p, by, seed + sum.n_items);
            l = &cold;
        }
        by->parts->take(l->x, &item);
        explore_item(l, &d, &sum);
        xpl_item_fini(&item);
        if (h == COLD) {
            sum.n_runs += cold.n_runs;
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

/* The environment can ask for other programs: SEED, COUNT. */
static void random_programs(const sim_options *o, uint64_t seed)
{
    const char *from = getenv("SEED"), *count = getenv("COUNT");
    uint64_t n = count ? strtoull(count, NULL, 10) : 40;
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_accesses), cmocka_unit_test(test_locks),
        cmocka_unit_test(test_joins),    cmocka_unit_test(test_exits),
        cmocka_unit_test(test_fails),    cmocka_unit_test(test_sections),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
