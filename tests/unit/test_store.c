/* SPDX-License-Identifier: Apache-2.0 */
/* Recordings as text, and the session directory. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/rng.h"
#include "base/text.h"
#include "store/manifest.h"
#include "store/store.h"

/* ---- manifests ---- */

static const char suite_text[] =
    "treadle-suite 1\n"
    "bank --time=10s --expect=bug ./bank 30 \"a \\\"b\\\"\"\n"
    "q.2+a-b_c /usr/bin/q --time=1s\n";

static void test_manifest(void **state)
{
    static const char written[] = "treadle-suite 1\r\n# a comment\n\n"
                                  "  bank  --time=10s\t--expect=bug ./bank 30 "
                                  "\"a \\\"b\\\"\"\nq.2+a-b_c /usr/bin/q --time=1s";
    sto_manifest m;
    td_text text = {0};
    assert_int_equal(sto_manifest_parse(written, strlen(written), &m, NULL), TD_OK);
    assert_int_equal(m.harnesses.len, 2);
    const sto_harness *h = &m.harnesses.at[0];
    assert_string_equal(h->name, "bank");
    assert_int_equal(h->line, 4);
    assert_int_equal(h->options.len, 2);
    assert_string_equal(h->options.at[1], "--expect=bug");
    assert_int_equal(h->words.len, 3);
    assert_string_equal(h->words.at[2], "a \"b\"");
    /* Behind the program nothing is an option. */
    assert_int_equal(m.harnesses.at[1].options.len, 0);
    assert_string_equal(m.harnesses.at[1].words.at[1], "--time=1s");
    sto_manifest_print(&m, &text);
    assert_string_equal(text.at, suite_text);
    td_text_fini(&text);
    sto_manifest_fini(&m);
}

