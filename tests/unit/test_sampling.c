/* SPDX-License-Identifier: Apache-2.0 */
/* The policies POS, with and without target pairs, and SURW on threads that are simulated here: which schedules they draw how often. */
#include "runtime.h"

#include "runtime/core/sched.h"

enum { MAX_OPS = 8, MAX_THREADS = 4, X = 0x1000, Y = 0x2000, Z = 0x3000 };

/* ---- a program ---- */

typedef struct program {
    uint32_t n_threads;
    uint32_t n_ops[MAX_THREADS];
    uint64_t objects[MAX_THREADS][MAX_OPS];
} program;

static uint32_t n_done[MAX_THREADS];

bool rt_is_enabled(const rt_thread *t)
{
    return t->state == RT_WAITING;
}

uint32_t rt_enabled_from(uint32_t id)
{
    for (; id < rt->n_threads; id++)
        if (rt->enabled[0] >> id & 1)
            return id;
    return RT_NONE;
}

bool rt_is_asleep(uint32_t id)
{
    return false;
}

void rt_asleep_set(uint32_t id, bool now)
{
}

void rt_emit_wait(rt_thread *t)
{
}

bool rt_depends(const rt_op *done, uint8_t kind, const rt_op *waiting)
{
    return done->object == waiting->object;
}

static void show(const program *p, uint32_t id)
{
    rt_thread *t = &rt->threads[id];
    t->id = id;
    bool goes_on = n_done[id] < p->n_ops[id];
    t->state = goes_on ? RT_WAITING : RT_ENDED;
    if (goes_on) {
        t->pending.object = p->objects[id][n_done[id]];
        return;
    }
    rt->enabled[0] &= ~(UINT64_C(1) << id);
    rt->n_enabled--;
}

static void start(const program *p, uint32_t policy, uint64_t seed, const uint64_t *marks,
                  uint32_t n_marks)
{
    rt->job.head = (wire_job){.policy = policy, .seed = seed};
    rt->rng = seed;
    rt->run_length = 0;
    rt->n_threads = rt->n_live = rt->n_enabled = p->n_threads;
    rt->enabled[0] = (UINT64_C(1) << p->n_threads) - 1;
    rt_walk_reset();
    for (uint32_t i = 0; i < n_marks; i++)
        rt_walk_hint((wire_step){WIRE_STEP_MARK, wire_mark(marks[i])});
    for (uint32_t id = 0; id < p->n_threads; id++) {
        rt->live[id] = id;
        rt->threads[id] = (rt_thread){.priority = rt_random_priority()};
        uint32_t left = 0;
        for (uint32_t i = 0; i < p->n_ops[id]; i++)
            left += n_marks == 0 || p->objects[id][i] == marks[0];
        rt_walk_hint((wire_step){WIRE_STEP_LEFT + id, left});
        n_done[id] = 0;
        show(p, id);
    }
}

/* The choices of a run as a number; with an object only operations on it are in it. */
static uint32_t run(const program *p, uint32_t policy, uint64_t seed,
                    const uint64_t *marks, uint32_t n_marks)
{
    uint32_t order = 1;
    start(p, policy, seed, marks, n_marks);
    while (rt->n_enabled > 0) {
        uint32_t id = rt_pick_by_policy();
        assert_true(id < p->n_threads && rt_is_enabled(&rt->threads[id]));
        if (n_marks == 0 || rt->threads[id].pending.object == marks[0])
            order = order * p->n_threads + id;
        n_done[id]++;
        show(p, id);
    }
    return order;
}

/* ---- counts ---- */

enum { MAX_ORDERS = 1 << 14, RUNS = 40000 };
static uint32_t n_seen[MAX_ORDERS];

/* How far the orders that were drawn are from being equally likely: the sum of squares. *n: how
 * many there are. */
