/* SPDX-License-Identifier: Apache-2.0 */
/* The rings shared with the program, without a program: the test plays its part. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/vec.h"
#include "run/run_int.h"

static int ring_setup(void **state)
{
    run_ring *r = td_alloc(sizeof *r);
    r->shm = td_alloc(sizeof(wire_shm));
    run_ring_reset(r);
    *state = r;
    return 0;
}

static int ring_teardown(void **state)
{
    run_ring *r = *state;
    td_free(r->shm);
    td_free(r);
    return 0;
}

/* The program's side: reads one job where treadle put it. */
static wire_job job_at(const run_ring *r, uint64_t position, wire_step *steps)
{
    union {
        wire_job job;
        uint64_t words[sizeof(wire_job) / 8];
    } head;
    for (size_t i = 0; i < sizeof(wire_job) / 8; i++)
        head.words[i] = r->shm->jobs[(position + i) & (WIRE_JOB_WORDS - 1)];
    for (uint32_t i = 0; i < head.job.n_steps; i++) {
        uint64_t at = position + sizeof(wire_job) / 8 + i;
        memcpy(&steps[i], &r->shm->jobs[at & (WIRE_JOB_WORDS - 1)], sizeof *steps);
    }
    return head.job;
}

static void test_job_arrives(void **state)
{
    run_ring *r = *state;
    wire_step steps[3] = {{0, 2}, {1, 7}, {0, 1}}, seen[3];
    run_request request = {.id = 9, .seed = 5, .steps = steps, .n_steps = 3};
    assert_true(run_ring_put(r, &request, 100));
    assert_int_equal(r->shm->job_head, 0); /* not before it is flushed */
    run_ring_flush(r);
    assert_int_equal(r->shm->job_head, run_job_words(&request));
    wire_job job = job_at(r, 0, seen);
    assert_int_equal(job.id, 9);
    assert_int_equal(job.depth, 100);
    assert_memory_equal(seen, steps, sizeof steps);
}

static void test_jobs_wrap(void **state)
{
    run_ring *r = *state;
    static wire_step steps[1000], seen[1000];
    for (uint32_t i = 0; i < 1000; i++)
        steps[i] = (wire_step){i, i + 1};
    run_request request = {.steps = steps, .n_steps = 1000};
    for (uint64_t id = 1; id < 3 * WIRE_JOB_WORDS / 1000; id++) {
        uint64_t at = r->job_head;
        request.id = id;
        assert_true(run_ring_put(r, &request, 1));
        wire_job job = job_at(r, at, seen);
        assert_int_equal(job.id, id);
        assert_memory_equal(seen, steps, sizeof steps);
        run_ring_free(r, run_job_words(&request));
    }
}

static void test_full_ring_refuses(void **state)
{
    run_ring *r = *state;
    static wire_step steps[100000];
    run_request request = {.steps = steps, .n_steps = 100000};
    uint64_t n = 0;
    while (run_ring_put(r, &request, 1))
        n++;
    assert_int_equal(n, WIRE_JOB_WORDS / run_job_words(&request));
    run_ring_free(r, run_job_words(&request));
    assert_true(run_ring_put(r, &request, 1));
    assert_false(run_ring_put(r, &request, 1));
}

static void test_records_wrap(void **state)
{
    run_ring *r = *state;
    wire_rec out[100];
    uint64_t written = 0, read = 0;
    while (read < 3 * (uint64_t)WIRE_TRACE_RECS) {
        while (written < read + 77)
            r->shm->trace[written++ & (WIRE_TRACE_RECS - 1)] =
                (wire_rec){.kind = WIRE_END};
        r->shm->trace_head = written;
        size_t n = run_ring_take(r, out, 100);
        assert_true(n > 0 && n <= 77);
        run_ring_taken(r, n);
        read += n;
        assert_int_equal(r->shm->trace_tail, read);
    }
}

/* The program may write anything into the positions. */
static void test_damaged_positions(void **state)
{
    run_ring *r = *state;
    wire_rec out[8];
    static const uint64_t heads[] = {WIRE_TRACE_RECS + 1, UINT64_MAX, UINT64_C(1) << 63};
    for (size_t i = 0; i < sizeof heads / sizeof heads[0]; i++) {
        r->shm->trace_head = heads[i];
        r->shm->job_tail = heads[i];
        assert_int_equal(run_ring_take(r, out, 8), 0);
    }
    run_ring_reset(r);
    assert_int_equal(r->shm->trace_head, 0);
    assert_int_equal(r->shm->job_tail, 0);
}

static void test_refuses_other_files(void **state)
{
    td_diag diag = {{0}};
    assert_int_equal(run_program_check("/dev/null/nothing", &diag), TD_E_SYSTEM);
    diag.text[0] = 0;
    assert_int_equal(run_program_check("/bin/sh", &diag), TD_E_PROGRAM);
    assert_non_null(strstr(diag.text, "was not built with treadle cc"));
    diag.text[0] = 0;
    assert_int_equal(run_program_check("/etc/passwd", &diag), TD_E_PROGRAM);
    assert_non_null(strstr(diag.text, "is not a program"));
}

static void test_given(void **state)
{
    static const char *const good[][2] = {
        {"1:int", "1:i32"}, {"2:u8", "2:u8"}, {"3:str:12", "3:str:12"}, {"4", "4:str:5"}};
    static const char *const bad[] = {"",        "0:int",  "1:",         "1:float",
                                      "1:str:0", "9:str:", "7:str:4097", "256:int",
                                      "x",       "1:int",  "5",          "6:i32x"};
    char *const argv[] = {(char *)"p", (char *)"1",     (char *)"2",
                          (char *)"3", (char *)"hello", NULL};
    run_given g = {0};
    td_diag diag = {{0}};
    for (uint32_t i = 0; i < 4; i++) {
        td_text text = {0};
        assert_int_equal(run_given_add(&g, good[i][0], argv, &diag), TD_OK);
        run_given_print(&g.args[i], &text);
        assert_string_equal(text.at, good[i][1]);
        td_text_fini(&text);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_int_equal(run_given_add(&g, bad[i], argv, &diag), TD_E_USAGE);
    assert_int_equal(g.n_args, 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_job_arrives, ring_setup, ring_teardown),
        cmocka_unit_test_setup_teardown(test_jobs_wrap, ring_setup, ring_teardown),
        cmocka_unit_test_setup_teardown(test_full_ring_refuses, ring_setup,
                                        ring_teardown),
        cmocka_unit_test_setup_teardown(test_records_wrap, ring_setup, ring_teardown),
        cmocka_unit_test_setup_teardown(test_damaged_positions, ring_setup,
                                        ring_teardown),
        cmocka_unit_test(test_refuses_other_files),
        cmocka_unit_test(test_given),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