static void test_bad_manifests(void **state)
{
    static const struct {
        const char *text, *says;
    } bad[] = {
        {"", "line 1 is not 'treadle-suite 1'"},
        {"treadle-suite 10", "version 1 only"},
        {"treadle-suite 1\nname", "'name' has no program"},
        {"treadle-suite 1\nname --time=1s", "'name' has no program"},
        {"treadle-suite 1\nname \"\"", "'name' has no program"},
        {"treadle-suite 1\n.x p", "line 2: a name has"},
        {"treadle-suite 1\na/b p", "line 2: a name has"},
        {"treadle-suite 1\nx p\n\nx p", "line 4: the name 'x' is already in line 2"},
        {"treadle-suite 1\nx p\x01", "line 2: control character"},
        {"treadle-suite 1\nx p\"q", "line 2: a quote inside a word"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        sto_manifest m;
        td_diag diag = {0};
        assert_int_equal(sto_manifest_parse(bad[i].text, strlen(bad[i].text), &m, &diag),
                         TD_E_FORMAT);
        assert_non_null(strstr(diag.text, bad[i].says));
        assert_int_equal(m.harnesses.len, 0);
    }
}

/* ---- recordings ---- */

static sto_recording bank_recording(void)
{
    sto_recording r = {.version = td_strdup("0.1.0"),
                       .program = td_strdup("./bank"),
                       .build_id = td_strdup("3f0c"),
                       .fail_kind = td_strdup("assert"),
                       .fail_file = td_strdup("bank.c"),
                       .fail_line = 39,
                       .fail_function = td_strdup("main"),
                       .message = td_strdup("assertion 'balance >= 0' failed")};
    sto_text_vec_push(&r.args, td_strdup("30"));
    sto_text_vec_push(&r.args, td_strdup("71"));
    static const wire_step steps[] = {{0, 2}, {1, 2}, {2, 7}, {1, 5}, {0, 2}};
    trc_step_vec_append(&r.schedule, steps, 5);
    sto_promoted_vec_push(&r.promoted, (sto_promoted){.is_write = true,
                                                      .file = td_strdup("bank.c"),
                                                      .function = td_strdup("deposit"),
                                                      .line = 27,
                                                      .column = 13});
    sto_promoted_vec_push(&r.promoted, (sto_promoted){.file = td_strdup("a dir/b:c.h"),
                                                      .function = td_strdup("")});
    return r;
}

static const char bank_text[] = "treadle-recording 1\n"
                                "treadle 0.1.0\n"
                                "program ./bank\n"
                                "build-id 3f0c\n"
                                "args 30 71\n"
                                "promote write bank.c:27:13 deposit\n"
                                "promote read \"a dir/b:c.h:0:0\" \"\"\n"
                                "schedule main:2 T1:2 T2:7 T1:5 main:2\n"
                                "fail assert bank.c:39 main\n"
                                "message assertion 'balance >= 0' failed\n";

static void check_same(const sto_recording *a, const sto_recording *b)
{
    assert_string_equal(a->version, b->version);
    assert_string_equal(a->program, b->program);
    assert_string_equal(a->build_id, b->build_id);
    assert_string_equal(a->fail_kind, b->fail_kind);
    assert_string_equal(a->fail_file, b->fail_file);
    assert_string_equal(a->fail_function, b->fail_function);
    assert_string_equal(a->message, b->message);
    assert_int_equal(a->fail_line, b->fail_line);
    assert_int_equal(a->args.len, b->args.len);
    for (size_t i = 0; i < a->args.len; i++)
        assert_string_equal(a->args.at[i], b->args.at[i]);
    assert_int_equal(a->sym_args.len, b->sym_args.len);
    for (size_t i = 0; i < a->sym_args.len; i++)
        assert_string_equal(a->sym_args.at[i], b->sym_args.at[i]);
    assert_int_equal(a->sym_stdin, b->sym_stdin);
    assert_int_equal(a->schedule.len, b->schedule.len);
    for (size_t i = 0; i < a->schedule.len; i++) {
        assert_int_equal(a->schedule.at[i].thread, b->schedule.at[i].thread);
        assert_int_equal(a->schedule.at[i].count, b->schedule.at[i].count);
    }
    assert_int_equal(a->promoted.len, b->promoted.len);
    for (size_t i = 0; i < a->promoted.len; i++) {
        const sto_promoted *x = &a->promoted.at[i], *y = &b->promoted.at[i];
        assert_int_equal(x->is_write, y->is_write);
        assert_string_equal(x->file, y->file);
        assert_string_equal(x->function, y->function);
        assert_int_equal(x->line, y->line);
        assert_int_equal(x->column, y->column);
    }
    assert_int_equal(a->inputs.len, b->inputs.len);
    for (size_t i = 0; i < a->inputs.len; i++) {
        const sto_input *x = &a->inputs.at[i], *y = &b->inputs.at[i];
        assert_string_equal(x->name, y->name);
        assert_int_equal(x->key, y->key);
        assert_int_equal(x->value, y->value);
        assert_int_equal(x->bits, y->bits);
        assert_int_equal(x->sign, y->sign);
    }
}

static void check_round_trip(const sto_recording *r)
{
    td_text text = {0};
    td_diag diag = {0};
    sto_recording again;
    sto_recording_print(r, &text);
    assert_int_equal(sto_recording_parse(text.at, text.len, &again, &diag), TD_OK);
    check_same(r, &again);
    sto_recording_fini(&again);
    td_text_fini(&text);
}

static void test_print(void **state)
{
    (void)state;
    sto_recording r = bank_recording();
    td_text text = {0};
    sto_recording_print(&r, &text);
    assert_string_equal(text.at, bank_text);
    check_round_trip(&r);
    td_text_fini(&text);
    sto_recording_fini(&r);
}

#define WEAKER_HEAD "treadle-recording 4\nprogram p\nmodel rc11\n"

static void test_weaker(void **state)
{
    (void)state;
    static const char text[] = WEAKER_HEAD "weaken store release relaxed a.c:3:5\n"
                                           "weaken fence seq_cst none \"b c.h:7:1\"\n"
                                           "weaken cas-failed acquire relaxed d.c:9:2\n";
    td_diag diag = {0};
    td_text again = {0};
    sto_recording r;
    assert_int_equal(sto_recording_parse(text, sizeof text - 1, &r, &diag), TD_OK);
    assert_int_equal(r.weaker.len, 3);
    assert_string_equal(r.weaker.at[1].file, "b c.h");
    assert_int_equal(r.weaker.at[1].line, 7);
    assert_int_equal(r.weaker.at[1].kind, WIRE_FENCE);
    assert_int_equal(r.weaker.at[1].to, __ATOMIC_RELAXED);
    sto_recording_print(&r, &again);
    assert_string_equal(again.at, text);
    td_text_fini(&again);
    sto_recording_fini(&r);
}

#define REPAIR_HEAD "treadle-recording 6\nprogram p\n"

static void test_repair(void **state)
{
    (void)state;
    static const char text[] =
        REPAIR_HEAD "repair section m 0000555555558010 loop bank.c:27:28 teller\n"
                    "repair section new 0000000000000000 once \"a b.c:3:3\" f a.c:7:9 g\n"
                    "repair order 2 a.c:5:5 f b.c:6:6 g\n"
                    "repair wake-all a.c:5:5 \"\"\n";
    td_diag diag = {0};
    td_text again = {0};
    sto_recording r;
    assert_int_equal(sto_recording_parse(text, sizeof text - 1, &r, &diag), TD_OK);
    assert_int_equal(r.repairs.len, 4);
    assert_string_equal(r.repairs.at[0].lock, "m");
    assert_int_equal(r.repairs.at[0].object, 0x555555558010);
    assert_true(r.repairs.at[0].is_in_loop);
    assert_int_equal(r.repairs.at[1].object, 0);
    assert_int_equal(r.repairs.at[1].n_places, 2);
    assert_string_equal(r.repairs.at[1].places[0].file, "a b.c");
    assert_int_equal(r.repairs.at[2].count, 2);
    assert_int_equal(r.repairs.at[3].kind, WIRE_REPAIR_WAKE_ALL);
    sto_recording_print(&r, &again);
    assert_string_equal(again.at, text);
    td_text_fini(&again);
    sto_recording_fini(&r);
}

static void set_text(char **text, const char *value)
{
    td_free(*text);
    *text = td_strdup(value);
}

static void test_odd_words(void **state)
{
    (void)state;
    static const char *const odd[] = {"",       " ",        "a b",      "\"",  "\\",
                                      "\\n",    "\n",       "\001\177", "#",   "'x'",
                                      "a:b:c",  "\303\244", "\377",     "\t",  "x ",
                                      "main:2", "--",       "\"a\" b",  "a\r", "x\"y"};
    for (size_t i = 0; i < sizeof odd / sizeof odd[0]; i++) {
        sto_recording r = bank_recording();
        sto_text_vec_push(&r.args, td_strdup(odd[i]));
        set_text(&r.message, odd[i]);
        set_text(&r.fail_file, odd[i]);
        set_text(&r.fail_function, odd[i]);
        set_text(&r.fail_kind, odd[i]);
        if (odd[i][0] != '\0')
            set_text(&r.program, odd[i]);
        check_round_trip(&r);
        sto_recording_fini(&r);
    }
}

/* A long schedule takes several lines of a length people can read. */
static void test_long_schedule(void **state)
{
    (void)state;
    sto_recording r = bank_recording();
    for (uint32_t i = 0; i < 100000; i++)
        trc_step_vec_push(&r.schedule, (wire_step){i % 300, i + 1});
    td_text text = {0};
    sto_recording_print(&r, &text);
    size_t column = 0;
    for (size_t i = 0; i < text.len; i++) {
        column = text.at[i] == '\n' ? 0 : column + 1;
        assert_true(column <= 100);
    }
    td_text_fini(&text);
    r.schedule.len = 60000; /* the sum of the counts is bounded */
    check_round_trip(&r);
    sto_recording_fini(&r);
}

/* ---- inputs ---- */

/* As the runtime makes them: wire/wire.h. */
static uint64_t key_of(uint64_t thread, uint64_t nth)
{
    td_rng rng = {thread + nth * WIRE_INPUT_STEP};
    return td_rng_next(&rng);
}

static void add_input(sto_recording *r, const char *name, sto_input in)
{
    in.name = td_strdup(name);
    sto_input_vec_push(&r->inputs, in);
}

static void add_byte(sto_recording *r, unsigned index, uint64_t key, uint8_t value)
{
    char name[32];
    snprintf(name, sizeof name, "line[%u]", index);
    add_input(r, name, (sto_input){.key = key, .value = value, .bits = 8});
}

static const char input_text[] = "treadle-recording 1\n"
                                 "program p\n"
                                 "input fee i32 -2 0000000000000001\n"
                                 "input \"a b\" u8 254 0000000000000002\n"
                                 "input x b1 1 ffffffffffffffff\n"
                                 "input min i64 -9223372036854775808 0000000000000003\n"
                                 "bytes line[0] e65a4c6e30fb41fd \"G\\\"\\x00\\n\\xff\"\n"
                                 "input line[7] b8 65 0000000000000004\n"
                                 "schedule main:1\n";

static void test_inputs(void **state)
{
    (void)state;
    static const uint8_t bytes[] = {'G', '"', 0, '\n', 0xff};
    sto_recording r = {.program = td_strdup("p")};
    add_input(
        &r, "fee",
        (sto_input){.key = 1, .value = 0xfffffffe, .bits = 32, .sign = WIRE_SIGNED});
    add_input(&r, "a b",
              (sto_input){.key = 2, .value = 254, .bits = 8, .sign = WIRE_UNSIGNED});
    add_input(&r, "x", (sto_input){.key = UINT64_MAX, .value = 1, .bits = 1});
    add_input(&r, "min",
              (sto_input){.key = 3,
                          .value = (uint64_t)INT64_MIN,
                          .bits = 64,
                          .sign = WIRE_SIGNED});
    for (unsigned i = 0; i < 5; i++)
        add_byte(&r, i, key_of(5, i + 1), bytes[i]);
    add_byte(&r, 7, 4, 'A');
    trc_step_vec_push(&r.schedule, (wire_step){0, 1});
    td_text text = {0};
    sto_recording_print(&r, &text);
    assert_string_equal(text.at, input_text);
    td_text_fini(&text);

    sto_recording again;
    td_diag diag = {0};
    assert_int_equal(
        sto_recording_parse(input_text, sizeof input_text - 1, &again, &diag), TD_OK);
    assert_int_equal(again.inputs.len, r.inputs.len);
    for (size_t i = 0; i < r.inputs.len; i++) {
        assert_string_equal(again.inputs.at[i].name, r.inputs.at[i].name);
        assert_int_equal(again.inputs.at[i].value, r.inputs.at[i].value);
        assert_int_equal(again.inputs.at[i].key, r.inputs.at[i].key);
    }
    sto_recording_fini(&again);
    sto_recording_fini(&r);
}

/* 1,000 bytes take a few kilobytes at most, and all of them come back. */
static void test_many_bytes(void **state)
{
    (void)state;
    td_rng rng = {3};
    for (int printable = 0; printable < 2; printable++) {
        sto_recording r = bank_recording();
        for (unsigned i = 0; i < 1000; i++)
            add_byte(&r, i, key_of(77, i + 1),
                     printable ? 'a' + i % 26 : (uint8_t)td_rng_next(&rng));
        td_text text = {0};
        sto_recording_print(&r, &text);
        assert_true(text.len < (printable ? 2048 : 5120));
        td_text_fini(&text);
        check_round_trip(&r);
        sto_recording_fini(&r);
    }
}

static void test_given(void **state)
{
    (void)state;
    sto_recording r = bank_recording();
    td_text text = {0};
    sto_text_vec_push(&r.sym_args, td_strdup("1:i32"));
    sto_text_vec_push(&r.sym_args, td_strdup("2:str:8"));
    r.sym_stdin = 16;
    sto_recording_print(&r, &text);
    assert_non_null(strstr(text.at, "sym-arg 1:i32\nsym-arg 2:str:8\nsym-stdin 16\n"));
    check_round_trip(&r);
    td_text_fini(&text);
    sto_recording_fini(&r);
}

static void check_refused(const char *text, const char *sentence)
{
    td_diag diag = {0};
    sto_recording r;
    td_status status = sto_recording_parse(text, strlen(text), &r, &diag);
    assert_int_equal(status, TD_E_FORMAT);
    assert_string_equal(diag.text, sentence);
}

#define HEAD "treadle-recording 1\nprogram p\n"

static void test_refused(void **state)
{
    (void)state;
    check_refused("", "the recording is empty");
    check_refused("hello\n", "not a recording: line 1 is not 'treadle-recording 1'");
    check_refused("treadle-recording 7\n",
                  "line 1: this treadle reads recordings of versions 1 to 6");
    check_refused("treadle-recording 10\n",
                  "line 1: this treadle reads recordings of versions 1 to 6");
    check_refused("treadle-recording 5\nprogram p\nrepair wake-all a.c:1:1 f\n",
                  "line 3: unknown field 'repair'");
    check_refused(REPAIR_HEAD "repair glue a.c:1:1 f\n",
                  "line 3: a repair is section, order or wake-all");
    check_refused(REPAIR_HEAD "repair section m 12 once a.c:1:1 f\n",
                  "line 3: an address has 16 hexadecimal digits");
    check_refused(REPAIR_HEAD "repair section m 0000000000000000 twice a.c:1:1 f\n",
                  "line 3: a section requires once or loop");
    check_refused(REPAIR_HEAD "repair order x a.c:1:1 f b.c:2:2 g\n",
                  "line 3: an order requires a number");
    check_refused(REPAIR_HEAD "repair order 1 a.c:1:1 f\n",
                  "line 3: the places of the repair are not complete");
    check_refused(REPAIR_HEAD "repair wake-all a.c:2:1 f\n",
                  "line 3: the places of the repair are not complete");
    check_refused(REPAIR_HEAD "repair wake-all a.c:2 f\n",
                  "line 3: a repair is at FILE:LINE:LINE");
    check_refused("treadle-recording 1\n", "the line 'program PATH' is missing");
    check_refused("treadle-recording 3\nprogram p\nweaken load acquire relaxed a:1:1\n",
                  "line 3: unknown field 'weaken'");
    check_refused(WEAKER_HEAD "weaken lock acquire relaxed a:1:1\n",
                  "line 4: weaken requires an atomic operation");
    check_refused(WEAKER_HEAD "weaken load acquire none a:1:1\n",
                  "line 4: weaken requires two memory orders");
    check_refused(WEAKER_HEAD "weaken load acquire relaxed a:1\n",
                  "line 4: an operation is at FILE:LINE:COLUMN");
    check_refused("treadle-recording 1\nprogram\n", "line 2: the program is missing");
    check_refused("treadle-recording 1\nprogram a b\n",
                  "line 2: text after the last word");
    check_refused(HEAD "program p\n", "line 3: 'program' occurs twice");
    check_refused(HEAD "\n# comment\ncolour red\n", "line 5: unknown field 'colour'");
    check_refused(HEAD "args \"a\n", "line 3: the closing quote is missing");
    check_refused(HEAD "args \"a\"b\n", "line 3: a blank must follow the closing quote");
    check_refused(HEAD "args a\"b\n", "line 3: a quote inside a word");
    check_refused(HEAD "args \"\\q\"\n", "line 3: unknown escape after a backslash");
    check_refused(HEAD "args \"\\x0\"\n",
                  "line 3: \\x requires two hexadecimal digits, not 00");
    check_refused(HEAD "args \"\\x00\"\n",
                  "line 3: \\x requires two hexadecimal digits, not 00");
    check_refused(HEAD "args a\001b\n", "line 3: control character");
    check_refused(HEAD "fail assert bank.c main\n", "line 3: a place is FILE:LINE");
    check_refused(HEAD "fail assert bank.c:9999999999 main\n",
                  "line 3: a place is FILE:LINE");
    check_refused(HEAD "fail assert bank.c:9\n",
                  "line 3: the function of the failure is missing");
    check_refused(HEAD "promote erase bank.c:1:2 main\n",
                  "line 3: promote requires read or write");
    check_refused(HEAD "promote read bank.c:1 main\n",
                  "line 3: an access is at FILE:LINE:COLUMN");
    check_refused(HEAD "promote read bank.c:1:2\n",
                  "line 3: the function of an access is missing");
    check_refused(HEAD "promote\n", "line 3: read or write is missing");
    check_refused(HEAD "schedule main:4294967295 T1:1\n",
                  "line 3: the schedule is too long");
}

/* ---- causes ---- */

#define HEAD2 "treadle-recording 2\nprogram p\n"
#define FIRST "cause-event first T2 store done 17 0000555555558010 0000001f bank.c:20\n"
#define SECOND                                                                           \
    "cause-event second main \"sem wait\" next 21 0000555555558010 0000001d \"a "        \
    "b:c.h:12\"\n"

static void check_prints_same(const char *text)
{
    td_text out = {0};
    td_diag diag = {0};
    sto_recording r;
    assert_int_equal(sto_recording_parse(text, strlen(text), &r, &diag), TD_OK);
    sto_recording_print(&r, &out);
    assert_string_equal(out.at, text);
    td_text_fini(&out);
    sto_recording_fini(&r);
}

static void test_causes(void **state)
{
    (void)state;
    td_diag diag = {0};
    sto_recording r;
    static const char text[] = HEAD2 "no-return 14\ncause order 48\n" FIRST SECOND;
    assert_int_equal(sto_recording_parse(text, sizeof text - 1, &r, &diag), TD_OK);
    assert_int_equal(r.no_return, 15);
    assert_string_equal(r.cause.kind, "order");
    assert_int_equal(r.cause.n_kept, 48);
    const sto_cause_event *e = r.cause.events;
    assert_int_equal(e[0].thread, 2);
    assert_true(e[0].in_run && !e[1].in_run);
    assert_int_equal(e[0].op, 17);
    assert_int_equal(e[0].object, UINT64_C(0x555555558010));
    assert_int_equal(e[0].site, 31);
    assert_string_equal(e[1].kind, "sem wait");
    assert_string_equal(e[1].file, "a b:c.h");
    assert_int_equal(e[1].line, 12);
    assert_null(e[2].kind);
    sto_recording_fini(&r);
    check_prints_same(text);
    check_prints_same(HEAD2 "no-return 0\n");
    check_prints_same(HEAD2 "cause every 48\n");
    check_prints_same(HEAD2 "cause input 0 7\n" FIRST);
    check_prints_same(
        HEAD2
        "cause order 1\n" FIRST SECOND
        "cause-event earlier-first T1 read done 0 0000000000000000 00000001 :0\n"
        "cause-event earlier-second T3 write done 4 0000000000000000 00000001 :0\n");
    check_prints_same("treadle-recording 5\nprogram p\n"
                      "cause order 1\n" FIRST
                      "cause-event second T1 store next 21 0000555555558010 0000001d "
                      "atomic_base.h:464 once.cpp:19\n");
}

static void test_bad_causes(void **state)
{
    (void)state;
    static const char lacks[] = "the cause lacks an event, or an event its cause";
    check_refused(HEAD "cause every 1\n", "line 3: unknown field 'cause'");
    check_refused(HEAD "no-return 1\n", "line 3: unknown field 'no-return'");
    check_refused(HEAD2 "no-return 4294967295\n",
                  "line 3: how many operations is not a number up to 4294967294");
    check_refused(HEAD2 "cause luck 1\n", "line 3: a cause is order, every or input");
    check_refused(HEAD2 "cause order 1\n", lacks);
    check_refused(HEAD2 "cause order 1\n" FIRST, lacks);
    check_refused(HEAD2 FIRST SECOND, lacks);
    check_refused(HEAD2 "cause every 1\n" FIRST, lacks);
    check_refused(HEAD2 "cause order 1\n" FIRST FIRST, "line 5: a second event 'first'");
    check_refused(HEAD2
                  "cause-event third T2 store done 1 0000555555558010 0000001f b.c:2\n",
                  "line 3: the part of the event is not known");
    check_refused(HEAD2
                  "cause-event first T0 store done 1 0000555555558010 0000001f b.c:2\n",
                  "line 3: a thread is main or Tn");
    check_refused(
        HEAD2 "cause-event first T1 store perhaps 1 0000555555558010 00000003 b.c:2\n",
        "line 3: the state, done or next, is not known");
    check_refused(HEAD2 "cause-event first T1 store done 1 555555558010 0000001f b.c:2\n",
                  "line 3: the object is not 16 hexadecimal digits");
    check_refused(HEAD2
                  "cause-event first T1 store done 1 0000555555558010 0000001f b.c\n",
                  "line 3: a place is FILE:LINE");
    check_refused(
        HEAD2 "cause-event first T1 store done 1 0000555555558010 0000001f b.h:1 b.c:2\n",
        "line 3: text after the last word");
    check_refused(
        "treadle-recording 5\nprogram p\n"
        "cause-event first T1 store done 1 0000555555558010 0000001f b.h:1 b.c\n",
        "line 3: a place is FILE:LINE");
}

static void test_bad_inputs(void **state)
{
    (void)state;
#define KEY " 0123456789abcdef\n"
    check_refused(HEAD "input\n", "line 3: the name of the input is missing");
    check_refused(HEAD "input x\n", "line 3: the type of the input is missing");
    check_refused(HEAD "input x i32\n", "line 3: the value of the input is missing");
    check_refused(HEAD "input x i32 1\n", "line 3: the key of the input is missing");
    check_refused(HEAD "input x i32 1 12\n",
                  "line 3: the key of an input is 16 hexadecimal digits");
    check_refused(HEAD "input x i32 1 0123456789ABCDEF\n",
                  "line 3: the key of an input is 16 hexadecimal digits");
    check_refused(HEAD "input x i32 1 0123456789abcdef 1\n",
                  "line 3: text after the last word");
    static const char *const types[] = {"i0", "u65", "x8", "i", "32", "i08", "\"\""};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        td_text text = {0};
        td_text_add(&text, HEAD "input x %s 1" KEY, types[i]);
        check_refused(text.at,
                      "line 3: the type of an input is b, i or u and its bits, for "
                      "example i32");
        td_text_fini(&text);
    }
    static const char *const values[] = {"128", "-129", "-0", "--1",
                                         "-",   "0x1",  "+1", "\"\""};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        td_text text = {0};
        td_text_add(&text, HEAD "input x i8 %s" KEY, values[i]);
        check_refused(text.at, "line 3: not a value of 8 bits");
        td_text_fini(&text);
    }
    check_refused(HEAD "input x u8 -1" KEY, "line 3: not a value of 8 bits");
    check_refused(HEAD "input x b8 256" KEY, "line 3: not a value of 8 bits");
    check_refused(HEAD "bytes x 0123456789abcdef \"a\"\n",
                  "line 3: bytes require a name with an index, like line[0]");
    check_refused(HEAD "bytes x[01] 0123456789abcdef \"a\"\n",
                  "line 3: bytes require a name with an index, like line[0]");
    check_refused(HEAD "bytes x[0] 0123456789abcdef\n", "line 3: the text is missing");
    check_refused(HEAD "bytes x[0] 0123456789abcdef \"\"\n",
                  "line 3: no bytes, or more than 65536 inputs");
    check_refused(HEAD "bytes x[4294967295] 0123456789abcdef \"ab\"\n",
                  "line 3: no bytes, or more than 65536 inputs");
    check_refused(HEAD "input \"\\x00\" i32 1" KEY,
                  "line 3: \\x requires two hexadecimal digits, not 00");
}

