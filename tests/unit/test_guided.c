/* SPDX-License-Identifier: Apache-2.0 */
/* The search guided: pairs of hand-made runs, the energy of entries, prefixes of schedules, and jobs that depend on
 * nothing but the seed and the runs. */
#include "explore/guided/corpus.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "explore/core/explore.h"
#include "explore/guided/openings.h"
#include "explore/guided/saved.h"
#include "wire/sym.h"

enum { X = 0x1000, Y = 0x2000, NOBODY = UINT32_MAX, START_A = 0x400, START_B = 0x500 };

static void begin(trc *t)
{
    trc_init(t); /* with main */
    trc_thread_vec_push(&t->threads, (trc_thread){.start = START_A});
    trc_thread_vec_push(&t->threads, (trc_thread){.start = START_B});
}

static void put(trc *t, uint8_t kind, uint32_t thread, uint32_t site, uint64_t object,
                uint32_t after)
{
    trc_op_vec_push(&t->ops, (trc_op){.kind = kind,
                                      .thread = thread,
                                      .site = site,
                                      .object = object,
                                      .after = after});
    t->n_choices++;
}

/* Thread 1 writes X at site 1, thread 2 reads it at 2, before that or after. */
static void two_orders(trc *t, bool is_read_first)
{
    begin(t);
    if (is_read_first)
        put(t, WIRE_LOAD, 2, 2, X, NOBODY);
    put(t, WIRE_STORE, 1, 1, X, NOBODY);
    if (!is_read_first)
        put(t, WIRE_LOAD, 2, 2, X, 0);
}

/* The first input is used as it is; a solver is not asked about that. */
static void decide(trc *t, uint32_t site, uint64_t side)
{
    trc_node_vec_push(&t->nodes, (trc_node){.op = WIRE_SYM_INPUT, .bits = 8});
    trc_op_vec_push(&t->ops, (trc_op){.kind = WIRE_DECIDE,
                                      .size = WIRE_DECIDE_VALUE,
                                      .thread = 1,
                                      .site = site,
                                      .object = t->nodes.len - 1,
                                      .old = side});
}

static const xpl_place_pair *pair_of(const xpl_pair_cover *c, uint32_t from, uint32_t to)
{
    for (size_t i = 0; i < c->pairs.len; i++)
        if (c->pairs.at[i].from == from && c->pairs.at[i].to == to)
            return &c->pairs.at[i];
    return NULL;
}

static void test_pairs(void **state)
{
    (void)state;
    trc first, second;
    two_orders(&first, false);
    two_orders(&second, true);
    const uint32_t store = wire_place(1, START_A), load = wire_place(2, START_B);
    xpl_pair_cover c = {0};
    xpl_pair_cover_add(&c, &first, true);
    assert_int_equal(c.n_covered, 2); /* the store on nothing, the load from the store */
    assert_int_equal(c.news.len, 2);
    assert_int_equal(pair_of(&c, 0, store)->n_runs, 1);
    assert_int_equal(pair_of(&c, store, load)->n_runs, 1);
    assert_int_equal(pair_of(&c, 0, load)->n_runs, 0); /* possible */
    assert_int_equal(pair_of(&c, store, store)->n_runs, 0);
    assert_null(pair_of(&c, load, store)); /* a load leaves nothing */
    xpl_pair_cover_add(&c, &second, true);
    assert_int_equal(c.n_covered, 3);
    assert_int_equal(c.news.len, 1);
    assert_int_equal(c.run.len, 2);
    assert_int_equal(pair_of(&c, 0, store)->n_runs, 2);
    xpl_pair_cover_add(&c, &second, true);
    assert_int_equal(c.news.len, 0);
    xpl_pair_cover_fini(&c);
    /* Without what is possible the same is covered. */
    xpl_pair_cover plain = {0};
    xpl_pair_cover_add(&plain, &first, false);
    xpl_pair_cover_add(&plain, &second, false);
    assert_int_equal(plain.n_covered, 3);
    assert_int_equal(plain.pairs.len, 3);
    xpl_pair_cover_fini(&plain);
    trc_fini(&first);
    trc_fini(&second);
}

