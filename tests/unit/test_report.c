/* SPDX-License-Identifier: Apache-2.0 */
/* The text of findings on runs made by hand, and the result of a session. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "report/formats/json_text.h"
#include "report/text/report_int.h"

/* ---- a program without a file ---- */

typedef struct fake {
    const trc_site *sites; /* number 1 is the first */
    uint32_t n_sites;
    const char *const *source; /* line 1 is the first */
    uint32_t n_lines;
    const char *const *objects; /* 16 bytes each, from OBJECTS on */
    uint32_t n_objects;
    const char *const *functions; /* from FUNCTIONS on */
    uint32_t n_functions;
    char name[64];
} fake;

#define OBJECTS UINT64_C(0x555555558000)
#define FUNCTIONS UINT64_C(0x555555555000)
#define HEAP UINT64_C(0x50000001000)

static const trc_site unknown = {.file = "?", .function = "?", .name = "", .callee = ""};

static trc_site fake_site(void *ctx, uint32_t number)
{
    const fake *f = ctx;
    return number >= 1 && number <= f->n_sites ? f->sites[number - 1] : unknown;
}

static trc_site fake_function(void *ctx, uint64_t address)
{
    const fake *f = ctx;
    trc_site site = unknown;
    if (address - FUNCTIONS < f->n_functions)
        site.function = f->functions[address - FUNCTIONS];
    return site;
}

static const char *fake_object(void *ctx, uint64_t address)
{
    fake *f = ctx;
    uint64_t at = address - OBJECTS;
    if (address < OBJECTS || at / 64 >= f->n_objects)
        return "";
    if (at % 64 == 0)
        return f->objects[at / 64];
    snprintf(f->name, sizeof f->name, "%s+%u", f->objects[at / 64], (unsigned)(at % 64));
    return f->name;
}

static const char *fake_source(void *ctx, const char *file, uint32_t line)
{
    const fake *f = ctx;
    (void)file;
    return line >= 1 && line <= f->n_lines ? f->source[line - 1] : NULL;
}

static rep_names names_of(fake *f)
{
    return (rep_names){f,           fake_site, fake_function, fake_object,
                       fake_source, NULL,      NULL,          NULL};
}

/* ---- a run made by hand ---- */

#define PREEMPTS 1000u /* added to a thread: it takes the place of one that could go on */

static void begin(trc *t)
{
    *t = (trc){.complete = true};
    td_text_put(&t->texts, "", 1);
    trc_thread_vec_push(&t->threads, (trc_thread){.create_op = UINT32_MAX});
}

static void end(trc *t)
{
    trc_op_vec_fini(&t->ops);
    trc_thread_vec_fini(&t->threads);
    trc_access_vec_fini(&t->accesses);
    trc_wait_vec_fini(&t->waits);
    trc_fail_vec_fini(&t->fails);
    td_text_fini(&t->texts);
}

static void op(trc *t, uint32_t thread, uint8_t kind, uint32_t site, uint64_t object,
               uint64_t value)
{
    trc_op_vec_push(&t->ops, (trc_op){.kind = kind,
                                      .size = 4,
                                      .n_bytes = 4,
                                      .order = __ATOMIC_SEQ_CST,
                                      .flags = thread >= PREEMPTS ? WIRE_F_PREEMPTS : 0,
                                      .thread = thread % PREEMPTS,
                                      .site = site,
                                      .object = object,
                                      .value = value});
}

static void create(trc *t, uint32_t site, uint64_t function, uint64_t arg)
{
    uint32_t thread = (uint32_t)t->threads.len;
    trc_thread_vec_push(&t->threads, (trc_thread){.create_site = site,
                                                  .create_op = (uint32_t)t->ops.len,
                                                  .start = FUNCTIONS + function,
                                                  .arg = arg});
    op(t, 0, WIRE_CREATE, site, 0, thread);
}

static void access_of(trc *t, uint32_t thread, uint32_t site, uint64_t object,
                      int64_t value, bool is_write, int64_t old)
{
    trc_access_vec_push(&t->accesses, (trc_access){.thread = thread,
                                                   .site = site,
                                                   .before_op = (uint32_t)t->ops.len,
                                                   .size = 4,
                                                   .is_write = is_write,
                                                   .object = object,
                                                   .value = (uint64_t)value,
                                                   .old = (uint64_t)old});
}

static void load(trc *t, uint32_t thread, uint32_t site, uint64_t object, int64_t value)
{
    access_of(t, thread, site, object, value, false, 0);
}

static void store(trc *t, uint32_t thread, uint32_t site, uint64_t object, int64_t value,
                  int64_t old)
{
    access_of(t, thread, site, object, value, true, old);
}

/* The cause that pages are told; kind REP_CAUSE_NONE: none. */
static rep_cause page_cause;

static char *render(const trc *t, const det_finding *f, fake *program, rep_opts opts)
{
    td_text out = {0};
    rep_names names = names_of(program);
    rep_finding finding = {.finding = f,
                           .cause = &page_cause,
                           .run = t,
                           .recording = "treadle-out/bank.1/assert-71c2.treadle",
                           .recording_bytes = 184};
    rep_finding_print(&finding, &names, &opts, NULL, &out);
    return out.at;
}

/* ---- what must hold of every page ---- */

static size_t count_lines(const char *text)
{
    size_t n = 0;
    for (; *text != '\0'; text++)
        n += *text == '\n';
    return n;
}

static void check_page(const char *text, size_t columns)
{
    size_t column = 0;
    const char *last = strstr(text, "\nSUMMARY: treadle: ");
    assert_non_null(last);
    for (const char *p = text; *p != '\0'; p++) {
        column = *p == '\n' ? 0 : column + 1;
        assert_true(column <= columns || p > last);
        assert_true(*p == '\n' || (*p >= ' ' && *p <= '~'));
    }
    assert_null(strstr(last, "..."));
    assert_true(strchr(last + 1, '\n')[1] == '\0');
}

static void check_text(char *text, const char *expected)
{
    if (strcmp(text, expected) != 0)
        fprintf(stderr, "--- got\n%s--- expected\n%s", text, expected);
    assert_string_equal(text, expected);
    td_free(text);
}

/* ---- bank: the example of the specification ---- */

enum { BALANCE = 0, MUTEX = 64 };
enum {
    GET_LOCK = 1,
    GET_READ,
    GET_UNLOCK,
    SET_LOCK,
    SET_WRITE,
    SET_UNLOCK,
    CREATE_1,
    CREATE_2,
    JOIN_1,
    JOIN_2,
    FINAL_READ,
    RETURN
};

static const trc_site bank_sites[] = {
    {"bank.c", "get", "m", "pthread_mutex_lock", 10, 5, WIRE_SITE_CALL, 0, 0, NULL},
    {"bank.c", "get", "balance", "", 11, 13, WIRE_SITE_READ, 4, WIRE_TYPE_SIGNED, NULL},
    {"bank.c", "get", "m", "pthread_mutex_unlock", 12, 5, WIRE_SITE_CALL, 0, 0, NULL},
    {"bank.c", "set", "m", "pthread_mutex_lock", 18, 5, WIRE_SITE_CALL, 0, 0, NULL},
    {"bank.c", "set", "balance", "", 19, 13, WIRE_SITE_WRITE, 4, WIRE_TYPE_SIGNED, NULL},
    {"bank.c", "set", "m", "pthread_mutex_unlock", 20, 5, WIRE_SITE_CALL, 0, 0, NULL},
    {"bank.c", "main", "t1", "pthread_create", 35, 5, WIRE_SITE_CALL, 0, 0, NULL},
    {"bank.c", "main", "t2", "pthread_create", 36, 5, WIRE_SITE_CALL, 0, 0, NULL},
    {"bank.c", "main", "", "pthread_join", 37, 5, WIRE_SITE_CALL, 0, 0, NULL},
    {"bank.c", "main", "", "pthread_join", 38, 5, WIRE_SITE_CALL, 0, 0, NULL},
    {"bank.c", "main", "balance", "", 39, 5, WIRE_SITE_READ, 4, WIRE_TYPE_SIGNED, NULL},
};

static const char *const bank_source[] = {"",
                                          "",
                                          "",
                                          "",
                                          "static int balance = 100;",
                                          "",
                                          "",
                                          "static int get(void)",
                                          "{",
                                          "pthread_mutex_lock(&m);",
                                          "int b = balance;",
                                          "pthread_mutex_unlock(&m);",
                                          "return b;",
                                          "}",
                                          "",
                                          "static void set(int b)",
                                          "{",
                                          "pthread_mutex_lock(&m);",
                                          "balance = b;",
                                          "pthread_mutex_unlock(&m);",
                                          "}",
                                          "",
                                          "",
                                          "",
                                          "",
                                          "",
                                          "",
                                          "",
                                          "",
                                          "",
                                          "",
                                          "",
                                          "",
                                          "",
                                          "pthread_create(&t1, NULL, teller, argv[1]);",
                                          "pthread_create(&t2, NULL, teller, argv[2]);",
                                          "pthread_join(t1, NULL);",
                                          "pthread_join(t2, NULL);",
                                          "assert(balance >= 0);"};