/* More inputs than a run can have. */
static void test_too_many_inputs(void **state)
{
    (void)state;
    td_text text = {0};
    td_text_add(&text, HEAD "bytes x[0] 0123456789abcdef \"");
    for (int i = 0; i < 65536; i++)
        td_text_put(&text, "a", 1);
    td_text_add(&text, "\"\ninput y i8 1" KEY);
    check_refused(text.at, "line 4: more than 65536 inputs");
    td_text_fini(&text);
    td_text_add(&text, HEAD "input ");
    for (int i = 0; i < 201; i++)
        td_text_put(&text, "a", 1);
    check_refused(text.at, "line 3: the name of an input is longer than 200 bytes");
    td_text_fini(&text);
}

static void test_bad_steps(void **state)
{
    (void)state;
    static const char *const steps[] = {"main",
                                        "main:",
                                        "main:0",
                                        "T0:1",
                                        "T:1",
                                        "T1:-1",
                                        "T1:1x",
                                        "X1:1",
                                        "T1:+1",
                                        "T1: 1",
                                        "T99999999999:1",
                                        ":",
                                        "T1:1:1",
                                        "main:99999999999999999999999999999"};
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        td_text text = {0};
        td_text_add(&text, HEAD "schedule main:1 %s\n", steps[i]);
        check_refused(text.at, "line 3: a step is THREAD:COUNT, for example main:2 or "
                               "T1:5");
        td_text_fini(&text);
    }
}