/* Of two locks in turn: who released, who acquires; who gives back meets itself. */
static void test_pairs_of_locks(void **state)
{
    (void)state;
    trc t;
    begin(&t);
    put(&t, WIRE_LOCK, 1, 1, X, NOBODY);
    put(&t, WIRE_UNLOCK, 1, 2, X, 0);
    put(&t, WIRE_LOCK, 2, 1, X, 1);
    put(&t, WIRE_UNLOCK, 2, 2, X, 2);
    xpl_pair_cover c = {0};
    xpl_pair_cover_add(&c, &t, true);
    assert_int_equal(c.n_covered, 2);
    const uint32_t gives = wire_place(2, START_A), takes = wire_place(1, START_B);
    assert_int_equal(pair_of(&c, gives, takes)->n_runs, 1);
    assert_non_null(pair_of(&c, wire_place(2, START_B), wire_place(1, START_A)));
    assert_null(pair_of(&c, takes, wire_place(1, START_A))); /* it is taken */
    for (size_t i = 0; i < c.pairs.len; i++)
        assert_true(c.pairs.at[i].to != gives);
    xpl_pair_cover_fini(&c);
    trc_fini(&t);
}

/* ---- the corpus ---- */

static void test_energy(void **state)
{
    (void)state;
    trc first, second;
    two_orders(&first, false);
    two_orders(&second, true);
    xpl_pair_cover cover = {0};
    xpl_corpus corpus = {0};
    const xpl_target_list none = {0};
    td_rng rng = {5};
    assert_null(xpl_corpus_draw(&corpus, &cover, &rng));
    xpl_pair_cover_add(&cover, &first, true);
    xpl_corpus_add(&corpus, &cover, &first, &none);
    for (uint32_t i = 0; i < 100; i++) /* what the first one covers is frequent now */
        xpl_pair_cover_add(&cover, &first, true);
    xpl_pair_cover_add(&cover, &second, true);
    xpl_corpus_add(&corpus, &cover, &second, &none);
    assert_int_equal(corpus.entries.len, 2);
    for (uint32_t i = 0; i < 40; i++)
        assert_non_null(xpl_corpus_draw(&corpus, &cover, &rng));
    assert_true(corpus.entries.at[1].n_drawn > 30);
    /* Drawn often enough it is no better than the other. */
    for (uint32_t i = 0; i < 400; i++)
        (void)xpl_corpus_draw(&corpus, &cover, &rng);
    assert_true(corpus.entries.at[0].n_drawn > 100);
    /* When it is full, what has the least energy goes. */
    corpus.entries.at[0].n_drawn = 1000000;
    cover.news.len = 1;
    while (corpus.entries.len < XPL_MAX_ENTRIES)
        xpl_corpus_add(&corpus, &cover, &second, &none);
    xpl_corpus_add(&corpus, &cover, &second, &none);
    assert_int_equal(corpus.entries.len, XPL_MAX_ENTRIES);
    assert_int_equal(corpus.entries.at[0].n_drawn, 0);
    xpl_corpus_fini(&corpus);
    xpl_pair_cover_fini(&cover);
    trc_fini(&first);
    trc_fini(&second);
}

static void test_prefix(void **state)
{
    (void)state;
    trc t;
    begin(&t);
    for (uint32_t i = 0; i < 6; i++)
        put(&t, WIRE_STORE, i < 4 ? 1 : 2, i, X, NOBODY);
    trc_input_vec_push(&t.inputs,
                       (trc_input){.key = 7, .value = 70, .before_op = 1, .bits = 8});
    trc_input_vec_push(&t.inputs,
                       (trc_input){.key = 8, .value = 80, .before_op = 5, .bits = 8});
    xpl_pair_cover cover = {0};
    xpl_corpus corpus = {0};
    xpl_pair_cover_add(&cover, &t, true);
    xpl_corpus_add(&corpus, &cover, &t, &(xpl_target_list){0});
    trc_step_vec steps = {0};
    trc_chosen_vec inputs = {0};
    xpl_entry_prefix(&corpus.entries.at[0], 3, &steps, &inputs);
    assert_int_equal(steps.len, 1);
    assert_int_equal(steps.at[0].thread, 1);
    assert_int_equal(steps.at[0].count, 3);
    assert_int_equal(inputs.len, 1);
    assert_int_equal(inputs.at[0].key, 7);
    trc_step_vec_clear(&steps);
    trc_chosen_vec_clear(&inputs);
    xpl_entry_prefix(&corpus.entries.at[0], 6, &steps, &inputs);
    assert_int_equal(steps.len, 2);
    assert_int_equal(steps.at[1].count, 2);
    assert_int_equal(inputs.len, 2);
    trc_step_vec_fini(&steps);
    trc_chosen_vec_fini(&inputs);
    xpl_corpus_fini(&corpus);
    xpl_pair_cover_fini(&cover);
    trc_fini(&t);
}

