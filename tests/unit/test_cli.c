/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <string.h>

#include "base/text.h"
#include "cli/options.h"
#include "cli/sentence.h"
#include "cli/witness_reader.h"

#define OPTIONS(X)                                                                       \
    X(many, "many", 'm', NUMBER, 1, 10, 3, "N", "a number")                              \
    X(span, "span", 0, DURATION, 0, 0, 0, "DURATION", "a duration")                      \
    X(word, "word", 'w', TEXT, 0, 0, 0, "TEXT", "a text")                                \
    X(one, "one", 0, CHOICE, 0, 0, 0, "first|second|third", "one of three")              \
    X(some, "some", 0, WORDS, 0, 0, 0, "red|green|blue", "some of three")                \
    X(loud, "loud", 'l', FLAG, 0, 0, 0, "", "a flag")                                    \
    X(secret, "secret", 0, FLAG, 0, 0, 0, "", NULL)                                      \
    X(each, "each", 'e', LIST, 0, 0, 0, "TEXT", "several texts")                         \
    X(later, "later", 0, LATER, 0, 0, 0, "X", NULL)

typedef struct fields {
    OPTIONS(CLI_DECLARE_FIELD)
} fields;

#define X(...) CLI_TABLE_ROW(fields, __VA_ARGS__)
static const cli_option table[] = {OPTIONS(X){0}};
#undef X

typedef struct parsed {
    td_status status;
    cli_help help;
    fields f;
    cli_words words;
    char *argv[32];
    td_diag diag;
} parsed;

/* Parses the words of a line. line is cut into pieces. */
static void parse(parsed *p, cli_order order, char *line)
{
    *p = (parsed){0};
    for (char *word = strtok(line, " "); word; word = strtok(NULL, " "))
        p->argv[p->words.n++] = word;
    p->words.at = p->argv;
    p->status = cli_options_parse(table, order, &p->words, &p->f, &p->help, &p->diag);
}

static void test_values(void **state)
{
    char line[] = "--many=5 --span 5m -wabc --one=second -l x --many -l";
    parsed p;
    parse(&p, CLI_OPTIONS_FIRST, line);
    assert_int_equal(p.status, TD_OK);
    assert_int_equal(p.f.many, 5);
    assert_int_equal(p.f.span, 300000);
    assert_string_equal(p.f.word, "abc");
    assert_int_equal(p.f.one, 1);
    assert_true(p.f.loud);
    assert_int_equal(p.words.n, 3);
    assert_string_equal(p.words.at[0], "x");
    assert_null(p.words.at[3]);
}

static void test_list(void **state)
{
    char line[] = "--each=a -eb --each c";
    parsed p;
    parse(&p, CLI_OPTIONS_FIRST, line);
    assert_int_equal(p.status, TD_OK);
    assert_int_equal(p.f.each.n, 3);
    assert_string_equal(p.f.each.at[0], "a");
    assert_string_equal(p.f.each.at[2], "c");
    char more[CLI_LIST_MAX * 4 + 8] = "";
    for (int i = 0; i <= CLI_LIST_MAX - 1; i++)
        strcat(more, "-ex ");
    parse(&p, CLI_OPTIONS_FIRST, more);
    assert_int_equal(p.status, TD_OK);
    assert_int_equal(p.f.each.n, CLI_LIST_MAX);
}

static void test_words(void **state)
{
    char line[] = "--some=blue,red --some blue";
    parsed p;
    parse(&p, CLI_OPTIONS_FIRST, line);
    assert_int_equal(p.status, TD_OK);
    assert_int_equal(p.f.some, 5);
    char none[] = "-l";
    parse(&p, CLI_OPTIONS_FIRST, none);
    assert_int_equal(p.f.some, 0);
}

static void test_presets_and_order(void **state)
{
    char line[] = "a --loud b -- --many";
    parsed p;
    parse(&p, CLI_OPTIONS_ANYWHERE, line);
    assert_int_equal(p.status, TD_OK);
    assert_int_equal(p.f.many, 3);
    assert_true(p.f.loud);
    assert_int_equal(p.words.n, 3);
    assert_string_equal(p.words.at[2], "--many");
}

static void test_help(void **state)
{
    char line[] = "--loud --help --nonsense";
    parsed p;
    parse(&p, CLI_OPTIONS_FIRST, line);
    assert_int_equal(p.status, TD_OK);
    assert_int_equal(p.help, CLI_HELP_OFTEN);
    char all[] = "--help-all --loud";
    parse(&p, CLI_OPTIONS_FIRST, all);
    assert_int_equal(p.help, CLI_HELP_ALL);
}

static void test_refused(void **state)
{
    static const char *const lines[][2] = {
        {"--mnay=5", "did you mean '--many'"},
        {"--nonsense", "unknown option '--nonsense'"},
        {"-z", "unknown option '-z'"},
        {"--some=red,gree", "some of red|green|blue, got 'gree'"},
        {"--some=reds", "got 'reds'"},
        {"--some=red,", "got ''"},
        {"--many=11", "from 1 to 10"},
        {"--many=-1", "from 1 to 10"},
        {"--many=99999999999999999999", "from 1 to 10"},
        {"--many=", "from 1 to 10"},
        {"--many", "requires a value"},
        {"--span=5x", "duration"},
        {"--one=fourth", "first|second|third"},
        {"--one=firs", "first|second|third"},
        {"--loud=1", "does not take a value"},
        {"--later=1", "not available in this version"},
    };
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        char line[64];
        strcpy(line, lines[i][0]);
        parsed p;
        parse(&p, CLI_OPTIONS_FIRST, line);
        assert_int_equal(p.status, TD_E_USAGE);
        assert_non_null(strstr(p.diag.text, lines[i][1]));
    }
}

