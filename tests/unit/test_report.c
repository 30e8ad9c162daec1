/* SPDX-License-Identifier: Apache-2.0 */
/* The text of findings on runs made by hand, and the result of a session. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "report/report_int.h"

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
    return (rep_names){f, fake_site, fake_function, fake_object, fake_source};
}

/* ---- a run made by hand ---- */

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
               uint64_t value, uint32_t n_enabled)
{
    trc_op_vec_push(&t->ops, (trc_op){.kind = kind,
                                      .size = 4,
                                      .order = __ATOMIC_SEQ_CST,
                                      .thread = thread,
                                      .site = site,
                                      .n_enabled = n_enabled,
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
    op(t, 0, WIRE_CREATE, site, 0, thread, thread);
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

static char *render(const trc *t, const det_finding *f, fake *program, rep_opts opts)
{
    td_text out = {0};
    rep_names names = names_of(program);
    rep_finding finding = {.finding = f,
                           .run = t,
                           .recording = "treadle-out/bank.1/assert-71c2.treadle",
                           .recording_bytes = 184};
    rep_finding_print(&finding, &names, &opts, &out);
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
    for (const char *p = text; *p != '\0'; p++) {
        column = *p == '\n' ? 0 : column + 1;
        assert_true(column <= columns);
        assert_true(*p == '\n' || (*p >= ' ' && *p <= '~'));
    }
    const char *last = strstr(text, "\nSUMMARY: treadle: ");
    assert_non_null(last);
    assert_true(strchr(last + 1, '\n')[1] == '\0');
}

static void check_text(char *text, const char *expected)
{
    if (strcmp(text, expected) != 0)
        print_error("--- got\n%s--- expected\n%s", text, expected);
    assert_string_equal(text, expected);
    td_free(text);
}

/* ---- bank: the example of the specification ---- */

enum { BALANCE = 0, MUTEX = 64 };
enum {
    GET_LOCK = 1, GET_READ, GET_UNLOCK, SET_LOCK, SET_WRITE, SET_UNLOCK, CREATE_1,
    CREATE_2, JOIN_1, JOIN_2, FINAL_READ, RETURN
};

static const trc_site bank_sites[] = {
    {"bank.c", "get", "m", "pthread_mutex_lock", 10, 5, WIRE_SITE_CALL, 0, 0},
    {"bank.c", "get", "balance", "", 11, 13, WIRE_SITE_READ, 4, WIRE_TYPE_SIGNED},
    {"bank.c", "get", "m", "pthread_mutex_unlock", 12, 5, WIRE_SITE_CALL, 0, 0},
    {"bank.c", "set", "m", "pthread_mutex_lock", 18, 5, WIRE_SITE_CALL, 0, 0},
    {"bank.c", "set", "balance", "", 19, 13, WIRE_SITE_WRITE, 4, WIRE_TYPE_SIGNED},
    {"bank.c", "set", "m", "pthread_mutex_unlock", 20, 5, WIRE_SITE_CALL, 0, 0},
    {"bank.c", "main", "t1", "pthread_create", 35, 5, WIRE_SITE_CALL, 0, 0},
    {"bank.c", "main", "t2", "pthread_create", 36, 5, WIRE_SITE_CALL, 0, 0},
    {"bank.c", "main", "", "pthread_join", 37, 5, WIRE_SITE_CALL, 0, 0},
    {"bank.c", "main", "", "pthread_join", 38, 5, WIRE_SITE_CALL, 0, 0},
    {"bank.c", "main", "balance", "", 39, 5, WIRE_SITE_READ, 4, WIRE_TYPE_SIGNED},
};

static const char *const bank_source[] = {
    "", "", "", "", "static int balance = 100;", "", "", "static int get(void)", "{",
    "pthread_mutex_lock(&m);", "int b = balance;", "pthread_mutex_unlock(&m);",
    "return b;", "}", "", "static void set(int b)", "{", "pthread_mutex_lock(&m);",
    "balance = b;", "pthread_mutex_unlock(&m);", "}", "", "", "", "", "", "", "", "", "",
    "", "", "", "", "pthread_create(&t1, NULL, teller, argv[1]);",
    "pthread_create(&t2, NULL, teller, argv[2]);", "pthread_join(t1, NULL);",
    "pthread_join(t2, NULL);", "assert(balance >= 0);"};

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

static void bank_get(trc *t, uint32_t thread, int value, uint32_t n)
{
    op(t, thread, WIRE_LOCK, GET_LOCK, OBJECTS + MUTEX, 0, n);
    load(t, thread, GET_READ, OBJECTS + BALANCE, value);
    op(t, thread, WIRE_UNLOCK, GET_UNLOCK, OBJECTS + MUTEX, 0, n);
}

static void bank_set(trc *t, uint32_t thread, int value, int old, uint32_t n)
{
    op(t, thread, WIRE_LOCK, SET_LOCK, OBJECTS + MUTEX, 0, n);
    store(t, thread, SET_WRITE, OBJECTS + BALANCE, value, old);
    op(t, thread, WIRE_UNLOCK, SET_UNLOCK, OBJECTS + MUTEX, 0, n);
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
    bank_get(t, 1, 100, 2);
    bank_get(t, 2, 100, 2);
    bank_get(t, 2, 100, 2);
    bank_set(t, 2, 29, 100, 2);
    op(t, 2, WIRE_END, 0, 0, 0, 1);
    bank_get(t, 1, 29, 1);
    bank_set(t, 1, -1, 29, 1);
    op(t, 1, WIRE_END, 0, 0, 0, 1);
    op(t, 0, WIRE_JOIN, JOIN_1, 0, 1, 1);
    op(t, 0, WIRE_JOIN, JOIN_2, 0, 2, 1);
    load(t, 0, FINAL_READ, OBJECTS + BALANCE, -1);
    bank_fail(t, "balance >= 0");
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
    check_text(render(&t, &bank_finding, &program, (rep_opts){0}), "");
    end(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bank_golden),
    };
    (void)check_page; (void)count_lines;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