/* ---- inputs ---- */

/* Which time a site is come to counts, values by their bits only, and each side once a run. */
static void test_sides(void **state)
{
    (void)state;
    trc t;
    begin(&t);
    for (uint32_t i = 0; i < 3; i++)
        decide(&t, 9, 200 + i);
    decide(&t, 8, 0);
    t.ops.at[3].size = WIRE_DECIDE_BRANCH;
    xpl_side_cover c = {0};
    xpl_side_cover_add(&c, &t);
    assert_int_equal(c.n_new, 4);
    assert_int_equal(c.first_new, 0);
    assert_int_equal(xpl_side_cover_find(&c, 9, xpl_side_name(2, 8)), 2);
    assert_int_equal(xpl_side_cover_find(&c, 8, xpl_side_name(0, 0)), 3);
    assert_int_equal(xpl_side_cover_find(&c, 8, xpl_side_name(0, 1)), XPL_NO_SIDE);
    t.ops.at[3].old = 1;
    xpl_side_cover_add(&c, &t);
    assert_int_equal(c.n_new, 1);
    assert_int_equal(c.first_new, 4);
    assert_int_equal(c.sides.at[0].n_runs, 2);
    assert_int_equal(c.sides.at[4].n_runs, 1);
    assert_false(xpl_side_cover_put(&c, &c.sides.at[4]));
    /* A run without new pairs is an entry for its side. */
    xpl_corpus corpus = {.sides = c};
    xpl_pair_cover cover = {0};
    td_rng rng = {1};
    xpl_corpus_add(&corpus, &cover, &t, &(xpl_target_list){0});
    assert_int_equal(corpus.entries.at[0].rarest, XPL_NO_PAIR);
    assert_int_equal(corpus.entries.at[0].side, 4);
    assert_ptr_equal(xpl_corpus_draw(&corpus, &cover, &rng), &corpus.entries.at[0]);
    xpl_corpus_fini(&corpus);
    /* Far round a loop there are few buckets. */
    xpl_site_times times = {0};
    uint32_t most = 0;
    for (uint32_t i = 0; i < 100000; i++)
        most = xpl_site_times_next(&times, 3);
    assert_true(most < 32);
    xpl_site_times_fini(&times);
    trc_fini(&t);
}

/* Inputs keep their keys and widths; each of them is changed by some draw, and the same draws change the same. */
static void test_mutated_inputs(void **state)
{
    (void)state;
    enum { N = 6 };
    const uint8_t bits[N] = {1, 8, 8, 16, 32, 64};
    xpl_entry entry = {0};
    for (uint32_t i = 0; i < N; i++)
        xpl_entry_input_vec_push(&entry.inputs,
                                 (xpl_entry_input){{i + 100, 0}, 0, bits[i]});
    uint32_t n_changed[N] = {0}, n_same = 0;
    for (uint32_t seed = 1; seed <= 300; seed++) {
        trc_chosen_vec a = {0}, b = {0};
        xpl_entry_mutated(&entry, &(td_rng){seed}, &a);
        xpl_entry_mutated(&entry, &(td_rng){seed}, &b);
        assert_int_equal(a.len, N);
        assert_memory_equal(a.at, b.at, N * sizeof *a.at);
        uint32_t n = 0;
        for (uint32_t i = 0; i < N; i++) {
            assert_int_equal(a.at[i].key, i + 100);
            assert_true(bits[i] == 64 || a.at[i].value >> bits[i] == 0);
            n_changed[i] += a.at[i].value != 0;
            n += a.at[i].value != 0;
        }
        n_same += n == 0;
        trc_chosen_vec_fini(&a);
        trc_chosen_vec_fini(&b);
    }
    for (uint32_t i = 0; i < N; i++)
        assert_true(n_changed[i] > 20);
    assert_true(n_same < 100);
    xpl_entry_input_vec_fini(&entry.inputs);
}