static void test_durations(void **state)
{
    uint64_t ms = 0;
    uint64_t n = 0;
    assert_true(td_size_parse("500M", &n) && n == 500u << 20);
    assert_true(td_size_parse("4GiB", &n) && n == UINT64_C(4) << 30);
    assert_true(td_size_parse("1k", &n) && n == 1024);
    assert_true(td_size_parse("12345", &n) && n == 12345);
    assert_false(td_size_parse("", &n) || td_size_parse("M", &n) ||
                 td_size_parse("-1", &n));
    assert_false(td_size_parse("4x", &n) || td_size_parse("4Mx", &n));
    assert_false(td_size_parse("99999999999999T", &n));
    assert_true(td_duration_parse("500ms", &ms) && ms == 500);
    assert_true(td_duration_parse("10s", &ms) && ms == 10000);
    assert_true(td_duration_parse("90", &ms) && ms == 90000);
    assert_true(td_duration_parse("5m", &ms) && ms == 300000);
    assert_true(td_duration_parse("2h", &ms) && ms == 7200000);
    assert_false(td_duration_parse("", &ms));
    assert_false(td_duration_parse("s", &ms));
    assert_false(td_duration_parse("-1s", &ms));
    assert_false(td_duration_parse("18446744073709551615h", &ms));
}

static void test_distance(void **state)
{
    assert_int_equal(cli_distance("search", "search"), 0);
    assert_int_equal(cli_distance("search", "serch"), 1);
    assert_int_equal(cli_distance("search", "saerch"), 1);
    assert_int_equal(cli_distance("", "abc"), 3);
}

/* ---- sentences ---- */

static void assert_shown(const char *text, const char *expected)
{
    td_text out = {0};
    cli_sentence(text, &out);
    assert_string_equal(out.at ? out.at : "", expected);
    td_text_fini(&out);
}

static void test_sentences(void **state)
{
    assert_shown("", "");
    assert_shown("cannot open 'a.c': no\n", "cannot open 'a.c': no\n");
    assert_shown("not 'pq://u:sec@h/x'; more", "not 'pq://...'; more");
    assert_shown("not 'pq://u:s e'c@r@h/x' more", "not 'pq://...' more");
    assert_shown("cannot open pq://h/x?password=sec: no", "cannot open pq://... no");
    assert_shown("a pq://u:sec@h and pq://u:ret@h", "a pq://...");
    assert_shown("://", "://...");
    assert_shown("a\x1b[2Jb\x7f\tc", "a?[2Jb? c");
    assert_shown("h\xc3\xa4ger \xe2\x80\xaegnol \xe2\x81\xa6 \xe2\x80\x8f",
                 "h\xc3\xa4ger [U+202E]gnol [U+2066] [U+200F]");
    assert_shown("\xc2\x9b"
                 "31m \xf0\x9f\x98\x80",
                 "[U+009B]31m \xf0\x9f\x98\x80");
    assert_shown("\xff", "\xef\xbf\xbd");
    (void)state;
}

/* Both styles of YAML, and what is missing. */
static void test_witness(void **state)
{
    static const char text[] =
        "- entry_type: \"loop_invariant\"\n- entry_type: violation_sequence # one\n"
        "  metadata: {task: {specification: 'G ! call(f())'}}\n"
        "  content: [{segment: [{waypoint: {type: function_return, action: follow,\n"
        "   location: {line: 3, file_name: 'it''s.c'}, constraint: {value: \"\\\\result "
        "== -1\"}}}]}]\n"
        "  - segment:\n    - waypoint:\n        thread_id: 2\n        type: \"target\"\n"
        "        location:\n          line: 9\n          column: 4\n";
    static const char *const wrong[] = {
        "", "- entry_type: violation_sequence",
        "- entry_type: violation_sequence\n- waypoint:\n  type: target\n",
        "- entry_type: violation_sequence\n- waypoint:\n  line: -7\n",
        "- entry_type: violation_sequence\n- waypoint:\n  type: x\n  line: 1\n"};
    cli_witness w;
    td_diag diag = {0};
    uint64_t number = 0;
    assert_int_equal(cli_witness_parse(text, sizeof text - 1, &w, &diag), TD_OK);
    assert_int_equal(w.at.len, 2);
    assert_string_equal(w.specification, "G ! call(f())");
    assert_int_equal(w.at.at[0].way, CLI_WAY_FUNCTION_RETURN);
    assert_int_equal(w.at.at[0].thread, CLI_ANY_THREAD);
    assert_string_equal(w.at.at[0].file, "it's.c");
    assert_true(cli_constraint_number(w.at.at[0].value, &number));
    assert_int_equal(number, UINT64_MAX);
    assert_false(cli_constraint_number("x == y", &number));
    assert_false(cli_constraint_number("x == 1 && y == 2", &number));
    assert_int_equal(w.at.at[1].way, CLI_WAY_TARGET);
    assert_int_equal(w.at.at[1].thread, 2);
    assert_int_equal(w.at.at[1].line, 9);
    assert_int_equal(w.at.at[1].column, 4);
    cli_witness_fini(&w);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_int_not_equal(cli_witness_parse(wrong[i], strlen(wrong[i]), &w, &diag),
                             TD_OK);
        assert_int_equal(w.at.len, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sentences), cmocka_unit_test(test_witness),
        cmocka_unit_test(test_values),    cmocka_unit_test(test_list),
        cmocka_unit_test(test_words),     cmocka_unit_test(test_presets_and_order),
        cmocka_unit_test(test_help),      cmocka_unit_test(test_refused),
        cmocka_unit_test(test_durations), cmocka_unit_test(test_distance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