/* What an editor or a mailer may do to a recording does no harm. */
static void test_tolerated(void **state)
{
    (void)state;
    static const char text[] = "treadle-recording 1\r\n"
                               "\r\n"
                               "  # a comment\r\n"
                               "  program\t./bank  \r\n"
                               "schedule\r\n"
                               "schedule main:1\r\n"
                               "schedule T1:2 \r\n"
                               "message two words";
    td_diag diag = {0};
    sto_recording r;
    assert_int_equal(sto_recording_parse(text, sizeof text - 1, &r, &diag), TD_OK);
    assert_string_equal(r.program, "./bank");
    assert_string_equal(r.message, "two words");
    assert_string_equal(r.fail_kind, "");
    assert_int_equal(r.args.len, 0);
    assert_int_equal(r.schedule.len, 2);
    sto_recording_fini(&r);
}

/* Bytes changed, removed, inserted: a recording that prints and reads back, or a
 * sentence. */
static void test_mutations(void **state)
{
    (void)state;
    td_rng rng = {1};
    for (int i = 0; i < 80000; i++) {
        char text[sizeof bank_text + sizeof input_text + 8];
        size_t len = i % 2 ? sizeof bank_text - 1 : sizeof input_text - 1;
        memcpy(text, i % 2 ? bank_text : input_text, len);
        for (uint64_t n = 1 + td_rng_below(&rng, 3); n > 0; n--) {
            size_t at = td_rng_below(&rng, len);
            uint64_t what = td_rng_below(&rng, 3);
            if (what == 0) {
                text[at] = (char)td_rng_next(&rng);
            } else if (what == 1) {
                memmove(text + at, text + at + 1, --len - at);
            } else {
                memmove(text + at + 1, text + at, len++ - at);
                text[at] = "\"\\ \n:T1#x[]"[td_rng_below(&rng, 11)];
            }
        }
        td_diag diag = {0};
        sto_recording r;
        if (sto_recording_parse(text, len, &r, &diag) == TD_OK) {
            check_round_trip(&r);
            sto_recording_fini(&r);
        } else {
            assert_true(diag.text[0] != '\0');
        }
    }
}

