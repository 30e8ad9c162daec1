/* SPDX-License-Identifier: Apache-2.0 */
/* How a campaign stands, as a screen, JSON and Prometheus text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "campaign/top.h"

static cam_top example(cam_top_worker *workers, size_t n)
{
    return (cam_top){.campaign = 7,
                     .command = "bank 30 \"50\"",
                     .version = "0.1.0",
                     .ready = 3,
                     .leased = 2,
                     .parked = 1,
                     .parts = 1234,
                     .events = 1000,
                     .known = 1250,
                     .findings = 1,
                     .active = 2,
                     .hungry = 1,
                     .workers = {.at = workers, .len = n, .cap = n}};
}

/* The last one is gone, the first one has an odd name. */
static void three(cam_top_worker out[3])
{
    out[0] = (cam_top_worker){.name = "a\033[2J\"\\\n",
                              .runs = 1000,
                              .runs_per_second = 100.5,
                              .items = 1,
                              .rss_kb = 2048,
                              .silent_ms = 1500};
    out[1] = (cam_top_worker){.name = "worker host:12", .runs = 500, .silent_ms = 90000};
    out[2] = (cam_top_worker){.name = "early", .runs = 7, .is_gone = true};
}

static void sums(void **state)
{
    cam_top_worker w[3];
    three(w);
    cam_top t = example(w, 3);
    assert_true(cam_top_rediscovery(&t) == 1.25);
    assert_true(cam_top_runs_per_second(&t) == 100.5);
    assert_int_equal(cam_top_lag_ms(&t), 1500); /* the other one has no item */
    t.events = t.known = 0;
    assert_true(cam_top_rediscovery(&t) == 0);
}

static void a_screen(void **state)
{
    cam_top_worker w[3];
    td_text out = {0};
    three(w);
    cam_top t = example(w, 3);
    cam_top_print(&t, (cam_top_screen){0}, &out);
    assert_string_equal(
        out.at,
        "treadle campaign 7: bank 30 \"50\"   running\n"
        "runs      1,507 in total, 101 per second, 2 workers (1 idle)\n"
        "items     3 ready, 2 leased, 1 parked; 1,234 done   lag 1.5 s\n"
        "found     1 finding, 1,000 events   rediscovery 1.250\n"
        "\n"
        "WORKER                               RUNS    RUNS/S  ITEMS   MEMORY   HEARD\n"
        "a?[2J\"\\?                            1,000       100      1      2 M   1.5 s\n"
        "worker host:12                        500         0      0      0 M  90.0 s\n"
        "early                                   7         -      -        -    gone\n");
    td_text_fini(&out);
}

static size_t count_lines(const char *at, size_t *widest)
{
    size_t n = 0;
    *widest = 0;
    while (*at) {
        size_t width = strcspn(at, "\n");
        *widest = width > *widest ? width : *widest;
        at += width + (at[width] == '\n');
        n++;
    }
    return n;
}

static void fits_a_small_screen(void **state)
{
    cam_top_worker w[20];
    size_t widest;
    for (size_t i = 0; i < 20; i++)
        w[i] =
            (cam_top_worker){.name = "worker of a machine with a long name", .runs = i};
    cam_top t = example(w, 20);
    for (uint32_t columns = 1; columns < 90; columns += 11)
        for (uint32_t rows = 8; rows < 40; rows += 5) {
            td_text out = {0};
            cam_top_print(&t, (cam_top_screen){columns, rows}, &out);
            assert_true(count_lines(out.at, &widest) <= rows);
            assert_true(widest <= columns || widest <= strlen("and 19 more"));
            td_text_fini(&out);
        }
}

static void json(void **state)
{
    cam_top_worker w[1] = {{.name = "a\"b", .runs = 5, .runs_per_second = 2.5}};
    td_text out = {0};
    cam_top t = example(w, 1);
    t.is_done = t.is_complete = true;
    cam_top_json(&t, &out);
    assert_non_null(strstr(out.at, "\"command\""));
    assert_non_null(strstr(out.at, "bank 30 \\\"50\\\""));
    assert_non_null(strstr(out.at, "a\\\"b"));
    assert_non_null(strstr(out.at, "1.250000"));
    assert_non_null(strstr(out.at, "2.500000"));
    td_text_fini(&out);
}

/* Each line is a comment or a name, labels and a number; gone workers are not among them. */
static void prometheus(void **state)
{
    cam_top_worker w[3];
    td_text out = {0};
    three(w);
    cam_top t = example(w, 3);
    cam_top_prometheus(&t, &out);
    for (const char *at = out.at; *at; at += strcspn(at, "\n") + 1)
        assert_true(strncmp(at, "# HELP treadle_", 15) == 0 ||
                    strncmp(at, "# TYPE treadle_", 15) == 0 ||
                    strncmp(at, "treadle_", 8) == 0);
    assert_non_null(strstr(out.at, "\ntreadle_runs_total{campaign=\"7\"} 1507\n"));
    assert_non_null(strstr(out.at, "\ntreadle_rediscovery_ratio{campaign=\"7\"} 1.25\n"));
    assert_non_null(strstr(out.at, "\ntreadle_lag_seconds{campaign=\"7\"} 1.5\n"));
    assert_non_null(
        strstr(out.at, "\ntreadle_items{campaign=\"7\",state=\"parked\"} 1\n"));
    assert_non_null(strstr(out.at, "\ntreadle_worker_memory_bytes{campaign=\"7\",number="
                                   "\"1\",worker=\"a?[2J\\\"\\\\?\"} 2097152\n"));
    assert_null(strstr(out.at, "early"));
    td_text_fini(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums),       cmocka_unit_test(a_screen),
        cmocka_unit_test(json),       cmocka_unit_test(fits_a_small_screen),
        cmocka_unit_test(prometheus),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
