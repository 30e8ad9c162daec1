/* SPDX-License-Identifier: Apache-2.0 */
/* The search guided: pairs of hand-made runs, the energy of leads, prefixes of schedules, and jobs that depend on
 * nothing but the seed and the runs. */
#include "explore/guided/corpus.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "explore/core/explore.h"
#include "explore/guided/saved.h"

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
    const xpl_wish_list none = {0};
    td_rng rng = {5};
    assert_null(xpl_corpus_draw(&corpus, &cover, &rng));
    xpl_pair_cover_add(&cover, &first, true);
    xpl_corpus_add(&corpus, &cover, &first, &none);
    for (uint32_t i = 0; i < 100; i++) /* what the first one covers is frequent now */
        xpl_pair_cover_add(&cover, &first, true);
    xpl_pair_cover_add(&cover, &second, true);
    xpl_corpus_add(&corpus, &cover, &second, &none);
    assert_int_equal(corpus.leads.len, 2);
    for (uint32_t i = 0; i < 40; i++)
        assert_non_null(xpl_corpus_draw(&corpus, &cover, &rng));
    assert_true(corpus.leads.at[1].n_drawn > 30);
    /* Drawn often enough it is no better than the other. */
    for (uint32_t i = 0; i < 400; i++)
        (void)xpl_corpus_draw(&corpus, &cover, &rng);
    assert_true(corpus.leads.at[0].n_drawn > 100);
    /* When it is full, what has the least energy goes. */
    corpus.leads.at[0].n_drawn = 1000000;
    cover.news.len = 1;
    while (corpus.leads.len < XPL_MAX_LEADS)
        xpl_corpus_add(&corpus, &cover, &second, &none);
    xpl_corpus_add(&corpus, &cover, &second, &none);
    assert_int_equal(corpus.leads.len, XPL_MAX_LEADS);
    assert_int_equal(corpus.leads.at[0].n_drawn, 0);
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
    trc_input_vec_push(&t.inputs, (trc_input){.key = 7, .value = 70, .before_op = 1});
    trc_input_vec_push(&t.inputs, (trc_input){.key = 8, .value = 80, .before_op = 5});
    xpl_pair_cover cover = {0};
    xpl_corpus corpus = {0};
    xpl_pair_cover_add(&cover, &t, true);
    xpl_corpus_add(&corpus, &cover, &t, &(xpl_wish_list){0});
    trc_step_vec steps = {0};
    trc_chosen_vec inputs = {0};
    xpl_lead_prefix(&corpus.leads.at[0], 3, &steps, &inputs);
    assert_int_equal(steps.len, 1);
    assert_int_equal(steps.at[0].thread, 1);
    assert_int_equal(steps.at[0].count, 3);
    assert_int_equal(inputs.len, 1);
    assert_int_equal(inputs.at[0].key, 7);
    trc_step_vec_clear(&steps);
    trc_chosen_vec_clear(&inputs);
    xpl_lead_prefix(&corpus.leads.at[0], 6, &steps, &inputs);
    assert_int_equal(steps.len, 2);
    assert_int_equal(steps.at[1].count, 2);
    assert_int_equal(inputs.len, 2);
    trc_step_vec_fini(&steps);
    trc_chosen_vec_fini(&inputs);
    xpl_corpus_fini(&corpus);
    xpl_pair_cover_fini(&cover);
    trc_fini(&t);
}