/* ---- session directory ---- */

static char start_dir[4096];

static int enter_temp(void **state)
{
    char *dir = strdup("/tmp/treadle-test-XXXXXX");
    assert_non_null(getcwd(start_dir, sizeof start_dir));
    assert_non_null(mkdtemp(dir));
    assert_int_equal(chdir(dir), 0);
    unsetenv("TREADLE_OUT");
    *state = dir;
    return 0;
}

static int leave_temp(void **state)
{
    td_text command = {0};
    assert_int_equal(chdir(start_dir), 0);
    td_text_add(&command, "rm -rf %s", (char *)*state);
    assert_int_equal(system(command.at), 0);
    td_text_fini(&command);
    free(*state);
    return 0;
}

static sto_session *open_session(const char *dir, const char *program)
{
    td_diag diag = {0};
    sto_session *s = NULL;
    td_status status = sto_session_create(dir, program, &s, &diag);
    if (status != TD_OK)
        fprintf(stderr, "%s\n", diag.text);
    assert_int_equal(status, TD_OK);
    return s;
}

static void check_file(const char *path, const char *expected)
{
    td_text text = {0};
    td_diag diag = {0};
    assert_int_equal(td_file_read(path, 1 << 20, &text, &diag), TD_OK);
    assert_string_equal(text.at, expected);
    td_text_fini(&text);
}