static const char *const bank_objects[] = {"balance", "m"};
static const char *const bank_functions[] = {"teller"};

static fake bank_program(void)
{
    return (fake){.sites = bank_sites,
                  .n_sites = sizeof bank_sites / sizeof bank_sites[0],
                  .source = bank_source,
                  .n_lines = sizeof bank_source / sizeof bank_source[0],
                  .objects = bank_objects,
                  .n_objects = 2,
                  .functions = bank_functions,
                  .n_functions = 1};
}

static void bank_get(trc *t, uint32_t thread, int value)
{
    op(t, thread, WIRE_LOCK, GET_LOCK, OBJECTS + MUTEX, 0);
    load(t, thread % PREEMPTS, GET_READ, OBJECTS + BALANCE, value);
    op(t, thread % PREEMPTS, WIRE_UNLOCK, GET_UNLOCK, OBJECTS + MUTEX, 0);
}

static void bank_set(trc *t, uint32_t thread, int value, int old)
{
    op(t, thread, WIRE_LOCK, SET_LOCK, OBJECTS + MUTEX, 0);
    store(t, thread % PREEMPTS, SET_WRITE, OBJECTS + BALANCE, value, old);
    op(t, thread % PREEMPTS, WIRE_UNLOCK, SET_UNLOCK, OBJECTS + MUTEX, 0);
}

static void bank_fail(trc *t, const char *expression)
{
    trc_fail_vec_push(&t->fails, (trc_fail){.kind = WIRE_FAIL_ASSERT,
                                            .site = FINAL_READ,
                                            .text = (uint32_t)t->texts.len,
                                            .after_op = (uint32_t)t->ops.len});
    td_text_put(&t->texts, expression, strlen(expression) + 1);
    t->done = WIRE_DONE_FAIL;
}

static void bank_run(trc *t)
{
    begin(t);
    create(t, CREATE_1, 0, HEAP);
    create(t, CREATE_2, 0, HEAP + 64);
    bank_get(t, 1, 100);
    bank_get(t, PREEMPTS + 2, 100);
    bank_get(t, 2, 100);
    bank_set(t, 2, 29, 100);
    op(t, 2, WIRE_END, 0, 0, 0);
    bank_get(t, 1, 29);
    bank_set(t, 1, -1, 29);
    op(t, 1, WIRE_END, 0, 0, 0);
    op(t, 0, WIRE_JOIN, JOIN_1, 0, 1);
    op(t, 0, WIRE_JOIN, JOIN_2, 0, 2);
    load(t, 0, FINAL_READ, OBJECTS + BALANCE, -1);
    bank_fail(t, "balance >= 0");
}

static rep_event event_of(const trc_access *x)
{
    return (rep_event){.thread = x->thread,
                       .site = x->site,
                       .kind = x->is_write ? WIRE_NOTE_WRITE : WIRE_NOTE_READ,
                       .in_run = true,
                       .op = x->before_op,
                       .object = x->object};
}

/* The first write of one thread came before the next access of another at a site. */
static void tell_order(const trc *t, uint32_t writer, uint32_t thread, uint32_t site)
{
    size_t w = 0, i = 0;
    while (t->accesses.at[w].thread != writer || !t->accesses.at[w].is_write)
        w++;
    for (i = w; t->accesses.at[i].thread != thread || t->accesses.at[i].site != site;)
        i++;
    page_cause = (rep_cause){.kind = REP_CAUSE_ORDER,
                             .first = event_of(&t->accesses.at[w]),
                             .second = event_of(&t->accesses.at[i]),
                             .n_kept = 7};
}

static char bank_c[] = "bank.c", main_function[] = "main";
static char bank_message[] = "assertion 'balance >= 0' failed";
static const det_finding bank_finding = {.kind = DET_ASSERT,
                                         .id = "assert-71c2",
                                         .file = bank_c,
                                         .function = main_function,
                                         .line = 39,
                                         .message = bank_message,
                                         .run = 15,
                                         .preemptions = 1};

static void test_bank_golden(void **state)
{
    (void)state;
    trc t;
    fake program = bank_program();
    bank_run(&t);
    tell_order(&t, 2, 1, GET_READ);
    char *text = render(&t, &bank_finding, &program, (rep_opts){0});
    page_cause = (rep_cause){0};
    check_page(text, 80);
    check_text(
        text,
        "==treadle== BUG assert-71c2 ================================ assertion failed "
        "==\n"
        "bank.c:39: error: assertion 'balance >= 0' failed   (balance = -1)\n"
        "\n"
        "SCHEDULE   1 preemption; 2 of 3 threads involved; showing 7 of 25 steps\n"
        "\n"
        "  #  T1 teller                            T2 teller\n"
        " --- ------------------------------------ ------------------------------------\n"
        "  1  11 int b = balance;  in get\n"
        "     11   balance -> 100\n"
        " ~~~ T1 preempted before bank.c:10; T2 runs "
        "~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~\n"
        "  2                                       11 int b = balance;  in get\n"
        "                                          11   balance -> 100\n"
        "  3                                       11 int b = balance;  in get\n"
        "                                          11   balance -> 100\n"
        "  4                                       19 balance = b;  in set\n"
        "                                          19   balance = 29 (was 100)\n"
        " --- T2 exits; T1 resumes "
        "-----------------------------------------------------\n"
        "  5  11 int b = balance;  in get\n"
        "     11   balance -> 29  <== #4 T2 (T1 had seen 100 at #1)\n"
        "  6  19 balance = b;  in set\n"
        "     19   balance = -1 (was 29)\n"
        " --- T1 exits; main resumes "
        "---------------------------------------------------\n"
        "  7  main: 39 assert(balance >= 0);\n"
        "           39   balance -> -1  <== #6 T1                          <<< FAILS "
        "HERE\n"
        " Hidden: 12 uncontended lock/unlock of 'm', 6 create/join/exit\n"
        " (treadle show --full)\n"
        "\n"
        "WHY        T2's write to balance at bank.c:19 (#4) comes between T1's read\n"
        "           at bank.c:11 (#1) and T1's read at bank.c:11 (#5). In the other "
        "order\n"
        "           the run passes; in this one all 7 continuations that were run fail.\n"
        "           No data race in this run.\n"
        "THREADS    T1 created at bank.c:35 in main, T2 at bank.c:36\n"
        "Replay     treadle replay assert-71c2\n"
        "Debug      treadle replay --gdb assert-71c2\n"
        "Share      treadle-out/bank.1/assert-71c2.treadle   (text, 184 bytes)\n"
        "Web page   treadle show --html assert-71c2\n"
        "SUMMARY: treadle: assertion failed bank.c:39 in main (1 preemption)\n");
    end(&t);
}

/* ---- inputs ---- */

static char *render_inputs(rep_inputs in, rep_opts opts)
{
    trc t;
    fake program = bank_program();
    rep_names names = names_of(&program);
    bank_run(&t);
    td_text out = {0};
    rep_finding finding = {.finding = &bank_finding, .run = &t, .inputs = in};
    rep_finding_print(&finding, &names, &opts, NULL, &out);
    end(&t);
    return out.at;
}

/* The section about inputs, without the rest of the page. */
static void check_inputs(rep_inputs in, rep_opts opts, const char *expected)
{
    char *text = render_inputs(in, opts);
    if (!opts.full)
        check_page(text, opts.columns ? opts.columns : 80);
    char *start = strstr(text, "CHOSEN "), *stop = strstr(text, "SCHEDULE");
    if (!in.choices)
        start = strstr(text, "INPUT ");
    assert_non_null(start);
    assert_true(start < stop);
    *stop = '\0';
    assert_string_equal(start, expected);
    free(text);
}

static void test_inputs(void **state)
{
    (void)state;
    static const rep_input two[] = {
        {.name = "amount", .value = 0xfffffffd, .bits = 32, .sign = WIRE_SIGNED},
        {.name = "fee", .value = 3000000000, .bits = 32, .sign = WIRE_UNSIGNED},
        {.name = "mask", .value = 0xdeadbeef, .bits = 32},
        {.name = "c", .value = 'G', .bits = 8},
    };
    check_inputs((rep_inputs){two, 2, "amount > 30 && fee == 2", NULL}, (rep_opts){0},
                 "INPUT      amount = -3, fee = 3000000000\n"
                 "           fails when amount > 30 && fee == 2\n");
    /* What the library chose is no input. */
    check_inputs((rep_inputs){two, 0, NULL, "spurious wakeup"}, (rep_opts){0},
                 "CHOSEN     spurious wakeup\n");
    check_inputs((rep_inputs){two + 2, 2, NULL, NULL}, (rep_opts){0},
                 "INPUT      mask = 0xdeadbeef, c = 71 'G'\n");

    /* Bytes are one text; what matters comes first. */
    char names[100][16];
    rep_input bytes[100];
    for (unsigned i = 0; i < 100; i++) {
        snprintf(names[i], sizeof names[i], i < 60 ? "line[%u]" : "x%u", i);
        bytes[i] = (rep_input){.name = names[i], .value = 'a' + i % 26, .bits = 8};
    }
    bytes[2].value = ' ';
    bytes[3].value = '"';
    bytes[4].value = 0;
    bytes[99].matters = true;
    check_inputs((rep_inputs){bytes, 5, "", NULL}, (rep_opts){0},
                 "INPUT      line = \"ab \\\"\\x00\"\n");
    check_inputs(
        (rep_inputs){bytes, 100, "", NULL}, (rep_opts){0},
        "INPUT      x99 = 118 'v', line = \"ab \\\"\\x00fghijklmnopqrstuvwx\"... "
        "(60 bytes),\n"
        "           x60 = 105 'i', x61 = 106 'j', x62 = 107 'k', x63 = 108 'l',\n"
        "           x64 = 109 'm', x65 = 110 'n' ... and 33 more\n");
}