static double chi_square(const program *p, uint32_t policy, const uint64_t *marks,
                         uint32_t n_marks, uint32_t *n)
{
    map_state();
    memset(n_seen, 0, sizeof n_seen);
    for (uint32_t i = 0; i < RUNS; i++) {
        uint32_t order =
            run(p, policy, 77 + UINT64_C(0x632be59bd9b4e019) * i, marks, n_marks);
        assert_true(order < MAX_ORDERS);
        n_seen[order]++;
    }
    *n = 0;
    for (uint32_t i = 0; i < MAX_ORDERS; i++)
        *n += n_seen[i] > 0;
    double expected = (double)RUNS / *n, sum = 0;
    for (uint32_t i = 0; i < MAX_ORDERS; i++)
        if (n_seen[i] > 0)
            sum += (n_seen[i] - expected) * (n_seen[i] - expected) / expected;
    return sum;
}

/* Three and four operations: 35 orders. 34 degrees of freedom: above 65 once in 1,000 times. */
static void test_surw_is_uniform(void **state)
{
    const program p = {.n_threads = 2,
                       .n_ops = {3, 4},
                       .objects = {{X, X, X}, {Y, Y, Y, Y}}};
    uint32_t n;
    double far = chi_square(&p, WIRE_POLICY_SURW, NULL, 0, &n);
    assert_int_equal(n, 35);
    assert_true(far < 65);
    far = chi_square(&p, WIRE_POLICY_RANDOM, NULL, 0, &n);
    assert_int_equal(n, 35);
    assert_true(far > 1000); /* so the test can tell */
}

/* What does not count is no help and no harm: the orders of the accesses to X are equally likely, 20 of
 * them, 19 degrees of freedom: above 44 once in 1,000 times. */
static void test_surw_selects(void **state)
{
    const program p = {.n_threads = 2,
                       .n_ops = {8, 3},
                       .objects = {{Y, Y, X, Y, Y, X, Y, X}, {X, X, X}}};
    const uint64_t marks[] = {X};
    uint32_t n;
    double far = chi_square(&p, WIRE_POLICY_SURW, marks, 1, &n);
    assert_int_equal(n, 20);
    assert_true(far < 44);
    far = chi_square(&p, WIRE_POLICY_RANDOM, marks, 1, &n);
    assert_true(far > 1000);
}

/* The operation of the second thread comes last of all with 1 in 8, as its priority stays; a random walk
 * leaves it there with 1 in 128. */
static void test_pos_keeps_priorities(void **state)
{
    const program p = {.n_threads = 2,
                       .n_ops = {7, 1},
                       .objects = {{X, X, X, X, X, X, X}, {Y}}};
    uint32_t n_last = 0, n_random = 0;
    map_state();
    for (uint32_t i = 0; i < RUNS; i++) {
        uint64_t seed = 5 + UINT64_C(0x632be59bd9b4e019) * i;
        n_last += run(&p, WIRE_POLICY_POS, seed, NULL, 0) % 2 == 1;
        n_random += run(&p, WIRE_POLICY_RANDOM, seed, NULL, 0) % 2 == 1;
    }
    assert_true(n_last >= RUNS / 8 - 250 && n_last <= RUNS / 8 + 250);
    assert_true(n_random >= RUNS / 128 - 80 && n_random <= RUNS / 128 + 80);
}

/* If each of them depends on it, its priority is drawn anew each time. */
static void test_pos_draws_anew(void **state)
{
    const program p = {.n_threads = 2,
                       .n_ops = {7, 1},
                       .objects = {{X, X, X, X, X, X, X}, {X}}};
    uint32_t n_last = 0;
    map_state();
    for (uint32_t i = 0; i < RUNS; i++)
        n_last +=
            run(&p, WIRE_POLICY_POS, 9 + UINT64_C(0x632be59bd9b4e019) * i, NULL, 0) % 2 ==
            1;
    assert_true(n_last >= RUNS / 128 - 80 && n_last <= RUNS / 128 + 80);
}