static void add_finding(sto_session *s)
{
    char file[] = "bank.c", function[] = "main", message[] = "it's wrong";
    det_finding f = {.kind = DET_ASSERT,
                     .id = "assert-71c2",
                     .file = file,
                     .function = function,
                     .line = 39,
                     .message = message,
                     .run = 15};
    sto_recording r = bank_recording();
    assert_int_equal(sto_session_finding(s, &f, &r, "{}", NULL), TD_OK);
    assert_int_equal(sto_session_finding(s, &f, &r, "{}", NULL), TD_OK);
    sto_recording_fini(&r);
}

static void test_session(void **state)
{
    (void)state;
    sto_session *s = open_session(NULL, "./bin/bank");
    assert_string_equal(sto_session_dir(s), "treadle-out/bank.1");
    check_file("treadle-out/.gitignore", "*\n");
    add_finding(s);
    char kind[] = "not modelled", file[] = "log.c", text[] = "sem_wait";
    det_ledger ledger = {0};
    det_gap_vec_push(&ledger.gaps, (det_gap){kind, file, 12, 3, text});
    assert_int_equal(sto_session_ledger(s, &ledger, NULL), TD_OK);
    assert_int_equal(sto_session_ledger(s, &ledger, NULL), TD_OK);
    assert_int_equal(sto_session_fact(s, "verdict", "bug", NULL), TD_OK);
    assert_int_equal(sto_session_fact(s, "verdict", "bug", NULL), TD_OK);
    det_gap_vec_fini(&ledger.gaps);
    sto_session_close(s);
    check_file("treadle-out/latest/assert-71c2.treadle", bank_text);
    sto_past past;
    assert_int_equal(sto_past_read(NULL, &past, NULL), TD_OK);
    assert_string_equal(past.dir, "treadle-out/latest");
    assert_string_equal(sto_past_fact(&past, "verdict"), "bug");
    assert_string_equal(sto_past_fact(&past, "no such"), "");
    assert_int_equal(past.findings.len, 1);
    assert_string_equal(past.findings.at[0].message, "it's wrong");
    assert_string_equal(past.findings.at[0].page, "{}");
    assert_int_equal(past.findings.at[0].line, 39);
    assert_int_equal(past.ledger.gaps.len, 1);
    assert_int_equal(past.ledger.gaps.at[0].count, 3);
    sto_past_fini(&past);
}