/* Broken and cut between comparisons. */
static void test_conditions(void **state)
{
    (void)state;
    static const rep_input one = {.name = "n", .bits = 32};
    td_text condition = {0};
    for (int i = 0; i < 60; i++)
        td_text_add(&condition, "%sa_name%d != %d", i ? " && " : "", i, 1000 * i);
    char *text = render_inputs((rep_inputs){&one, 1, condition.at, NULL}, (rep_opts){0});
    check_page(text, 80);
    char *at = strstr(text, "fails when ");
    for (int i = 0; i < 3; i++) {
        char *end_of_line = strchr(at, '\n');
        assert_memory_equal(end_of_line + 1, "           && a_name", 20);
        at = end_of_line + 1;
    }
    assert_memory_equal(strstr(at, "SCHEDULE") - 8, " && ...\n", 8);
    free(text);
    text = render_inputs((rep_inputs){&one, 1, condition.at, NULL},
                         (rep_opts){.full = true});
    assert_non_null(strstr(text, "a_name59 != 59000\n"));
    free(text);
    td_text_clear(&condition);
    for (int i = 0; i < 500; i++) /* no place to break it */
        td_text_add(&condition, "x");
    text = render_inputs((rep_inputs){&one, 1, condition.at, NULL},
                         (rep_opts){.columns = 60});
    check_page(text, 60);
    free(text);
    td_text_fini(&condition);
}

static void print_decision(void *ctx, uint32_t op_index, td_text *out)
{
    td_text_add(out, "%s %u", (const char *)ctx, op_index);
}

/* The last decision of the failing thread is shown, the others are counted. */
static void test_decisions(void **state)
{
    (void)state;
    trc t;
    fake program = bank_program();
    rep_names names = names_of(&program);
    begin(&t);
    for (int i = 0; i < 5; i++)
        op(&t, 0, WIRE_DECIDE, 12, (uint64_t)i + 1, 1);
    bank_fail(&t, "balance >= 0");
    char known[] = "amount > 30 &&";
    td_text out = {0};
    rep_finding finding = {.finding = &bank_finding,
                           .run = &t,
                           .decisions = {print_decision, known}};
    rep_finding_print(&finding, &names, &(rep_opts){0}, NULL, &out);
    check_page(out.at, 80);
    assert_non_null(strstr(out.at, "decides amount > 30 && 4"));
    assert_null(strstr(out.at, "decides amount > 30 && 3"));
    assert_non_null(strstr(out.at, " Hidden: 4 decisions "));
    td_text_fini(&out);
    end(&t);
}

static void test_bank_full(void **state)
{
    (void)state;
    trc t;
    fake program = bank_program();
    bank_run(&t);
    char *text = render(&t, &bank_finding, &program, (rep_opts){.full = true});
    check_page(text, 80);
    assert_non_null(strstr(text, "showing 25 of 25 steps"));
    assert_non_null(strstr(text, "lock m  got it"));
    assert_non_null(strstr(text, "create T1"));
    assert_null(strstr(text, "Hidden"));
    td_free(text);
    end(&t);
}

/* Colour changes nothing but colour. */
static void test_colour(void **state)
{
    (void)state;
    trc t;
    fake program = bank_program();
    bank_run(&t);
    char *plain = render(&t, &bank_finding, &program, (rep_opts){0});
    char *text = render(&t, &bank_finding, &program, (rep_opts){.colour = true});
    char *to = text;
    assert_non_null(strchr(text, '\033'));
    for (const char *p = text; *p != '\0'; p++) {
        if (*p == '\033')
            p = strchr(p, 'm');
        else
            *to++ = *p;
    }
    *to = '\0';
    assert_string_equal(text, plain);
    td_free(text);
    td_free(plain);
    end(&t);
}

/* Two tellers who both check, then both write: the first write is lost. */
static void test_lost_update(void **state)
{
    (void)state;
    trc t;
    fake program = bank_program();
    begin(&t);
    create(&t, CREATE_1, 0, 1);
    create(&t, CREATE_2, 0, 2);
    bank_get(&t, 1, 100);
    bank_get(&t, PREEMPTS + 2, 100);
    bank_set(&t, 2, 50, 100);
    bank_set(&t, PREEMPTS + 1, 70, 50);
    op(&t, 1, WIRE_END, 0, 0, 0);
    op(&t, 2, WIRE_END, 0, 0, 0);
    op(&t, 0, WIRE_JOIN, JOIN_1, 0, 1);
    load(&t, 0, FINAL_READ, OBJECTS + BALANCE, 70);
    bank_fail(&t, "balance == 20");
    tell_order(&t, 2, 1, SET_WRITE);
    char *text = render(&t, &bank_finding, &program, (rep_opts){0});
    page_cause = (rep_cause){0};
    check_page(text, 80);
    assert_non_null(strstr(text, "T1 teller(1)"));
    assert_non_null(strstr(text, "balance = 70 (was 50, not 100 as read at #1)"));
    assert_non_null(
        strstr(text, "T2's write to balance at bank.c:19 (#3) comes between"));
    assert_non_null(strstr(text, "(check-then-act)"));
    td_free(text);
    end(&t);
}

/* However long the run, a page; the first and the last steps are on it. */
static void test_long_run(void **state)
{
    (void)state;
    trc t;
    fake program = bank_program();
    begin(&t);
    create(&t, CREATE_1, 0, 0);
    create(&t, CREATE_2, 0, 0);
    for (int i = 0; i < 300; i++)
        bank_set(&t, PREEMPTS + 1 + (uint32_t)i % 2, i + 1, i);
    load(&t, 0, FINAL_READ, OBJECTS + BALANCE, 300);
    bank_fail(&t, "balance == 0");
    for (uint32_t columns = 60; columns <= 160; columns += 20) {
        char *text = render(&t, &bank_finding, &program, (rep_opts){.columns = columns});
        check_page(text, columns);
        assert_true(count_lines(text) <= REP_MAX_LINES);
        assert_true(count_lines(text) >= REP_MAX_LINES - 4);
        assert_non_null(strstr(text, "balance = 1 (was 0)"));
        assert_non_null(strstr(text, "balance = 300 (was 299)"));
        assert_non_null(strstr(text, " steps ..."));
        td_free(text);
    }
    det_finding far = bank_finding;
    far.file = "some/long/path/to/the/sources/of/a/project/with/many/folders/bank.c";
    char *text = render(&t, &far, &program, (rep_opts){.columns = 60});
    assert_null(strstr(text, far.file));
    td_free(text);
    text = render(&t, &far, &program, (rep_opts){.columns = 60, .whole_error = true});
    const char *line = strstr(text, far.file);
    assert_non_null(line);
    assert_ptr_equal(strstr(line, "bank.c:39: error: assertion"),
                     strstr(line, "bank.c:"));
    assert_true(strcspn(line, "\n") > 60 + strlen(": error: "));
    td_free(text);
    char *all = render(&t, &bank_finding, &program, (rep_opts){.full = true});
    check_page(all, 80);
    assert_true(count_lines(all) > 1800);
    td_free(all);
    end(&t);
}

/* A loop that reads the same again and again is one row. */
static void test_spin(void **state)
{
    (void)state;
    trc t;
    fake program = bank_program();
    begin(&t);
    create(&t, CREATE_1, 0, 0);
    store(&t, 1, SET_WRITE, OBJECTS + BALANCE, 7, 0);
    op(&t, 1, WIRE_END, 0, 0, 0);
    for (int i = 0; i < 50; i++)
        load(&t, 0, FINAL_READ, OBJECTS + BALANCE, 7);
    bank_fail(&t, "balance == 0");
    char *text = render(&t, &bank_finding, &program, (rep_opts){0});
    check_page(text, 80);
    assert_non_null(strstr(text, "balance -> 7  <== #1 T1  x50"));
    td_free(text);
    end(&t);
}

/* More threads than there is room for columns: one column, every step names its thread.
 * What a lost write needs is on the page, however far from the end. */