/* Tries all values of one input of 8 bits. */
static xpl_answer try_all(void *self, pth *p, const exp_ref *conditions, size_t n,
                          exp_value_vec *values)
{
    ++*(uint32_t *)self;
    assert_int_equal(values->len, 1);
    for (values->at[0] = 0; values->at[0] < 256; values->at[0]++) {
        size_t holds = 0;
        while (holds < n && exp_eval(pth_dag(p), conditions[holds],
                                     (exp_values){values->at, values->len}) == 1)
            holds++;
        if (holds == n)
            return XPL_SAT;
    }
    return XPL_UNSAT;
}

/* Thread 1 stores; if the input is 77, and then if it is 77 again, decisions have side 1. */
static void one_input(trc *t, uint64_t value)
{
    begin(t);
    trc_input_vec_push(&t->inputs, (trc_input){.key = 7, .value = value, .bits = 8});
    trc_node_vec_push(&t->nodes, (trc_node){.op = WIRE_SYM_INPUT, .bits = 8});
    put(t, WIRE_STORE, 1, 1, X, NOBODY);
    for (uint32_t i = 0; i < 2; i++) {
        trc_node_vec_push(
            &t->nodes,
            (trc_node){.op = WIRE_SYM_EQ, .bits = 1, .a = 1, .immediate = {77}});
        trc_op_vec_push(&t->ops, (trc_op){.kind = WIRE_DECIDE,
                                          .size = WIRE_DECIDE_BRANCH,
                                          .flags = WIRE_F_FORCED,
                                          .thread = 1,
                                          .site = 5,
                                          .object = t->nodes.len - 1,
                                          .old = value == 77});
    }
}

/* Of two decisions that always go the same way one can be opened, with the schedule up to it. */
static void test_openings(void **state)
{
    (void)state;
    uint32_t n_asked = 0;
    xpl_openings o;
    xpl_openings_init(&o, &(xpl_solver){.solve = try_all, .self = &n_asked});
    xpl_side_cover sides = {0};
    trc t;
    one_input(&t, 3);
    xpl_side_cover_add(&sides, &t);
    assert_int_equal(sides.n_new, 2);
    xpl_openings_look(&o, &sides, &t);
    assert_int_equal(o.waiting.len, 1);
    assert_int_equal(n_asked, 2);
    trc_step_vec steps = {0};
    trc_chosen_vec inputs = {0};
    assert_true(xpl_openings_take(&o, &steps, &inputs));
    assert_false(xpl_openings_take(&o, &steps, &inputs));
    assert_int_equal(steps.len, 1);
    assert_int_equal(steps.at[0].count, 1);
    assert_int_equal(inputs.len, 1);
    assert_int_equal(inputs.at[0].key, 7);
    assert_int_equal(inputs.at[0].value, 77);
    for (uint32_t i = 0; i < 100; i++) { /* (O1) */
        xpl_openings_look(&o, &sides, &t);
        while (xpl_openings_take(&o, &steps, &inputs))
            ;
    }
    assert_true(n_asked <= 2 * XPL_MAX_ASKED);
    trc_fini(&t);
    /* Where all sides were taken nothing is asked. */
    one_input(&t, 77);
    xpl_side_cover_add(&sides, &t);
    n_asked = 0;
    xpl_openings_look(&o, &sides, &t);
    assert_int_equal(n_asked, 0);
    trc_fini(&t);
    trc_step_vec_fini(&steps);
    trc_chosen_vec_fini(&inputs);
    xpl_side_cover_fini(&sides);
    xpl_openings_fini(&o);
}