static void test_past_refuses(void **state)
{
    (void)state;
    sto_past past;
    td_diag diag = {0};
    assert_int_equal(sto_past_read("nowhere", &past, &diag), TD_E_USAGE);
    assert_string_equal(diag.text, "there is no session in 'nowhere'");
    assert_int_equal(mkdir("other", 0777), 0);
    assert_int_equal(td_file_write("other/session.db", "no database", 11, NULL), TD_OK);
    assert_int_equal(sto_past_read("other", &past, NULL), TD_E_FORMAT);
    diag = (td_diag){0};
    assert_int_equal(td_file_write("other/session.db", "", 0, NULL), TD_OK);
    assert_int_equal(sto_past_read("other", &past, &diag), TD_E_FORMAT);
    assert_string_equal(diag.text, "other/session.db is empty: the session ended "
                                   "before its first run");
    diag = (td_diag){0};
    sto_session *s = NULL;
    assert_int_equal(sto_session_open("other", &s, &diag), TD_OK);
    sto_session_close(s);
    assert_int_equal(sto_past_read("other", &past, &diag), TD_OK);
    assert_int_equal(past.facts.len, 0);
    sto_past_fini(&past);
}

/* The rest of the tables, and back. */
static void test_session_figures(void **state)
{
    (void)state;
    sto_session *s = open_session("figures", "bank");
    add_finding(s);
    for (uint64_t i = 0; i < 3; i++) {
        sto_sample sample = {.ms = 100 * i, .runs = i, .has_left = i > 1, .left_ms = 5};
        assert_int_equal(sto_session_sample(s, &sample, NULL), TD_OK);
    }
    char name[] = "z3";
    sto_stage stage = {name, 1, 2, 0.25};
    assert_int_equal(sto_session_stage(s, &stage, NULL), TD_OK);
    assert_int_equal(sto_session_stage(s, &stage, NULL), TD_OK);
    char file[] = "bank.c", text[] = "it's", why[] = "not reached";
    const sto_side sides[] = {
        {.file = file, .line = 21, .n_sides = 2, .is_taken = true},
        {.file = file, .line = 21, .side = 1, .n_sides = 2, .text = text, .why = why}};
    assert_int_equal(sto_session_sides(s, sides, 2, NULL), TD_OK);
    assert_int_equal(sto_session_sides(s, NULL, 0, NULL), TD_OK);
    sto_session_close(s);
    sto_past past;
    assert_int_equal(sto_past_read("figures", &past, NULL), TD_OK);
    assert_int_equal(past.samples.len, 3);
    assert_false(past.samples.at[1].has_left);
    assert_true(past.samples.at[2].has_left);
    assert_int_equal(past.samples.at[2].left_ms, 5);
    assert_int_equal(past.samples.at[2].ms, 200);
    assert_int_equal(past.stages.len, 1);
    assert_true(past.stages.at[0].seconds == 0.25 && past.stages.at[0].calls == 2);
    assert_int_equal(past.sides.len, 2);
    assert_true(past.sides.at[0].is_taken && !past.sides.at[1].is_taken);
    assert_string_equal(past.sides.at[1].text, "it's");
    assert_string_equal(past.sides.at[1].why, "not reached");
    assert_int_equal(past.sides.at[1].line, 21);
    sto_past_fini(&past);
    sto_session_close(open_session("figures", "bank")); /* begins anew */
}

static void test_session_numbers(void **state)
{
    (void)state;
    sto_session_close(open_session(NULL, "bank"));
    sto_session_close(open_session(NULL, "bank"));
    assert_int_equal(mkdir("treadle-out/bank.9", 0777), 0);
    sto_session *s = open_session(NULL, "bank");
    assert_string_equal(sto_session_dir(s), "treadle-out/bank.10");
    sto_session_close(s);
    s = open_session(NULL, "../odd name");
    assert_string_equal(sto_session_dir(s), "treadle-out/odd_name.1");
    sto_session_close(s);
    char link[100] = {0};
    assert_true(readlink("treadle-out/latest", link, sizeof link - 1) > 0);
    assert_string_equal(link, "odd_name.1");
}

static void test_session_dir(void **state)
{
    (void)state;
    sto_session *s = open_session("a/b/c", "bank");
    assert_string_equal(sto_session_dir(s), "a/b/c");
    add_finding(s);
    sto_session_close(s);
    check_file("a/b/c/assert-71c2.treadle", bank_text);
    assert_int_not_equal(access("treadle-out", F_OK), 0);
    sto_session_close(open_session("a/b/c", "bank")); /* again is fine */
}