static void test_many_threads(void **state)
{
    (void)state;
    trc t;
    fake program = bank_program();
    begin(&t);
    for (uint64_t i = 1; i <= 6; i++)
        create(&t, CREATE_1, 0, i);
    bank_get(&t, 5, 0);
    bank_set(&t, PREEMPTS + 6, 5, 0);
    bank_set(&t, PREEMPTS + 5, 1, 5);
    for (int i = 1; i < 100; i++)
        bank_set(&t, PREEMPTS + 1 + (uint32_t)i % 4, i + 1, i);
    load(&t, 0, FINAL_READ, OBJECTS + BALANCE, 100);
    bank_fail(&t, "balance == 105");
    tell_order(&t, 6, 5, SET_WRITE);
    char *text = render(&t, &bank_finding, &program, (rep_opts){0});
    page_cause = (rep_cause){0};
    check_page(text, 80);
    assert_true(count_lines(text) <= REP_MAX_LINES);
    assert_non_null(strstr(text, "T5: 11 int b = balance;"));
    assert_non_null(strstr(text, "balance = 1 (was 5, not 0 as read at #1)"));
    assert_non_null(strstr(text, "main: 39 assert(balance >= 0);"));
    assert_non_null(strstr(text, "WHY        T6's write to balance at bank.c:19 (#2)"));
    td_free(text);
    end(&t);
}

/* The value of a pthread_t is its thread; main has a column where there is room. */
static void test_handle(void **state)
{
    (void)state;
    trc t;
    fake program = bank_program();
    begin(&t);
    create(&t, CREATE_1, 0, 0);
    trc_access_vec_push(&t.accesses, (trc_access){.site = CREATE_1,
                                                  .before_op = 1,
                                                  .size = 8,
                                                  .is_write = true,
                                                  .object = HEAP,
                                                  .value = UINT64_C(0x10008000000)});
    bank_set(&t, 1, 3, 0);
    load(&t, 0, FINAL_READ, OBJECTS + BALANCE, 3);
    bank_fail(&t, "balance == 0");
    char *text = render(&t, &bank_finding, &program, (rep_opts){.full = true});
    check_page(text, 80);
    assert_non_null(strstr(text, "t1 = T1 (was 0)"));
    assert_non_null(
        strstr(text, "  #  main                                 T1 teller\n"));
    td_free(text);
    end(&t);
}

/* ---- deadlock: two transfers in opposite directions ---- */

enum { LOCK_FIRST = 1, LOCK_SECOND, XFER_CREATE_1, XFER_CREATE_2, XFER_JOIN };

static const trc_site xfer_sites[] = {
    {"xfer.c", "move", "from->lock", "pthread_mutex_lock", 2, 5, WIRE_SITE_CALL, 0, 0,
     NULL},
    {"xfer.c", "move", "to->lock", "pthread_mutex_lock", 3, 5, WIRE_SITE_CALL, 0, 0,
     NULL},
    {"xfer.c", "main", "t1", "pthread_create", 6, 5, WIRE_SITE_CALL, 0, 0, NULL},
    {"xfer.c", "main", "t2", "pthread_create", 7, 5, WIRE_SITE_CALL, 0, 0, NULL},
    {"xfer.c", "main", "", "pthread_join", 8, 5, WIRE_SITE_CALL, 0, 0, NULL},
};
static const char *const xfer_source[] = {"{",
                                          "pthread_mutex_lock(&from->lock);",
                                          "pthread_mutex_lock(&to->lock);",
                                          "",
                                          "",
                                          "pthread_create(&t1, NULL, there, &x);",
                                          "pthread_create(&t2, NULL, back, &x);",
                                          "pthread_join(t1, NULL);"};
static const char *const xfer_functions[] = {"there", "back"};
static char xfer_c[] = "xfer.c", move_function[] = "move";
static char xfer_message[] =
    "deadlock: 2 threads wait for each other, main waits in join";
static const det_finding xfer_finding = {.kind = DET_DEADLOCK,
                                         .id = "deadlock-5d10",
                                         .file = xfer_c,
                                         .function = move_function,
                                         .line = 3,
                                         .message = xfer_message,
                                         .thread = 1,
                                         .fail = UINT32_MAX};

static fake xfer_program(void)
{
    return (fake){.sites = xfer_sites,
                  .n_sites = 5,
                  .source = xfer_source,
                  .n_lines = 8,
                  .functions = xfer_functions,
                  .n_functions = 2};
}

static void wait_for(trc *t, uint32_t thread, uint8_t kind, uint32_t site,
                     uint64_t object, uint32_t other)
{
    trc_wait_vec_push(&t->waits, (trc_wait){.thread = thread,
                                            .site = site,
                                            .kind = kind,
                                            .object = object,
                                            .other = other});
}

static void test_deadlock_golden(void **state)
{
    (void)state;
    trc t;
    fake program = xfer_program();
    uint64_t a = HEAP, b = HEAP + 128;
    begin(&t);
    create(&t, XFER_CREATE_1, 0, a);
    create(&t, XFER_CREATE_2, 1, a);
    op(&t, 1, WIRE_LOCK, LOCK_FIRST, a, 0);
    op(&t, PREEMPTS + 2, WIRE_LOCK, LOCK_FIRST, b, 0);
    wait_for(&t, 0, WIRE_JOIN, XFER_JOIN, 0, 1);
    wait_for(&t, 1, WIRE_LOCK, LOCK_SECOND, b, 2);
    wait_for(&t, 2, WIRE_LOCK, LOCK_SECOND, a, 1);
    t.done = WIRE_DONE_DEADLOCK;
    char *text = render(&t, &xfer_finding, &program, (rep_opts){0});
    check_page(text, 80);
    check_text(
        text,
        "==treadle== BUG deadlock-5d10 ====================================== deadlock "
        "==\n"
        "xfer.c:3: error: deadlock: 2 threads wait for each other, main waits in join\n"
        "  T1 there  holds from->lock@1 taken xfer.c:2  wants from->lock@2 at xfer.c:3\n"
        "  T2 back   holds from->lock@2 taken xfer.c:2  wants from->lock@1 at xfer.c:3\n"
        "  main      joins T1 at xfer.c:8\n"
        "\n"
        "SCHEDULE   1 preemption; 2 of 3 threads involved; showing 4 of 7 steps\n"
        "\n"
        "  #  T1 there                             T2 back\n"
        " --- ------------------------------------ ------------------------------------\n"
        "  1  2 pthread_mutex_lock(&from->lock);  in move\n"
        "     2   lock from->lock@1  got it\n"
        " ~~~ T1 preempted before xfer.c:3; T2 runs "
        "~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~\n"
        "  2                                       2 pthread_mutex_lock(&fr...  in move\n"
        "                                          2   lock from->lock@2  got it\n"
        "  3                                       3 pthread_mutex_lock(&to...  in move\n"
        "                                          3   lock from->lock@1  WAITS for T1\n"
        " --- T2 waits; T1 resumes "
        "-----------------------------------------------------\n"
        "  4  3 pthread_mutex_lock(&to->lock);  in move\n"
        "     3   lock from->lock@2  WAITS for T2                          <<< STUCK "
        "HERE\n"
        " Hidden: 2 create/join/exit (treadle show --full)\n"
        " x@2: the second object named 'x'\n"
        "\n"
        "WHY        Circular wait: T1 holds from->lock@1 (xfer.c:2) and waits for T2\n"
        "           at xfer.c:3; T2 holds from->lock@2 (xfer.c:2) and waits for T1\n"
        "           at xfer.c:3.\n"
        "THREADS    T1 created at xfer.c:6 in main, T2 at xfer.c:7\n"
        "Replay     treadle replay deadlock-5d10\n"
        "Debug      treadle replay --gdb deadlock-5d10\n"
        "Share      treadle-out/bank.1/assert-71c2.treadle   (text, 184 bytes)\n"
        "Web page   treadle show --html deadlock-5d10\n"
        "SUMMARY: treadle: deadlock xfer.c:3 in move (from->lock@1, from->lock@2)\n");
    end(&t);
}

/* ---- data race ---- */

enum { RING_WRITE = 1, RING_READ, RING_LOCK, RING_CREATE };

static const trc_site ring_sites[] = {
    {"ring.c", "producer", "ring.tail", "", 2, 1, WIRE_SITE_WRITE, 4, WIRE_TYPE_UNSIGNED,
     NULL},
    {"ring.c", "consumer", "ring.tail", "", 5, 1, WIRE_SITE_READ, 4, WIRE_TYPE_UNSIGNED,
     NULL},
    {"ring.c", "consumer", "ring.lock", "pthread_mutex_lock", 4, 1, WIRE_SITE_CALL, 0, 0,
     NULL},
    {"ring.c", "main", "t", "pthread_create", 8, 1, WIRE_SITE_CALL, 0, 0, NULL},
};
static const char *const ring_source[] = {"{", "ring.tail = t + 1;", "{",
                                          "pthread_mutex_lock(&ring.lock);",
                                          "while (ring.head == ring.tail)"};
static const char *const ring_functions[] = {"producer", "consumer"};
static char ring_c[] = "ring.c", producer[] = "producer", consumer[] = "consumer";
static char ring_message[] = "data race on 'ring.tail'";
static const det_finding ring_finding = {.kind = DET_RACE,
                                         .id = "race-0b4e",
                                         .file = ring_c,
                                         .function = consumer,
                                         .line = 5,
                                         .message = ring_message,
                                         .other_file = ring_c,
                                         .other_function = producer,
                                         .other_line = 2,
                                         .thread = 2};