/* Rare pairs are wanted more often than frequent ones, which are wanted at times; lists stay within their bounds. */
static void test_target_pairs(void **state)
{
    (void)state;
    trc first, second;
    two_orders(&first, false);
    two_orders(&second, true);
    xpl_pair_cover cover = {0};
    for (uint32_t i = 0; i < 1000; i++)
        xpl_pair_cover_add(&cover, &first, true);
    xpl_pair_cover_add(&cover, &second, true);
    td_rng rng = {9};
    uint32_t n_rare = 0, n_frequent = 0;
    for (uint32_t i = 0; i < 200; i++) {
        xpl_target_list w = {0};
        xpl_target_pairs_mutate(&w, &cover, &rng);
        assert_int_equal(w.n, 1);
        const xpl_place_pair *p = &cover.pairs.at[w.at[0].pair];
        n_rare += w.at[0].is_wanted && p->n_runs < 1000;
        n_frequent += w.at[0].is_wanted && p->n_runs >= 1000;
    }
    assert_true(n_rare > n_frequent && n_frequent > 0);
    xpl_target_list w = {0};
    for (uint32_t i = 0; i < 1000; i++) {
        xpl_target_pairs_mutate(&w, &cover, &rng);
        assert_true(w.n <= XPL_MAX_TARGETS);
        for (uint32_t k = 0; k < w.n; k++)
            for (uint32_t j = 0; j < k; j++)
                assert_true(w.at[j].pair != w.at[k].pair);
    }
    w = (xpl_target_list){.at = {{0, true}, {1, false}}, .n = 2};
    trc_step_vec steps = {0};
    xpl_target_pairs_put(&w, &cover, &steps);
    assert_int_equal(steps.len, 4);
    assert_int_equal(steps.at[0].thread, WIRE_STEP_FROM);
    assert_int_equal(steps.at[0].count, cover.pairs.at[0].from);
    assert_int_equal(steps.at[1].thread, WIRE_STEP_WANTED);
    assert_int_equal(steps.at[1].count, cover.pairs.at[0].to);
    assert_int_equal(steps.at[3].thread, WIRE_STEP_UNWANTED);
    trc_step_vec_fini(&steps);
    xpl_pair_cover_fini(&cover);
    trc_fini(&first);
    trc_fini(&second);
}

/* ---- jobs ---- */

enum { N_JOBS = 300 };

/* A number for each job: its policy, seed, steps and inputs. window: jobs under way at most. */
static void jobs_of(uint64_t seed, uint32_t window, uint64_t out[N_JOBS])
{
    const xpl_search *search = xpl_search_find("guided");
    xpl *x = search->new (&(xpl_opts){.seed = seed, .runs = N_JOBS});
    uint32_t handed = 0, fed = 0, n_target_pairs = 0;
    while (fed < N_JOBS) {
        xpl_job job;
        while (handed < N_JOBS && handed - fed < window && search->next(x, &job)) {
            td_id steps = td_id_hash(job.steps, job.n_steps * sizeof *job.steps);
            td_id inputs = td_id_hash(job.inputs, job.n_inputs * sizeof *job.inputs);
            uint64_t all[] = {job.id, job.policy, job.seed, steps.lo, inputs.lo};
            out[handed++] = td_id_hash(all, sizeof all).lo;
            for (size_t i = 0; i < job.n_steps; i++)
                n_target_pairs += job.steps[i].thread == WIRE_STEP_WANTED;
        }
        assert_true(fed < handed);
        trc t;
        two_orders(&t, fed % 3 == 0);
        put(&t, WIRE_STORE, fed % 2 + 1, 3 + fed / 20, Y, NOBODY); /* news now and then */
        t.job = ++fed;
        search->feed(x, &t);
        trc_fini(&t);
    }
    assert_true(n_target_pairs > N_JOBS / 2);
    assert_false(search->complete(x));
    assert_true(search->pairs(x) > 3);
    search->free(x);
}

static void test_jobs_are_determined(void **state)
{
    (void)state;
    static uint64_t a[N_JOBS], b[N_JOBS], c[N_JOBS];
    jobs_of(1, 1, a);
    jobs_of(1, 50, b);
    jobs_of(2, 50, c);
    assert_memory_equal(a, b, sizeof a);
    uint32_t n_equal = 0;
    for (uint32_t i = 0; i < N_JOBS; i++)
        n_equal += a[i] == c[i];
    assert_int_equal(n_equal, 0);
}

/* ---- sessions ---- */