/* Priorities are drawn after the change points, as in a run. */
static void start_pct(const program *p, uint64_t seed, uint32_t depth, uint32_t length)
{
    start(p, WIRE_POLICY_PCT, seed, NULL, 0);
    rt->job.head.pct_depth = depth;
    rt->job.head.pct_length = length;
    rt->n_choices = 0;
    rt_policy_reset();
    for (uint32_t id = 0; id < p->n_threads; id++)
        rt->threads[id].priority = rt_random_priority();
}

/* Runs of a thread of 20 operations before another is there, then of both, 4 each. */
static uint32_t pct_switches(uint64_t seed, uint32_t length)
{
    program p = {.n_threads = 2,
                 .n_ops = {4, 4},
                 .objects = {{X, X, X, X}, {X, X, X, X}}};
    start_pct(&p, seed, 2, length);
    rt->n_threads = 1;
    rt->enabled[0] = 1;
    for (uint32_t i = 0; i < 20; i++) {
        assert_int_equal(rt_pick_by_policy(), 0);
        rt_count_choice(0);
    }
    rt->n_threads = 2;
    rt->enabled[0] = 3;
    uint32_t n = 0, last = RT_NONE;
    while (rt->n_enabled > 0) {
        uint32_t id = rt_pick_by_policy();
        n += last != RT_NONE && id != last;
        last = id;
        rt_count_choice(id);
        n_done[id]++;
        show(&p, id);
    }
    return n;
}

/* All change points lie among the 8 choices of both, so that there are two switches as often as one falls
 * inside the first thread that runs: 3 times in 8. */
static void test_pct_counts_from_create(void **state)
{
    uint32_t n_two = 0;
    map_state();
    for (uint32_t i = 0; i < 8000; i++)
        n_two += pct_switches(3 + UINT64_C(0x632be59bd9b4e019) * i, 8) == 2;
    assert_true(n_two >= 3000 - 200 && n_two <= 3000 + 200);
}

/* A thread that yields once, first of all, is not last for the rest of the run in most runs. */
static void test_pct_yield_ends(void **state)
{
    const program p = {.n_threads = 2,
                       .n_ops = {8, 8},
                       .objects = {{X, X, X, X, X, X, X, X}, {X, X, X, X, X, X, X, X}}};
    uint32_t n_back = 0, n_yields = 0;
    map_state();
    for (uint32_t i = 0; i < 1000; i++) {
        start_pct(&p, 3 + UINT64_C(0x632be59bd9b4e019) * i, 1, 16);
        bool is_first = rt->threads[0].priority > rt->threads[1].priority;
        rt->threads[0].yielded = is_first;
        n_yields += is_first;
        while (rt->n_enabled > 0) {
            uint32_t id = rt_pick_by_policy();
            n_back += is_first && id == 0 && n_done[0] == 0 && n_done[1] < 8;
            assert_true(!is_first || id == 1 || n_done[1] > 0); /* others went first */
            rt_count_choice(id);
            n_done[id]++;
            show(&p, id);
        }
    }
    assert_true(n_yields >= 400 && n_yields <= 600);
    assert_true(n_back * 16 >= n_yields * 5 && n_back * 16 <= n_yields * 9); /* 7 in 16 */
}

/* Threads that make more operations than was said, or fewer, still come to their end. */
static void test_surw_wrong_counts(void **state)
{
    const program p = {.n_threads = 3,
                       .n_ops = {5, 1, 4},
                       .objects = {{X, Y, X, Y, X}, {X}, {Y, Z, Y, Z}}};
    map_state();
    for (uint32_t i = 0; i < 1000; i++) {
        const uint64_t marks[] = {i % 2 ? X : Z};
        start(&p, WIRE_POLICY_SURW, i, marks, 1);
        rt_walk_hint((wire_step){WIRE_STEP_LEFT + i % 3, 100});
        rt_walk_hint((wire_step){WIRE_STEP_LEFT + 2, 0});
        rt_walk_hint((wire_step){WIRE_STEP_LEFT + 7, 3}); /* never created */
        uint32_t n = 0;
        for (; rt->n_enabled > 0; n++) {
            uint32_t id = rt_pick_by_policy();
            assert_true(id < 3 && rt_is_enabled(&rt->threads[id]));
            n_done[id]++;
            show(&p, id);
        }
        assert_int_equal(n, 10);
    }
}