static void check_not_created(const char *dir)
{
    td_diag diag = {0};
    sto_session *s = NULL;
    assert_int_not_equal(sto_session_create(dir, "bank", &s, &diag), TD_OK);
    assert_true(diag.text[0] != '\0');
    assert_null(s);
}

static void test_session_refused(void **state)
{
    (void)state;
    assert_int_equal(td_file_write("file", "x", 1, NULL), TD_OK);
    check_not_created("file");
    check_not_created("file/below");
    check_not_created("");
    assert_int_equal(mkdir("other", 0777), 0);
    assert_int_equal(td_file_write("other/session.db", "no database", 11, NULL), TD_OK);
    check_not_created("other");
    check_file("other/session.db", "no database");
}

static void check_found(const char *finding, const char *expected)
{
    td_diag diag = {0};
    char *path = NULL;
    td_status status = sto_find_recording(finding, &path, &diag);
    if (expected == NULL) {
        assert_int_equal(status, TD_E_USAGE);
        assert_true(diag.text[0] != '\0');
        return;
    }
    assert_int_equal(status, TD_OK);
    assert_string_equal(path, expected);
    td_free(path);
}

static void test_find(void **state)
{
    (void)state;
    check_found("assert-71c2", NULL);
    sto_session *s = open_session(NULL, "bank");
    add_finding(s);
    sto_session_close(s);
    check_found("assert-71c2", "treadle-out/latest/assert-71c2.treadle");
    check_found("treadle-out/bank.1/assert-71c2.treadle",
                "treadle-out/bank.1/assert-71c2.treadle");
    check_found("assert-0000", NULL);
    check_found("", NULL);
    check_found("treadle-out", NULL);
    check_found("../treadle-test/none", NULL);

    /* A newer session without it, then one that has it as well. */
    s = open_session(NULL, "other");
    sto_session_close(s);
    check_found("assert-71c2", "treadle-out/bank.1/assert-71c2.treadle");
    s = open_session(NULL, "bank");
    add_finding(s);
    sto_session_close(s);
    s = open_session(NULL, "other");
    sto_session_close(s);
    struct timespec old[2] = {{.tv_sec = 1}, {.tv_sec = 1}};
    assert_int_equal(
        utimensat(AT_FDCWD, "treadle-out/bank.1/assert-71c2.treadle", old, 0), 0);
    check_found("assert-71c2", "treadle-out/bank.2/assert-71c2.treadle");

    s = open_session("farm", "bank");
    add_finding(s);
    sto_session_close(s);
    setenv("TREADLE_OUT", "farm", 1);
    check_found("assert-71c2", "farm/assert-71c2.treadle");
    s = open_session(NULL, "bank");
    assert_string_equal(sto_session_dir(s), "farm/bank.1");
    sto_session_close(s);
    unsetenv("TREADLE_OUT");
}

#define IN_TEMP(f) cmocka_unit_test_setup_teardown(f, enter_temp, leave_temp)

/* ---- what must hold ---- */

static void test_recording_valid(void **state)
{
    static const char text[] = "treadle-recording 1\nprogram ./bank\n"
                               "input fee i8 -2 5d0c7be21f6a9034\nschedule main:2 T1:2\n";
    sto_recording r;
    char why[80] = "";
    assert_int_equal(sto_recording_parse(text, strlen(text), &r, NULL), TD_OK);
    assert_true(sto_recording_valid(&r, why, sizeof why));
    r.inputs.at[0].value |= 0x100; /* beyond its width */
    assert_false(sto_recording_valid(&r, why, sizeof why));
    assert_non_null(strstr(why, "an input"));
    r.inputs.at[0].value &= 0xff;
    r.schedule.at[1].count = UINT32_MAX;
    assert_false(sto_recording_valid(&r, why, sizeof why));
    assert_non_null(strstr(why, "a step"));
    sto_recording_fini(&r);
}

static void test_manifest_valid(void **state)
{
    static const char text[] = "treadle-suite 1\na --time=1s ./a\nb ./b 1\n";
    sto_manifest m;
    char why[80] = "";
    assert_int_equal(sto_manifest_parse(text, strlen(text), &m, NULL), TD_OK);
    assert_true(sto_manifest_valid(&m, why, sizeof why));
    m.harnesses.at[1].name[0] = 'a';
    assert_false(sto_manifest_valid(&m, why, sizeof why));
    assert_non_null(strstr(why, "O4"));
    sto_manifest_fini(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_recording_valid),
        cmocka_unit_test(test_manifest_valid),
        cmocka_unit_test(test_print),
        cmocka_unit_test(test_odd_words),
        cmocka_unit_test(test_long_schedule),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_weaker),
        cmocka_unit_test(test_repair),
        cmocka_unit_test(test_bad_steps),
        cmocka_unit_test(test_tolerated),
        cmocka_unit_test(test_inputs),
        cmocka_unit_test(test_many_bytes),
        cmocka_unit_test(test_causes),
        cmocka_unit_test(test_bad_causes),
        cmocka_unit_test(test_bad_inputs),
        cmocka_unit_test(test_too_many_inputs),
        cmocka_unit_test(test_given),
        cmocka_unit_test(test_mutations),
        cmocka_unit_test(test_manifest),
        cmocka_unit_test(test_bad_manifests),
        IN_TEMP(test_session),
        IN_TEMP(test_session_figures),
        IN_TEMP(test_past_refuses),
        IN_TEMP(test_session_numbers),
        IN_TEMP(test_session_dir),
        IN_TEMP(test_session_refused),
        IN_TEMP(test_find),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