/* Hands out n jobs and feeds runs; a number of all of them. */
static uint64_t work(xpl *x, uint32_t n, uint32_t first)
{
    uint64_t sum = 0;
    xpl_job job;
    for (uint32_t i = 0; i < n; i++) {
        assert_true(x->search->next(x, &job));
        td_id steps = td_id_hash(job.steps, job.n_steps * sizeof *job.steps);
        sum = sum * 31 + (steps.lo ^ job.seed ^ job.policy);
        trc t;
        two_orders(&t, (first + i) % 3 == 0);
        put(&t, WIRE_STORE, i % 2 + 1, 3 + (first + i) / 20, Y, NOBODY);
        decide(&t, 40 + (first + i) / 30, i);
        trc_input_vec_push(&t.inputs,
                           (trc_input){.key = 7, .value = i, .before_op = 1, .bits = 8});
        t.job = job.id;
        x->search->feed(x, &t);
        trc_fini(&t);
    }
    return sum;
}

static xpl *loaded(const xpl_byte_vec *bytes, uint64_t seed)
{
    const xpl_search *search = xpl_search_find("guided");
    xpl *x = search->new (&(xpl_opts){.seed = seed, .runs = 100});
    assert_int_equal(search->load(x, bytes->at, bytes->len, NULL), TD_OK);
    return x;
}

/* What was known is known again, and jobs go on with it: other ones than those of the session before. */
static void test_saved(void **state)
{
    (void)state;
    const xpl_search *search = xpl_search_find("guided");
    xpl *first = search->new (&(xpl_opts){.seed = 3, .runs = 100});
    uint64_t before = work(first, 100, 0);
    xpl_byte_vec bytes = {0}, again = {0};
    search->save(first, &bytes);
    xpl *a = loaded(&bytes, 3), *b = loaded(&bytes, 3), *c = loaded(&bytes, 4);
    assert_int_equal(search->pairs(a), search->pairs(first));
    assert_int_equal(search->earlier(a), 100);
    assert_int_equal(search->earlier(first), 0);
    search->save(a, &again);
    assert_int_equal(again.len, bytes.len);
    assert_memory_equal(again.at, bytes.at, bytes.len);
    uint64_t of_a = work(a, 100, 100);
    assert_true(of_a == work(b, 100, 100)); /* same seed, same jobs */
    assert_true(of_a != work(c, 100, 100));
    assert_true(of_a != before);
    assert_true(search->pairs(a) > search->pairs(first));
    xpl_byte_vec_fini(&bytes);
    xpl_byte_vec_fini(&again);
    search->free(first);
    search->free(a);
    search->free(b);
    search->free(c);
}

/* More accesses are operations: pairs and target pairs stay, schedules do not; seeds go on. */
static void test_again(void **state)
{
    (void)state;
    const xpl_search *search = xpl_search_find("guided");
    const xpl_opts opts = {.seed = 3, .runs = 100};
    xpl *x = search->new (&opts), *fresh = search->new (&opts);
    uint64_t before = work(x, 100, 0);
    assert_true(before == work(fresh, 100, 0));
    uint64_t n_pairs = search->pairs(x);
    xpl_byte_vec bytes = {0}, after = {0};
    search->save(x, &bytes);
    x = search->again(x, &opts);
    assert_int_equal(search->pairs(x), n_pairs);
    assert_int_equal(search->earlier(x), 0); /* no session before this one */
    search->save(x, &after);
    xpl_saved was, is;
    assert_int_equal(xpl_saved_read(bytes.at, bytes.len, &was, NULL), TD_OK);
    assert_int_equal(xpl_saved_read(after.at, after.len, &is, NULL), TD_OK);
    assert_int_equal(is.n_jobs, was.n_jobs);
    assert_int_equal(is.corpus.entries.len, was.corpus.entries.len);
    assert_true(was.corpus.entries.at[0].steps.len > 0);
    for (size_t i = 0; i < is.corpus.entries.len; i++) {
        assert_int_equal(is.corpus.entries.at[i].steps.len, 0);
        assert_int_equal(is.corpus.entries.at[i].targets.n,
                         was.corpus.entries.at[i].targets.n);
    }
    assert_true(work(x, 100, 0) != before);
    xpl_saved_fini(&was);
    xpl_saved_fini(&is);
    xpl_byte_vec_fini(&bytes);
    xpl_byte_vec_fini(&after);
    search->free(x);
    search->free(fresh);
}

static void refuse(const uint8_t *at, size_t len)
{
    xpl_saved saved;
    td_diag diag = {0};
    assert_int_equal(xpl_saved_read(at, len, &saved, &diag), TD_E_FORMAT);
    assert_true(diag.text[0] != 0);
}