/* ---- target pairs ---- */

enum { WRITES = 1, ERASES, READS };

/* Thread 0 writes X, thread 1 writes it too, thread 2 reads it. What is read: the place, 0: nothing was written. */
static uint32_t what_is_read(uint64_t seed, const wire_step *steps, uint32_t n)
{
    const program p = {.n_threads = 3, .n_ops = {1, 1, 1}, .objects = {{X}, {X}, {X}}};
    rt_object model = {.address = X};
    uint32_t read = UINT32_MAX;
    start(&p, WIRE_POLICY_POS, seed, NULL, 0);
    rt_target_pairs_reset();
    for (uint32_t i = 0; i < n; i++)
        rt_target_pair_hint(steps[i]);
    for (uint32_t id = 0; id < 3; id++) {
        rt_op *op = &rt->threads[id].pending;
        op->kind = id == 2 ? WIRE_LOAD : WIRE_STORE;
        op->site = WRITES + id;
        op->model = &model;
    }
    while (rt->n_enabled > 0) {
        uint32_t id = rt_pick_by_policy();
        if (id == 2)
            read = model.last_place;
        else
            model.last_place = rt_op_place(&rt->threads[id]);
        n_done[id]++;
        show(&p, id);
    }
    return read;
}

/* Of 1,000 runs those in which the read sees what was written at a site; 0: nothing. */
static uint32_t times_read(uint32_t site, const wire_step *steps, uint32_t n)
{
    uint32_t times = 0;
    map_state();
    for (uint64_t i = 0; i < 1000; i++)
        times += what_is_read(11 + UINT64_C(0x632be59bd9b4e019) * i, steps, n) ==
                 (site ? wire_place(site, 0) : 0);
    return times;
}

static void test_target_pairs(void **state)
{
    const uint32_t writes = wire_place(WRITES, 0), reads = wire_place(READS, 0);
    const wire_step wanted[] = {{WIRE_STEP_FROM, writes}, {WIRE_STEP_WANTED, reads}};
    const wire_step first[] = {{WIRE_STEP_FROM, 0}, {WIRE_STEP_WANTED, reads}};
    const wire_step unwanted[] = {{WIRE_STEP_FROM, writes}, {WIRE_STEP_UNWANTED, reads}};
    for (uint32_t site = 0; site <= ERASES; site++) {
        uint32_t n = times_read(site, NULL, 0);
        assert_true(n >= 250 && n <= 420);
    }
    assert_int_equal(times_read(WRITES, wanted, 2), 1000);
    assert_int_equal(times_read(0, first, 2), 1000);
    /* If the write comes last there is nothing else to read. */
    assert_true(times_read(WRITES, unwanted, 2) <= 200);
    wire_step many[2 * WIRE_MAX_TARGET_PAIRS + 4]; /* too many are passed over */
    for (uint32_t i = 0; i < sizeof many / sizeof many[0]; i += 2) {
        many[i] = (wire_step){WIRE_STEP_FROM, writes};
        many[i + 1] = (wire_step){WIRE_STEP_WANTED, reads};
    }
    assert_int_equal(times_read(WRITES, many, sizeof many / sizeof many[0]), 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_surw_is_uniform),
        cmocka_unit_test(test_surw_selects),
        cmocka_unit_test(test_surw_wrong_counts),
        cmocka_unit_test(test_pct_counts_from_create),
        cmocka_unit_test(test_pct_yield_ends),
        cmocka_unit_test(test_pos_keeps_priorities),
        cmocka_unit_test(test_pos_draws_anew),
        cmocka_unit_test(test_target_pairs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