/* Rare pairs are wanted more often than frequent ones; lists stay within their bounds. */
static void test_wishes(void **state)
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
        xpl_wish_list w = {0};
        xpl_wishes_mutate(&w, &cover, &rng);
        assert_int_equal(w.n, 1);
        const xpl_place_pair *p = &cover.pairs.at[w.at[0].pair];
        n_rare += w.at[0].is_wanted && p->n_runs < 1000;
        n_frequent += w.at[0].is_wanted && p->n_runs >= 1000;
    }
    assert_true(n_rare > 3 * n_frequent);
    xpl_wish_list w = {0};
    for (uint32_t i = 0; i < 1000; i++) {
        xpl_wishes_mutate(&w, &cover, &rng);
        assert_true(w.n <= XPL_MAX_WISHES);
        for (uint32_t k = 0; k < w.n; k++)
            for (uint32_t j = 0; j < k; j++)
                assert_true(w.at[j].pair != w.at[k].pair);
    }
    w = (xpl_wish_list){.at = {{0, true}, {1, false}}, .n = 2};
    trc_step_vec steps = {0};
    xpl_wishes_put(&w, &cover, &steps);
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
    uint32_t handed = 0, fed = 0, n_wishes = 0;
    while (fed < N_JOBS) {
        xpl_job job;
        while (handed < N_JOBS && handed - fed < window && search->next(x, &job)) {
            td_id steps = td_id_hash(job.steps, job.n_steps * sizeof *job.steps);
            td_id inputs = td_id_hash(job.inputs, job.n_inputs * sizeof *job.inputs);
            uint64_t all[] = {job.id, job.policy, job.seed, steps.lo, inputs.lo};
            out[handed++] = td_id_hash(all, sizeof all).lo;
            for (size_t i = 0; i < job.n_steps; i++)
                n_wishes += job.steps[i].thread == WIRE_STEP_WANTED;
        }
        assert_true(fed < handed);
        trc t;
        two_orders(&t, fed % 3 == 0);
        put(&t, WIRE_STORE, fed % 2 + 1, 3 + fed / 20, Y, NOBODY); /* news now and then */
        t.job = ++fed;
        search->feed(x, &t);
        trc_fini(&t);
    }
    assert_true(n_wishes > N_JOBS / 2);
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
        trc_input_vec_push(&t.inputs, (trc_input){.key = 7, .value = i, .before_op = 1});
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
    /* Of 8 runs: two pairs, and a lead with a wish, a step and an input. */
    const uint8_t good[] = {1, 9, 5, 8, 2, 3, 5, 4, 7, 1, 0, 9, 0, 0, 0, 1, 1, 3,
                            1, 1, 2, 1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2, 1, 6};
    enum { N_GOOD = sizeof good };
    xpl_saved saved;
    assert_int_equal(xpl_saved_read(good, N_GOOD, &saved, NULL), TD_OK);
    assert_int_equal(saved.cover.n_covered, 1);
    assert_int_equal(saved.corpus.leads.at[0].wishes.at[0].pair, 1);
    assert_true(saved.corpus.leads.at[0].wishes.at[0].is_wanted);
    assert_int_equal(saved.corpus.leads.at[0].n_drawn, 6);
    xpl_saved_fini(&saved);
    for (size_t n = 0; n < N_GOOD; n++)
        refuse(good, n);
    const struct {
        uint8_t at, value; /* what is changed */
    } bad[] = {
        {0, 2},  /* the version */
        {7, 9},  /* a pair of more runs than there were */
        {8, 3},  /* ... than up to its last */
        {8, 9},  /* a last run that there was not */
        {16, 9}, /* too many wishes */
        {17, 4}, /* for a pair that there is not */
        {20, 0}, /* a step of no operation */
        {33, 2}, /* a lead to no pair */
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        uint8_t bytes[N_GOOD];
        memcpy(bytes, good, N_GOOD);
        bytes[bad[i].at] = bad[i].value;
        refuse(bytes, N_GOOD);
    }
    const uint8_t twice[] = {1, 0, 0, 8, 2, 3, 5, 0, 0, 0, 3, 5, 0, 0, 0, 0};
    refuse(twice, sizeof twice);
    const uint8_t two_wishes[] = {1, 0, 0, 8, 1, 3, 5, 1, 1, 0,
                                  1, 2, 0, 1, 0, 0, 0, 0, 0};
    refuse(two_wishes, sizeof two_wishes);
    /* A wish in the place of a step. */
    const uint8_t a_mark[] = {1, 0,    0,    8,    1,    3,    5, 1, 1, 0, 1, 0,
                              1, 0xfd, 0xff, 0xff, 0xff, 0x0f, 5, 0, 1, 0, 0};
    refuse(a_mark, sizeof a_mark);
    uint8_t longer[N_GOOD + 1] = {0};
    memcpy(longer, good, N_GOOD);
    refuse(longer, sizeof longer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pairs),  cmocka_unit_test(test_pairs_of_locks),
        cmocka_unit_test(test_energy), cmocka_unit_test(test_prefix),
        cmocka_unit_test(test_wishes), cmocka_unit_test(test_jobs_are_determined),
        cmocka_unit_test(test_saved),  cmocka_unit_test(test_saved_is_not_trusted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