static void test_saved_is_not_trusted(void **state)
{
    (void)state;
    /* Of 8 runs: two pairs, a side, and an entry with a target pair, a step and an input. */
    const uint8_t good[] = {2, 9, 5, 8, 2, 3, 5, 4, 7,  1, 0, 9, 0, 0, 0,
                            8, 1, 6, 1, 2, 3, 1, 1, 3,  1, 1, 2, 1, 1, 2,
                            3, 4, 5, 6, 7, 8, 9, 1, 16, 2, 2, 1, 6};
    enum { N_GOOD = sizeof good };
    xpl_saved saved;
    assert_int_equal(xpl_saved_read(good, N_GOOD, &saved, NULL), TD_OK);
    assert_int_equal(saved.cover.n_covered, 1);
    assert_int_equal(saved.corpus.entries.at[0].targets.at[0].pair, 1);
    assert_true(saved.corpus.entries.at[0].targets.at[0].is_wanted);
    assert_int_equal(saved.corpus.entries.at[0].n_drawn, 6);
    assert_int_equal(saved.corpus.entries.at[0].rarest, 1);
    assert_int_equal(saved.corpus.entries.at[0].side, 0);
    assert_int_equal(saved.corpus.entries.at[0].inputs.at[0].bits, 16);
    assert_int_equal(saved.corpus.sides.sides.at[0].site, 6);
    xpl_saved_fini(&saved);
    for (size_t n = 0; n < N_GOOD; n++)
        refuse(good, n);
    const struct {
        uint8_t at, value; /* what is changed */
    } bad[] = {
        {0, 1},            /* the version */
        {7, 9},            /* a pair with more runs than the session had */
        {8, 3},            /* ... than up to its last */
        {8, 9},            /* a last run that there was not */
        {19, 0},           /* a side of no run */
        {19, 4},           /* ... of more than up to its last */
        {20, 9},           /* ... a last one that there was not */
        {22, 9},           /* too many target pairs */
        {23, 4},           /* for a pair that there is not */
        {26, 0},           /* a step without operations */
        {38, 0},           /* an input with an invalid width */
        {38, 65}, {40, 3}, /* an entry to a pair that there is not */
        {41, 2},           /* ... to a side */
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        uint8_t bytes[N_GOOD];
        memcpy(bytes, good, N_GOOD);
        bytes[bad[i].at] = bad[i].value;
        refuse(bytes, N_GOOD);
    }
    const uint8_t twice[] = {2, 0, 0, 8, 2, 3, 5, 0, 0, 0, 3, 5, 0, 0, 0, 0, 0, 0};
    refuse(twice, sizeof twice);
    const uint8_t two_sides[] = {2, 0, 0, 0, 0, 8, 2, 3, 1, 1, 1, 3, 1, 1, 1, 0};
    refuse(two_sides, sizeof two_sides);
    const uint8_t to_nothing[] = {2, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0};
    refuse(to_nothing, sizeof to_nothing);
    const uint8_t two_target_pairs[] = {2, 0, 0, 8, 1, 3, 5, 1, 1, 0, 0,
                                        0, 1, 2, 0, 1, 0, 0, 0, 1, 0, 0};
    refuse(two_target_pairs, sizeof two_target_pairs);
    /* A target pair in the place of a step. */
    const uint8_t a_mark[] = {2, 0, 0,    8,    1,    3,    5,    1, 1, 0, 0, 0, 1,
                              0, 1, 0xfd, 0xff, 0xff, 0xff, 0x0f, 5, 0, 1, 1, 0, 0};
    refuse(a_mark, sizeof a_mark);
    uint8_t longer[N_GOOD + 1] = {0};
    memcpy(longer, good, N_GOOD);
    refuse(longer, sizeof longer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pairs),
        cmocka_unit_test(test_pairs_of_locks),
        cmocka_unit_test(test_energy),
        cmocka_unit_test(test_prefix),
        cmocka_unit_test(test_target_pairs),
        cmocka_unit_test(test_jobs_are_determined),
        cmocka_unit_test(test_again),
        cmocka_unit_test(test_saved),
        cmocka_unit_test(test_saved_is_not_trusted),
        cmocka_unit_test(test_sides),
        cmocka_unit_test(test_mutated_inputs),
        cmocka_unit_test(test_openings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