static void test_race_golden(void **state)
{
    (void)state;
    trc t;
    fake program = {.sites = ring_sites,
                    .n_sites = 4,
                    .source = ring_source,
                    .n_lines = 5,
                    .functions = ring_functions,
                    .n_functions = 2};
    begin(&t);
    create(&t, RING_CREATE, 0, 0);
    create(&t, RING_CREATE, 1, 0);
    store(&t, 1, RING_WRITE, HEAP, 1, 0);
    op(&t, 1, WIRE_END, 0, 0, 0);
    op(&t, 2, WIRE_LOCK, RING_LOCK, HEAP + 64, 0);
    trc_fail_vec_push(&t.fails, (trc_fail){.kind = WIRE_FAIL_RACE,
                                           .thread = 2,
                                           .site = RING_READ,
                                           .size = 4,
                                           .object = HEAP,
                                           .other_thread = 1,
                                           .other_site = RING_WRITE,
                                           .other_is_write = true,
                                           .after_op = (uint32_t)t.ops.len});
    t.done = WIRE_DONE_FAIL;
    char *text = render(&t, &ring_finding, &program, (rep_opts){0});
    check_page(text, 80);
    check_text(
        text,
        "==treadle== BUG race-0b4e ========================================= data race "
        "==\n"
        "ring.c:5: error: data race on 'ring.tail'\n"
        "\n"
        "SCHEDULE   0 preemptions; 2 of 3 threads involved; showing 2 of 5 steps\n"
        "\n"
        "  #  T1 producer                          T2 consumer\n"
        " --- ------------------------------------ ------------------------------------\n"
        "  1  2 ring.tail = t + 1;\n"
        "     2   ring.tail = 1 (was 0)\n"
        "         holds: nothing\n"
        " --- T1 and T2 are not ordered here: no common lock, atomic or join "
        "-----------\n"
        "  2                                       5 while (ring.head == ring.tail)\n"
        "                                          5   ring.tail is read  <== #1 T1\n"
        "                                              holds: ring.lock (ring.c:4)\n"
        " Hidden: 1 uncontended lock/unlock of 'ring.lock', 3 create/join/exit\n"
        " (treadle show --full)\n"
        "\n"
        "THREADS    T1, T2 created at ring.c:8 in main\n"
        "Replay     treadle replay race-0b4e\n"
        "Debug      treadle replay --gdb race-0b4e\n"
        "Share      treadle-out/bank.1/assert-71c2.treadle   (text, 184 bytes)\n"
        "Web page   treadle show --html race-0b4e\n"
        "SUMMARY: treadle: data race ring.c:5 in consumer / ring.c:2 in producer\n");
    end(&t);
}

/* ---- values and names ---- */

static void check_value(uint32_t type, unsigned size, uint64_t value,
                        const char *expected)
{
    static const trc no_run;
    fake program = bank_program();
    rep_names names = names_of(&program);
    rep_labels labels = {.names = &names, .run = &no_run};
    trc_site site = {.type = type};
    td_text out = {0};
    rep_print_value(&labels, &site, size, value, &out);
    assert_string_equal(out.at, expected);
    td_text_fini(&out);
    rep_labels_fini(&labels);
}

static void test_values(void **state)
{
    (void)state;
    check_value(WIRE_TYPE_SIGNED, 4, 0xffffffff, "-1");
    check_value(WIRE_TYPE_SIGNED, 8, UINT64_MAX, "-1");
    check_value(WIRE_TYPE_SIGNED, 1, 0x80, "-128");
    check_value(WIRE_TYPE_UNSIGNED, 4, 0xffffffffff, "4294967295");
    check_value(WIRE_TYPE_UNSIGNED, 8, UINT64_MAX, "18446744073709551615");
    check_value(WIRE_TYPE_BOOL, 1, 1, "true");
    check_value(WIRE_TYPE_BOOL, 1, 0x100, "false");
    check_value(WIRE_TYPE_CHAR, 1, 'x', "'x'");
    check_value(WIRE_TYPE_CHAR, 1, 0xff, "-1");
    check_value(WIRE_TYPE_POINTER, 8, 0, "NULL");
    check_value(WIRE_TYPE_POINTER, 8, OBJECTS, "&balance");
    check_value(WIRE_TYPE_POINTER, 8, OBJECTS + 72, "&m+8");
    check_value(WIRE_TYPE_POINTER, 8, HEAP, "P1");
    check_value(WIRE_TYPE_FLOAT, 4, 0x3fc00000, "1.5");
    check_value(WIRE_TYPE_FLOAT, 8, UINT64_C(0x3ff8000000000000), "1.5");
    check_value(WIRE_TYPE_UNKNOWN, 4, 0xfffffffe, "-2");
    check_value(WIRE_TYPE_UNKNOWN, 4, 0x80000000, "2147483648");
    check_value(WIRE_TYPE_SIGNED, 16, 5, "(16 bytes)");
    check_value(WIRE_TYPE_SIGNED, 0, 5, "(0 bytes)");
}

static void check_name(const char *site_name, uint64_t object, uint8_t kind,
                       const char *expected)
{
    trc t;
    fake program = bank_program();
    trc_site site = bank_sites[GET_READ - 1];
    site.name = site_name;
    program.sites = &site;
    program.n_sites = 1;
    rep_names names = names_of(&program);
    rep_finding f = {.finding = &bank_finding, .run = &t};
    rep_story story;
    rep_labels labels;
    td_text out = {0};
    begin(&t);
    op(&t, 0, kind, 1, object, 0);
    rep_story_init(&story, &f, &names);
    rep_labels_init(&labels, &story);
    rep_print_object(&labels, object, &out);
    assert_string_equal(out.at, expected);
    td_text_fini(&out);
    rep_labels_fini(&labels);
    rep_story_fini(&story);
    end(&t);
}

static void test_names(void **state)
{
    (void)state;
    check_name("x.y", HEAP, WIRE_LOAD, "x.y");
    check_name("q->head", HEAP, WIRE_LOAD, "q->head");
    check_name("q->head", OBJECTS + 8, WIRE_LOAD, "balance+8");
    check_name("balance[]", OBJECTS + 8, WIRE_LOAD, "balance[2]");
    check_name("balance[]", OBJECTS + 9, WIRE_LOAD, "balance+9");
    check_name("m[]", OBJECTS + 64, WIRE_LOCK, "m[0]");
    check_name("", OBJECTS + 64, WIRE_LOCK, "m");
    check_name("", HEAP, WIRE_LOAD, "block");
    check_name("na\303\257ve\n", HEAP, WIRE_LOAD, "na??ve?");
}

/* ---- any run ---- */

static uint8_t random_kind(td_rng *rng)
{
    return (uint8_t)(1 + td_rng_below(rng, WIRE_N_OPS - 1));
}

static void random_run(td_rng *rng, trc *t)
{
    begin(t);
    uint64_t n_threads = td_rng_below(rng, 8), n = td_rng_below(rng, 120);
    for (uint64_t i = 0; i < n_threads; i++)
        create(t, CREATE_1, td_rng_below(rng, 2), td_rng_below(rng, 3) * HEAP);
    for (uint64_t i = 0; i < n; i++) {
        uint32_t thread = (uint32_t)td_rng_below(rng, n_threads + 1);
        uint32_t site = (uint32_t)td_rng_below(rng, RETURN + 1);
        uint64_t object = (td_rng_next(rng) & 1 ? OBJECTS : HEAP) + td_rng_below(rng, 40);
        if (td_rng_next(rng) & 1)
            op(t, thread + (td_rng_next(rng) & 1 ? PREEMPTS : 0), random_kind(rng), site,
               object, td_rng_below(rng, 9));
        else
            access_of(t, thread, site, object, (int64_t)td_rng_next(rng),
                      td_rng_next(rng) & 1, (int64_t)td_rng_below(rng, 3));
        if (td_rng_below(rng, 20) == 0)
            wait_for(t, thread, random_kind(rng), site, object,
                     td_rng_next(rng) & 1 ? UINT32_MAX
                                          : (uint32_t)td_rng_below(rng, n_threads + 1));
    }
    for (int i = 0; i < 3; i++)
        trc_fail_vec_push(&t->fails,
                          (trc_fail){.kind = WIRE_FAIL_RACE,
                                     .thread = (uint32_t)td_rng_below(rng, n_threads + 2),
                                     .site = (uint32_t)td_rng_below(rng, RETURN),
                                     .size = (uint8_t)td_rng_below(rng, 20),
                                     .object = OBJECTS + td_rng_below(rng, 40),
                                     .other_thread =
                                         (uint32_t)td_rng_below(rng, n_threads + 2),
                                     .other_site = (uint32_t)td_rng_below(rng, RETURN),
                                     .after_op = (uint32_t)td_rng_below(rng, 200)});
}

static void test_random_runs(void **state)
{
    (void)state;
    td_rng rng = {1};
    fake program = bank_program();
    for (int i = 0; i < 1500; i++) {
        trc t;
        random_run(&rng, &t);
        det_finding f = bank_finding;
        f.kind = (det_kind)td_rng_below(&rng, DET_N_KINDS);
        f.thread = (uint32_t)td_rng_below(&rng, 9);
        f.fail = (uint32_t)td_rng_below(&rng, 4);
        if (td_rng_below(&rng, 8) == 0)
            f.file = f.function = f.message = NULL;
        rep_opts opts = {.columns = (uint32_t)(60 + td_rng_below(&rng, 100)),
                         .full = td_rng_below(&rng, 4) == 0};
        char *text = render(&t, &f, &program, opts);
        char *again = render(&t, &f, &program, opts);
        check_page(text, opts.columns);
        if (!opts.full)
            assert_true(count_lines(text) <= REP_MAX_LINES);
        assert_string_equal(text, again);
        td_free(text);
        td_free(again);
        end(&t);
    }
}

/* ---- result ---- */

/* Skips one JSON value; NULL if there is none. Enough to tell JSON from what is not. */
static const char *json_value(const char *p);

static const char *json_blanks(const char *p)
{
    while (*p == ' ' || *p == '\n')
        p++;
    return p;
}

static const char *json_string(const char *p)
{
    for (p++; *p != '"'; p++) {
        if ((unsigned char)*p < 0x20)
            return NULL;
        if (*p != '\\')
            continue;
        p++;
        if (*p == 'u') {
            for (int i = 0; i < 4; i++)
                if (strchr("0123456789abcdef", *++p) == NULL || *p == '\0')
                    return NULL;
        } else if (*p == '\0' || strchr("\"\\nt", *p) == NULL) {
            return NULL;
        }
    }
    return p + 1;
}

static const char *json_list(const char *p, char close)
{
    p = json_blanks(p + 1);
    if (*p == close)
        return p + 1;
    for (;;) {
        if (close == '}') {
            p = *p == '"' ? json_string(p) : NULL;
            if (p == NULL || *p != ':')
                return NULL;
            p = json_blanks(p + 1);
        }
        p = json_value(p);
        if (p == NULL)
            return NULL;
        p = json_blanks(p);
        if (*p == close)
            return p + 1;
        if (*p != ',')
            return NULL;
        p = json_blanks(p + 1);
    }
}

static const char *json_value(const char *p)
{
    p = json_blanks(p);
    if (*p == '"')
        return json_string(p);
    if (*p == '{')
        return json_list(p, '}');
    if (*p == '[')
        return json_list(p, ']');
    if (strncmp(p, "null", 4) == 0)
        return p + 4;
    p += *p == '-';
    size_t n = strspn(p, "0123456789.");
    return n > 0 ? p + n : NULL;
}

static char gap_kind[] = "not modelled", gap_file[] = "src/log.c";
static char gap_text[] = "pthread_cond_wait", no_text[] = "";
static char gap_runs[] = "run limit";
static char odd_message[] =
    "quote \" backslash \\ tab \t bell \a \303\244 \377 \355\240\200";
static char recording_path[] = "treadle-out/bank.1/assert-71c2.treadle";
static char *const recordings[] = {recording_path, recording_path};

static rep_result result_of(const det_ledger *ledger, const det_finding *findings)
{
    return (rep_result){.version = "0.1.0",
                        .program = "./bank 30 71",
                        .goal = "states",
                        .search = "all",
                        .verdict =
                            findings != NULL ? REP_VERDICT_BUG : REP_VERDICT_COMPLETE,
                        .runs = 1234567,
                        .events = 60,
                        .traces = 8,
                        .traces_counted = true,
                        .events_counted = true,
                        .covers = "every interleaving was run",
                        .digest = {UINT64_C(0x0123456789abcdef), 0x5f0c},
                        .findings = findings,
                        .recordings = recordings,
                        .n_findings = findings != NULL ? 2 : 0,
                        .ledger = ledger,
                        .seconds = 0.5};
}

static void assert_farm(rep_farm farm, const char *text)
{
    td_text out = {0};
    rep_result r = result_of(NULL, NULL);
    r.farm = farm;
    rep_result_text(&r, &(rep_opts){.columns = 200}, &out);
    if (text)
        assert_non_null(strstr(out.at, text));
    else
        assert_null(strstr(out.at, "farm"));
    td_text_fini(&out);
    rep_result_json(&r, &out);
    assert_string_equal(json_value(out.at), "\n");
    assert_true((strstr(out.at, "\"farm\": {\"parts\": 40, ") != NULL) == farm.is_set);
    td_text_fini(&out);
}

/* Which share others did, and what was seen of it. */
static void test_farm(void **state)
{
    (void)state;
    assert_farm((rep_farm){0}, NULL);
    assert_farm((rep_farm){.is_set = true, .parts = 40},
                "farm         40 parts, 0 of them (0 %) by 0 other workers\n");
    rep_farm f = {
        .is_set = true, .parts = 40, .others = 2, .others_parts = 30, .others_runs = 7};
    assert_farm(f, "30 of them (75 %) by 2 other workers; none of these repeated here\n");
    f.checked = 8;
    f.agreed = 8;
    assert_farm(f, "; 8 of these repeated here, all agreed\n");
    f.agreed = 7;
    f.given_up = 1;
    assert_farm(f, "; 8 of these repeated here, 7 agreed; 1 not repeated in time\n");
    f.checked = f.agreed = f.others = 1;
    assert_farm(f, "by 1 other worker; 1 of these repeated here, it agreed; 1 not");
}

static void test_json_hidden(void **state)
{
    (void)state;
    td_text out = {0};
    rep_json_put_string(&out,
                        "a\xe2\x80\xae\xc2\x9b\xe2\x81\xa9\xd8\x9c\xe2\x80\x93\xc3\xa4");
    assert_string_equal(out.at,
                        "\"a[U+202E][U+009B][U+2069][U+061C]\xe2\x80\x93\xc3\xa4\"");
    td_text_fini(&out);
}

static void test_json(void **state)
{
    (void)state;
    det_ledger ledger = {0};
    det_gap_vec_push(&ledger.gaps, (det_gap){gap_kind, gap_file, 12, 1, gap_text});
    det_gap_vec_push(&ledger.gaps, (det_gap){gap_runs, no_text, 0, 1, odd_message});
    det_finding findings[2] = {bank_finding, ring_finding};
    findings[0].message = odd_message;
    td_text out = {0};
    rep_result r = result_of(&ledger, findings);
    rep_result_json(&r, &out);
    const char *rest = json_value(out.at);
    assert_non_null(rest);
    assert_string_equal(rest, "\n");
    assert_non_null(strstr(out.at, "quote \\\" backslash \\\\ tab \\t bell \\u0007 "
                                   "\303\244 \\ufffd \\ufffd\\ufffd\\ufffd"));
    static const char *const names[] = {
        "version", "program", "goal",      "search",         "verdict",  "runs",
        "events",  "traces",  "digest",    "findings",       "coverage", "branches",
        "covered", "solver",  "ledger",    "blocked_runs",   "seconds",  "peak_rss_kb",
        "inputs",  "id",      "recording", "runs_per_second"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char quoted[40];
        snprintf(quoted, sizeof quoted, "\"%s\": ", names[i]);
        assert_non_null(strstr(out.at, quoted));
    }
    assert_non_null(strstr(out.at, "\"runs_per_second\": 2469134.000000"));
    td_text_fini(&out);

    static const rep_input in[] = {
        {.name = "a\"b", .value = UINT64_MAX, .bits = 64, .sign = WIRE_SIGNED},
        {.name = "c", .value = UINT64_MAX, .bits = 64},
    };
    const rep_inputs inputs[2] = {{in, 2, "c > 1", NULL}, {0}};
    r.inputs = inputs;
    rep_result_json(&r, &out);
    assert_string_equal(json_value(out.at), "\n");
    assert_non_null(
        strstr(out.at, "      \"inputs\": [\n"
                       "        {\"name\": \"a\\\"b\", \"bits\": 64, \"value\": -1},\n"
                       "        {\"name\": \"c\", \"bits\": 64, \"value\": "
                       "18446744073709551615}\n"
                       "      ],\n"
                       "      \"condition\": \"c > 1\",\n"));
    assert_non_null(
        strstr(out.at, "      \"inputs\": [],\n      \"condition\": \"\",\n"));
    td_text_fini(&out);

    r = result_of(NULL, NULL);
    rep_result_json(&r, &out);
    assert_string_equal(json_value(out.at), "\n");
    td_text_fini(&out);
    det_gap_vec_fini(&ledger.gaps);
}

static void check_result(const rep_result *r, const char *expected)
{
    td_text out = {0};
    rep_result_text(r, &(rep_opts){0}, &out);
    check_text(out.at, expected);
}

static void test_result_text(void **state)
{
    (void)state;
    det_ledger ledger = {0};
    rep_result r = result_of(&ledger, NULL);
    check_result(
        &r,
        "treadle: NO BUG - COMPLETE   1,234,567 runs, 0.50 s, digest 0000000000005f0c\n"
        "treadle:   covered      8 distinct traces, 60 events\n"
        "treadle:   not covered  other inputs, weak memory, failing malloc\n"
        "treadle: COMPLETE: every interleaving was run; there is no assertion failure,\n"
        "treadle: deadlock or data race for these inputs under sequential "
        "consistency.\n");

    r.covers = "every local state of every thread was reached";
    r.traces_counted = false;
    r.runs = 2;
    check_result(
        &r,
        "treadle: NO BUG - COMPLETE   2 runs, 0.50 s, digest 0000000000005f0c\n"
        "treadle:   covered      60 events\n"
        "treadle:   not covered  other inputs, weak memory, failing malloc\n"
        "treadle: COMPLETE: every local state of every thread was reached; there is no\n"
        "treadle: assertion failure, deadlock or data race for these inputs under\n"
        "treadle: sequential consistency.\n");
    td_text out = {0};
    rep_result_json(&r, &out);
    assert_null(strstr(out.at, "traces"));
    td_text_fini(&out);

    r.most_inputs = 2;
    check_result(
        &r,
        "treadle: NO BUG - COMPLETE   2 runs, 0.50 s, digest 0000000000005f0c\n"
        "treadle:   covered      60 events\n"
        "treadle:   not covered  other arguments, files, weak memory, failing malloc\n"
        "treadle: COMPLETE: every local state of every thread was reached, for every\n"
        "treadle: value of the symbolic inputs; there is no assertion failure, deadlock\n"
        "treadle: or data race under sequential consistency.\n");

    r = result_of(&ledger, NULL);

    det_gap_vec_push(&ledger.gaps, (det_gap){gap_kind, gap_file, 12, 1, gap_text});
    det_gap_vec_push(&ledger.gaps, (det_gap){gap_runs, no_text, 0, 1, no_text});
    r.verdict = REP_VERDICT_INCOMPLETE;
    r.stopped = "time limit 10 min";
    check_result(
        &r, "treadle: NO BUG - INCOMPLETE   1,234,567 runs, 0.50 s\n"
            "treadle:   covered      8 distinct traces, 60 events\n"
            "treadle:   not covered  other inputs, weak memory, failing malloc\n"
            "treadle: INCOMPLETE: time limit 10 min.\n"
            "treadle:   ledger       log.c:12 x1 not modelled: pthread_cond_wait\n"
            "treadle:                x1 run limit\n"
            "treadle:   to continue  treadle doctor names such calls: leave them out\n");

    r.at_limit = r.can_iterate = true;
    r.saved = (rep_saved){.is_known = true, .log2 = 30.2, .is_at_least = true};
    r.left =
        (rep_left){.targets = 1204, .is_known = true, .share = 0.415, .seconds = 840};
    r.preemptions.is_set = true;
    r.preemptions.completed = 2;
    r.preemptions.what = "local state";
    r.preemptions.done = "reached";
    ledger.gaps.len = 1;
    check_result(
        &r,
        "treadle: NO BUG - INCOMPLETE   1,234,567 runs, 0.50 s\n"
        "treadle:   covered      8 distinct traces, 60 events\n"
        "treadle:   not covered  other inputs, weak memory, failing malloc\n"
        "treadle:   reduction    at least 1.2e9 interleavings (estimated), 8 traces,\n"
        "treadle:                1,234,567 runs\n"
        "treadle: INCOMPLETE: time limit 10 min.\n"
        "treadle:   remaining    1,204 targets; about 41 % done, 14 min left "
        "(estimated)\n"
        "treadle:   ledger       log.c:12 x1 not modelled: pthread_cond_wait\n"
        "treadle:   to continue  more time or runs (--time, --runs)\n"
        "treadle: PREEMPTIONS: every local state reachable with at most 2 "
        "preemptions was\n"
        "treadle: reached, except as listed in the ledger.\n");

    /* What makes it large stands before the ledger. */
    r.saved.is_known = r.left.is_known = r.preemptions.is_set = false;
    r.left.targets = ledger.gaps.len = 0;
    char lock[] = "queue.lock", no_name[] = "";
    rep_large large = {
        .n_sampled = 96,
        .n_pairs = 1000,
        .at = {{lock,
                "a mutex",
                614,
                4,
                8,
                {{"src/queue.c", 41, 600}, {"src/queue.c", 57, 14}},
                2},
               {no_name, "a semaphore", 380, 2, 1, {{"log.c", 9, 380}}, 1}},
        .n = 2};
    r.large = &large;
    check_result(
        &r,
        "treadle: NO BUG - INCOMPLETE   1,234,567 runs, 0.50 s\n"
        "treadle:   covered      8 distinct traces, 60 events\n"
        "treadle:   not covered  other inputs, weak memory, failing malloc\n"
        "treadle: INCOMPLETE: time limit 10 min.\n"
        "treadle:   large by     1,000 pairs of operations can come in either order: "
        "61 %\n"
        "treadle:                on 'queue.lock' (queue.c:41, queue.c:57), 38 % on a\n"
        "treadle:                semaphore (log.c:9); counted in 96 runs\n"
        "treadle:   to shrink    fewer threads (4 use 'queue.lock'), fewer "
        "iterations\n"
        "treadle:                (one of them up to 8 times)\n"
        "treadle:   to continue  more time or runs (--time, --runs), or --iterate "
        "(fewest\n"
        "treadle:                preemptions first)\n");
    td_text said = {0};
    large.at[0].threads = 2;
    rep_shrink_text(&large, &said);
    assert_string_equal(said.at,
                        "fewer iterations (one thread uses 'queue.lock' up to 8 times)");
    td_text_clear(&said);
    large = (rep_large){.n_sampled = 2, .n_looked_at = 2000, .n_decisions = 3};
    rep_large_text(&large, &said);
    assert_string_equal(said.at, "1.5 timeout and wakeup choices per run; counted in the "
                                 "first 2,000 operations of 2 runs");
    td_text_clear(&said);
    large = (rep_large){0};
    rep_large_text(&large, &said);
    rep_shrink_text(&large, &said);
    assert_int_equal(said.len, 0);
    td_text_fini(&said);

    det_finding findings[2] = {bank_finding, ring_finding};
    ledger.gaps.len = 0;
    r = result_of(&ledger, findings);
    r.stopped = "stopped at the first bug";
    r.at_bug = true;
    check_result(
        &r, "treadle: 2 BUGS   1,234,567 runs, 0.50 s\n"
            "treadle:   found        assert-71c2  bank.c:39: assertion 'balance >= 0' "
            "failed\n"
            "treadle:   found        race-0b4e  ring.c:5: data race on 'ring.tail'\n"
            "treadle: stopped at the first bug; more may exist (-k, --keep-going)\n");

    r.stopped = NULL; /* with --keep-going */
    r.at_bug = false;
    r.n_findings = 1;
    check_result(
        &r, "treadle: 1 BUG   1,234,567 runs, 0.50 s, digest 0000000000005f0c\n"
            "treadle: COMPLETE: every interleaving was run; there is no other assertion\n"
            "treadle: failure, deadlock or data race for these inputs under sequential\n"
            "treadle: consistency.\n");
    r.findings = &findings[1];
    r.promoted = 2;
    check_result(
        &r,
        "treadle: 1 BUG   1,234,567 runs, 0.50 s, digest 0000000000005f0c\n"
        "treadle: COMPLETE: every interleaving was run, with every order of the "
        "racing\n"
        "treadle: accesses; there is no other assertion failure, deadlock or data race\n"
        "treadle: for these inputs under sequential consistency.\n");
    det_gap_vec_fini(&ledger.gaps);
}

/* ---- histories ---- */

static char push_1[] = "push(1)", pop_1[] = "pop() = 1", pop_none[] = "pop()";
static char long_call[] = "an_operation_with_a_name_that_is_too_long(1, 2, 3, 4) = 5";
static char linear_why[] =
    "T2's pop() returned 1. In orders that explain the other operations, it returns\n"
    "  0 after T1 push(1), T1 pop() = 1, T1 push(1), T1 pop() = 1, T1 push(1), T1 pop() "
    "= 1";

static char *render_history(det_call *calls, uint32_t n, rep_opts opts)
{
    det_finding finding = bank_finding;
    trc t;
    fake program = bank_program();
    bank_run(&t);
    finding.kind = DET_LINEAR;
    finding.calls = calls;
    finding.n_calls = n;
    finding.n_earlier = 1;
    finding.why = linear_why;
    char *text = render(&t, &finding, &program, opts);
    end(&t);
    return text;
}

static void test_history(void **state)
{
    (void)state;
    det_call calls[] = {{push_1, 1, 3, 4, false},
                        {pop_1, 1, 5, 8, false},
                        {pop_none, 0, 6, 0, false},
                        {pop_1, 2, 7, 9, true}};
    char *text = render_history(calls, 4, (rep_opts){0});
    check_page(text, 80);
    assert_non_null(
        strstr(text, "\nHISTORY    time runs left to right; 1 operation before these\n"
                     "  T1   push(1)    |--|\n"
                     "  T1   pop() = 1        |--------|\n"
                     "  main pop()               |-------->\n"
                     "  T2   pop() = 1              |-----|  <<< not linearizable\n"));
    assert_non_null(strstr(
        text, "\nWHY        T2's pop() returned 1. In orders that explain the other "
              "operations,\n"
              "           it returns\n"
              "             0 after T1 push(1), T1 pop() = 1, T1 push(1), T1 pop() = "
              "1,\n             T1 push(1), T1 pop() = 1\n"));
    td_free(text);
}

/* As many as are told, with long names: the picture shrinks, the page keeps its width. */
static void test_history_long(void **state)
{
    (void)state;
    det_call calls[64];
    for (uint32_t i = 0; i < 64; i++)
        calls[i] = (det_call){long_call, i % 3, 2 * i + 1, 2 * i + 5 + i % 2, i == 63};
    for (uint32_t columns = 60; columns <= 120; columns += 20) {
        char *text = render_history(calls, 64, (rep_opts){.columns = columns});
        check_page(text, columns);
        assert_true(count_lines(text) <= REP_MAX_LINES);
        assert_non_null(strstr(text, "55 operations before"));
        td_free(text);
        text = render_history(calls, 64, (rep_opts){.columns = columns, .full = true});
        check_page(text, columns);
        assert_non_null(strstr(text, "1 operation before these"));
        td_free(text);
    }
}

/* ---- pages ---- */

static void bank_page(rep_page *out)
{
    trc t;
    fake program = bank_program();
    rep_names names = names_of(&program);
    bank_run(&t);
    static const char *const args[] = {"30", "7\"1", NULL};
    rep_page_about about = {.program = "./bank",
                            .version = "0.1.0",
                            .recording = "assert-71c2.treadle",
                            .schedule = "main:2 T1:2",
                            .args = args};
    tell_order(&t, 2, 1, GET_READ);
    rep_cause cause = page_cause;
    page_cause = (rep_cause){0};
    rep_finding finding = {.finding = &bank_finding,
                           .run = &t,
                           .cause = &cause,
                           .inputs = {.condition = "a < b"}};
    rep_page_make_named(&finding, &names, &about, out);
    trc_fini(&t);
}

static void test_page(void **state)
{
    (void)state;
    rep_page p;
    uint32_t n_preempted = 0, n_shown = 0, n_from = 0, n_after = 0;
    bank_page(&p);
    assert_string_equal(p.id, "assert-71c2");
    assert_int_equal(p.threads.len, 3);
    assert_string_equal(p.args.at[1], "7\"1");
    assert_non_null(strstr(p.text, "<<< FAILS HERE"));
    assert_true(p.steps.at[p.steps.len - 1].fails);
    for (size_t i = 0; i < p.steps.len; i++)
        n_preempted += strcmp(p.steps.at[i].stop, "preempted") == 0;
    for (size_t i = 0; i < p.acts.len; i++) {
        const rep_page_act *a = &p.acts.at[i];
        assert_true(a->from == REP_PAGE_NONE || a->from < i);
        assert_true(a->after == REP_PAGE_NONE || a->after < i);
        n_shown += a->shown;
        n_from += a->from != REP_PAGE_NONE;
        n_after += a->after != REP_PAGE_NONE;
    }
    assert_true(n_preempted >= p.preemptions);
    assert_true(n_shown > 0 && n_shown < p.acts.len && n_from > 0 && n_after > 0);
    assert_int_equal(p.sources.len, 1);
    assert_non_null(strstr(p.sources.at[0].text, "assert(balance >= 0);\n"));
    rep_page_fini(&p);
}

static void test_page_reads_back(void **state)
{
    (void)state;
    rep_page p, again;
    td_text first = {0}, second = {0};
    td_diag diag = {0};
    bank_page(&p);
    rep_page_print(&p, &first);
    assert_int_equal(rep_page_parse(first.at, first.len, &again, &diag), TD_OK);
    rep_page_print(&again, &second);
    assert_string_equal(first.at, second.at);
    rep_page_fini(&again);
    /* Cut anywhere it is refused. */
    for (size_t n = 0; n + 2 < first.len; n += 97)
        assert_int_equal(rep_page_parse(first.at, n, &again, &diag), TD_E_FORMAT);
    rep_page_fini(&p);
    td_text_fini(&first);
    td_text_fini(&second);
}

static void test_page_refuses(void **state)
{
    (void)state;
    static const struct {
        const char *what, *instead, *sentence;
    } changes[] = {{"\"treadle-page\"", "\"other\"", "is not treadle-page"},
                   {"\"thread\":1,", "\"thread\":3,", "out of range"},
                   {"\"thread\":1,", "\"thread\":-1,", "out of range"},
                   {"\"from\":-1", "\"from\":99999", "out of range"},
                   {"\"preemptions\":", "\"other\":", "missing"},
                   {"\"why\":[", "\"why\":7,\"x\":[", "wrong type"},
                   {"\"why\":[", "\"why\":[7,", "wrong type"},
                   {"\"hidden\":\"", "\"hidden\":\"\\u0000", "zero byte"}};
    rep_page p, again;
    td_text whole = {0};
    bank_page(&p);
    rep_page_print(&p, &whole);
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        td_text text = {0};
        td_diag diag = {0};
        char *at = strstr(whole.at, changes[i].what);
        assert_non_null(at);
        td_text_put(&text, whole.at, (size_t)(at - whole.at));
        td_text_add(&text, "%s%s", changes[i].instead, at + strlen(changes[i].what));
        assert_int_equal(rep_page_parse(text.at, text.len, &again, &diag), TD_E_FORMAT);
        assert_non_null(strstr(diag.text, changes[i].sentence));
        td_text_fini(&text);
    }
    rep_page_fini(&p);
    td_text_fini(&whole);
}

/* What a reader would wonder about. */
static void check_note(rep_result r, const char *words)
{
    td_text out = {0};
    r.program = "./x";
    r.goal = "states";
    r.search = "unfold";
    rep_result_text(&r, &(rep_opts){.columns = 400}, &out);
    if (words)
        assert_non_null(strstr(out.at, words));
    else
        assert_null(strstr(out.at, "note "));
    td_text_fini(&out);
}

static void test_notes(void **state)
{
    (void)state;
    check_note(
        (rep_result){.verdict = REP_VERDICT_COMPLETE, .runs = 1, .most_threads = 1},
        "no run creates a thread");
    check_note(
        (rep_result){.verdict = REP_VERDICT_COMPLETE, .runs = 1, .most_threads = 3},
        "one run was enough");
    check_note(
        (rep_result){.verdict = REP_VERDICT_COMPLETE, .runs = 2, .most_threads = 3},
        NULL);
    check_note(
        (rep_result){.verdict = REP_VERDICT_INCOMPLETE, .runs = 1, .most_threads = 3},
        NULL);
    check_note((rep_result){.verdict = REP_VERDICT_COMPLETE, .runs = 1}, NULL);
    check_note((rep_result){.verdict = REP_VERDICT_COMPLETE, .runs = 9, .all_exit = 2},
               "every run ends with exit status 2,");
}

/* Places stay whole, however much stands together. */
static void test_places_stay_whole(void **state)
{
    (void)state;
    static const char text[] =
        "called\tat\trefobj.c:9612\tin\tregistry_remove,\trefobj.c:"
        "11677\tin\treaper,\tsome/long/folder/refobj.c:4812";
    static const char *const places[] = {"refobj.c:9612", "refobj.c:11677",
                                         "refobj.c:4812"};
    for (uint32_t columns = 20; columns < 100; columns++) {
        rep_row_vec rows = {0};
        rep_wrap(&rows, REP_PLAIN, (rep_lead){.first = "  "}, text, columns);
        for (size_t k = 0; k < 3; k++) {
            bool is_there = false;
            for (size_t i = 0; i < rows.len; i++)
                is_there = is_there || strstr(rows.at[i].text, places[k]) != NULL;
            assert_true(is_there);
        }
        for (size_t i = 0; i < rows.len; i++)
            assert_true(strlen(rows.at[i].text) <= columns);
        rep_rows_fini(&rows);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_places_stay_whole),
        cmocka_unit_test(test_notes),
        cmocka_unit_test(test_bank_golden),
        cmocka_unit_test(test_bank_full),
        cmocka_unit_test(test_colour),
        cmocka_unit_test(test_lost_update),
        cmocka_unit_test(test_long_run),
        cmocka_unit_test(test_spin),
        cmocka_unit_test(test_many_threads),
        cmocka_unit_test(test_handle),
        cmocka_unit_test(test_deadlock_golden),
        cmocka_unit_test(test_race_golden),
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_random_runs),
        cmocka_unit_test(test_json),
        cmocka_unit_test(test_farm),
        cmocka_unit_test(test_json_hidden),
        cmocka_unit_test(test_result_text),
        cmocka_unit_test(test_inputs),
        cmocka_unit_test(test_conditions),
        cmocka_unit_test(test_decisions),
        cmocka_unit_test(test_history),
        cmocka_unit_test(test_history_long),
        cmocka_unit_test(test_page),
        cmocka_unit_test(test_page_reads_back),
        cmocka_unit_test(test_page_refuses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
