/* SPDX-License-Identifier: Apache-2.0 */
/* The formats for other programs, on sessions made by hand. tests/formats reads those of real ones
 * with other programs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/glyph.h"
#include "base/rng.h"
#include "base/sha256.h"
#include "report/formats/formats.h"
#include "report/formats/json_read.h"
#include "report/formats/json_text.h"
#include "report/formats/xml_text.h"

/* ---- sessions made by hand ---- */

static void add_fact(rep_past *p, const char *name, const char *value)
{
    rep_fact_vec_push(&p->facts, (rep_fact){td_strdup(name), td_strdup(value)});
}

static rep_page_place place(const char *file, uint32_t line, const char *function)
{
    return (rep_page_place){td_strdup(file), td_strdup(function), line};
}

static void add_thread(rep_page *p, const char *name, const char *function, uint32_t line)
{
    rep_page_thread_vec_push(&p->threads,
                             (rep_page_thread){.name = td_strdup(name),
                                               .function = td_strdup(function),
                                               .title = td_strdup(name),
                                               .created = place("", line, ""),
                                               .matters = true});
}

static void add_step(rep_page *p, uint32_t thread, uint32_t number, uint32_t line,
                     const char *source)
{
    rep_page_step_vec_push(
        &p->steps, (rep_page_step){.thread = thread,
                                   .number = number,
                                   .at = place(p->at.file, line, "teller"),
                                   .source = td_strdup(source),
                                   .stop = td_strdup(number == 2 ? "preempted" : ""),
                                   .first_act = (uint32_t)p->acts.len});
}

static void add_act(rep_page *p, const char *kind, const char *object, const char *value,
                    uint32_t from)
{
    rep_page_step *s = &p->steps.at[p->steps.len - 1];
    td_text text = {0};
    td_text_add(&text, "%s %s %s", kind, object, value);
    s->n_acts++;
    rep_page_act_vec_push(&p->acts, (rep_page_act){.kind = td_strdup(kind),
                                                   .text = td_strdup(text.at),
                                                   .object = td_strdup(object),
                                                   .value = td_strdup(value),
                                                   .old = td_strdup(""),
                                                   .step = (uint32_t)p->steps.len - 1,
                                                   .from = from,
                                                   .after = REP_PAGE_NONE,
                                                   .shown = s->number > 0});
    td_text_fini(&text);
}

/* Two tellers and one balance; every text of the program is word. */
static rep_page page_of(const char *kind, const char *file, const char *word)
{
    rep_page p = {.id = td_strdup("assert-71c2"),
                  .kind = td_strdup(kind),
                  .title = td_strdup("assertion failed"),
                  .message = td_strdup(word),
                  .values = td_strdup("balance = -1"),
                  .at = place(file, 39, "main"),
                  .program = td_strdup("./bank"),
                  .version = td_strdup(TREADLE_VERSION),
                  .recording = td_strdup("assert-71c2.treadle"),
                  .schedule = td_strdup("main:2 T1:2"),
                  .condition = td_strdup(""),
                  .preemptions = 1,
                  .hidden = td_strdup(""),
                  .output = td_strdup(""),
                  .output_of = td_strdup(""),
                  .text = td_strdup(word)};
    rep_page_input_vec_push(&p.inputs, (rep_page_input){.name = td_strdup(word),
                                                        .value = td_strdup("71"),
                                                        .type = td_strdup("u8")});
    rep_page_text_vec_push(&p.why, td_strdup(word));
    add_thread(&p, "main", "main", 0);
    add_thread(&p, "T1", word, 35);
    add_thread(&p, "T2", "teller", 36);
    add_step(&p, 1, 1, 26, word);
    add_act(&p, "read", "balance", "100", REP_PAGE_NONE);
    add_step(&p, 2, 2, 27, word);
    add_act(&p, "read", word, "100", REP_PAGE_NONE);
    add_act(&p, "write", "balance", "29", REP_PAGE_NONE);
    add_step(&p, 1, 3, 27, word);
    add_act(&p, "read", "balance", "29", 2);
    add_step(&p, 0, 4, 39, word);
    add_act(&p, "read", "balance", "-1", 3);
    p.steps.at[3].fails = p.acts.at[4].fails = true;
    rep_page_party_vec_push(&p.parties, (rep_page_party){.role = td_strdup("write"),
                                                         .thread = 2,
                                                         .at = place(file, 27, word),
                                                         .text = td_strdup(word)});
    rep_page_party_vec_push(&p.parties, (rep_page_party){.role = td_strdup("read"),
                                                         .thread = 1,
                                                         .at = place(file, 26, "teller"),
                                                         .text = td_strdup(word)});
    return p;
}

static rep_past past_of(const char *kind, const char *file, const char *word)
{
    rep_past p = {.root = td_strdup("/home/x/")};
    add_fact(&p, "version", TREADLE_VERSION);
    add_fact(&p, "program", word);
    add_fact(&p, "verdict", "bug");
    add_fact(&p, "stopped", "stopped at the first bug");
    add_fact(&p, "seconds", "0.25");
    rep_page_vec_push(&p.pages, page_of(kind, file, word));
    det_ledger_add(&p.ledger, "runs", file, 7, word);
    return p;
}

static void add_side(rep_past *p, char *file, uint32_t line, uint32_t column,
                     uint32_t side, bool taken)
{
    det_coverage_side(&p->coverage, &(det_cov_side){.file = file,
                                                    .function = "f",
                                                    .line = line,
                                                    .column = column,
                                                    .side = side,
                                                    .n_sides = 2,
                                                    .taken = taken});
}

static void add_line(rep_past *p, char *file, uint32_t line, bool executed)
{
    det_coverage_line(&p->coverage, &(det_cov_line){file, line, executed});
}

/* ---- a reader of JSON: true if the text is one value ---- */

static void skip_blanks(const char **p)
{
    while (**p == ' ' || **p == '\n' || **p == '\t' || **p == '\r')
        ++*p;
}

static bool read_string(const char **p)
{
    if (*(*p)++ != '"')
        return false;
    while (**p != '"') {
        size_t n = **p == '\0' ? 0 : td_utf8_length(*p);
        if (n == 0 || (unsigned char)**p < 0x20)
            return false;
        if (**p == '\\')
            n = (*p)[1] == 'u' ? 6 : strchr("\"\\/bfnrt", (*p)[1]) != NULL ? 2 : 0;
        if (n == 0)
            return false;
        *p += n;
    }
    ++*p;
    return true;
}

static bool read_value(const char **p)
{
    skip_blanks(p);
    if (**p == '"')
        return read_string(p);
    if (**p != '{' && **p != '[') {
        size_t n = strspn(*p, "-+.0123456789aeflnrstu");
        *p += n;
        return n > 0;
    }
    char close = *(*p)++ == '{' ? '}' : ']';
    for (bool first = true;; first = false) {
        skip_blanks(p);
        if (**p == close && first)
            break;
        if (close == '}' && (!read_string(p) || *(*p)++ != ':'))
            return false;
        if (!read_value(p))
            return false;
        skip_blanks(p);
        if (**p == close)
            break;
        if (*(*p)++ != ',')
            return false;
    }
    ++*p;
    return true;
}

static void assert_json(const char *text)
{
    const char *p = text;
    assert_true(read_value(&p));
    skip_blanks(&p);
    assert_string_equal(p, "");
}

/* Elements open and close as they should, and attributes have quotes. */
static void assert_xml(const char *text)
{
    char open[32][32];
    size_t n = 0;
    for (const char *p = strchr(text, '\n'); (p = strchr(p, '<')) != NULL;) {
        const char *end = strchr(p, '>');
        assert_non_null(end);
        char name[32] = "";
        sscanf(p, "<%31[a-z/]", name);
        if (name[0] == '/') {
            assert_true(n > 0);
            assert_string_equal(open[--n], name + 1);
        } else if (end[-1] != '/') {
            assert_true(n < 32);
            strcpy(open[n++], name);
        }
        p = end;
    }
    assert_int_equal(n, 0);
    for (const char *p = text; *p != '\0';) {
        size_t k = td_utf8_length(p);
        assert_true(k > 0);
        assert_true((unsigned char)*p >= 0x20 || *p == '\n' || *p == '\t');
        p += k;
    }
}

static void assert_has(const char *text, const char *part)
{
    if (strstr(text, part) == NULL)
        fail_msg("'%s' is not in:\n%s", part, text);
}

/* ---- small things ---- */

static void test_sha256(void **state)
{
    char hash[65], many[200];
    td_sha256("", 0, hash);
    assert_string_equal(
        hash, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    td_sha256("abc", 3, hash);
    assert_string_equal(
        hash, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    memset(many, 'a', sizeof many);
    td_sha256(many, 56, hash); /* the length needs a block of its own */
    assert_string_equal(
        hash, "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a");
    td_sha256(many, sizeof many, hash);
    assert_string_equal(
        hash, "c2a908d98f5df987ade41b5fce213067efbcc21ef2240212a41e54b5e7c28ae5");
}

static void test_xml_escapes(void **state)
{
    td_text out = {0};
    rep_xml_put(&out, "a<b>&\"c\" ]]> \x01 \xff \xc3\xa4 \xef\xbf\xbf\n\t.");
    assert_string_equal(out.at,
                        "a&lt;b&gt;&amp;&quot;c&quot; ]]&gt; \xef\xbf\xbd \xef\xbf\xbd "
                        "\xc3\xa4 [U+FFFF]\n\t.");
    td_text_clear(&out);
    rep_xml_attribute(&out, "x", "a\"b\n");
    assert_string_equal(out.at, " x=\"a&quot;b&#10;\"");
    td_text_fini(&out);
}

static void test_paths_are_relative_to_the_root(void **state)
{
    rep_past p = {.root = "/home/x/"};
    assert_string_equal(rep_past_path(&p, "/home/x/src/a.c"), "src/a.c");
    assert_string_equal(rep_past_path(&p, "/home/x/"), "/home/x/");
    assert_string_equal(rep_past_path(&p, "/home/y/a.c"), "/home/y/a.c");
    assert_string_equal(rep_past_path(&p, "././a.c"), "a.c");
}

/* ---- formats ---- */

static void test_github(void **state)
{
    rep_past p = past_of("assert", "/home/x/a,b:c%.c", "100% of\nit, really: \xff");
    td_text out = {0};
    rep_github(&p, &out);
    assert_string_equal(
        out.at,
        "::error file=a%2Cb%3Ac%25.c,line=39,title=assertion failed (assert-71c2)::"
        "100%25 of%0Ait, really: \xef\xbf\xbd%0A100%25 of%0Ait, really: \xef\xbf\xbd"
        "%0Atreadle replay assert-71c2\n"
        "::warning file=a%2Cb%3Ac%25.c,line=7,title=not covered::runs: 100%25 of%0Ait, "
        "really: \xef\xbf\xbd (x1)\n");
    td_text_fini(&out);
    rep_past_fini(&p);
}

static void test_lcov(void **state)
{
    rep_past p = {.root = td_strdup("/s/")};
    td_text out = {0};
    rep_lcov(&p, &out);
    assert_string_equal(out.at, "");
    det_coverage_function(&p.coverage, &(det_cov_function){"/s/a.c", "g", 9, false});
    det_coverage_function(&p.coverage, &(det_cov_function){"/s/a.c", "f", 3, true});
    add_side(&p, "/s/a.c", 10, 1, 1, false);
    add_side(&p, "/s/a.c", 10, 1, 0, false);
    add_side(&p, "/s/a.c", 4, 1, 0, false);
    add_side(&p, "/s/a.c", 4, 1, 1, true);
    add_side(&p, "/s/a.c", 4, 7, 0, false);
    add_side(&p, "/s/a.c", 4, 7, 1, true);
    add_side(&p, "/s/a.c", 4, 7, 0, true); /* of a copy of the same function */
    add_side(&p, "/s/a.c", 4, 7, 1, false);
    add_line(&p, "/s/b.c", 1, true);
    add_line(&p, "/s/a.c", 10, false);
    add_line(&p, "/s/a.c", 4, false);
    add_line(&p, "/s/a.c", 4, true);
    det_coverage_order(&p.coverage);
    assert_int_equal(det_coverage_taken(&p.coverage), 3);
    rep_lcov(&p, &out);
    assert_string_equal(out.at,
                        "TN:\nSF:a.c\nFN:3,f\nFN:9,g\nFNDA:1,f\nFNDA:0,g\nFNF:2\nFNH:1\n"
                        "BRDA:4,0,0,0\nBRDA:4,0,1,1\nBRDA:4,1,0,1\nBRDA:4,1,1,1\n"
                        "BRDA:10,0,0,-\nBRDA:10,0,1,-\nBRF:6\nBRH:3\n"
                        "DA:3,1\nDA:4,1\nDA:9,0\nDA:10,0\nLF:4\nLH:2\nend_of_record\n"
                        "TN:\nSF:b.c\nFNF:0\nFNH:0\nBRF:0\nBRH:0\nDA:1,1\nLF:1\nLH:1\n"
                        "end_of_record\n");
    td_text_fini(&out);
    rep_past_fini(&p);
}

static void test_junit(void **state)
{
    rep_past p = past_of("race", "/home/x/a.c", "it <broke> ]]> & \"why\"");
    rep_page_vec_push(&p.pages, page_of("race", "b.c", "another"));
    td_text out = {0};
    rep_junit(&p, &out);
    assert_xml(out.at);
    assert_has(out.at,
               "<testsuite name=\"it &lt;broke&gt; ]]&gt; &amp; &quot;why&quot;\" "
               "tests=\"17\" failures=\"1\" errors=\"0\" skipped=\"3\" time=\"0.250\">");
    assert_has(out.at,
               "<failure type=\"race\" message=\"a.c:39: it &lt;broke&gt; ]]&gt; &amp; "
               "&quot;why&quot; (and 1 more)\">it &lt;broke&gt; ]]&gt; &amp; "
               "&quot;why&quot;another</failure>");
    assert_has(
        out.at,
        "<skipped message=\"stopped at the first bug\">a.c:7 x1 runs: it &lt;broke");
    td_text_fini(&out);
    rep_past_fini(&p);
}

static void test_incomplete_is_an_error_of_junit(void **state)
{
    rep_past p = {0};
    add_fact(&p, "verdict", "incomplete");
    add_fact(&p, "stopped", "time limit 1 s");
    add_fact(&p, "leaks", "1");
    td_text out = {0};
    rep_junit(&p, &out);
    assert_xml(out.at);
    assert_has(out.at, "failures=\"0\" errors=\"1\" skipped=\"1\"");
    assert_has(out.at, "<error type=\"incomplete\" message=\"time limit 1 s\"></error>");
    td_text_fini(&out);
    rep_past_fini(&p);
}

static void test_sarif(void **state)
{
    rep_past p = past_of("assert", "/home/x/my bank.c", "it broke");
    td_text out = {0};
    rep_sarif(&p, &out);
    assert_json(out.at);
    assert_has(out.at, "\"ruleId\":\"assert\",\"ruleIndex\":0,\"level\":\"error\"");
    assert_has(
        out.at,
        "\"artifactLocation\":{\"uri\":\"my%20bank.c\"},\"region\":{\"startLine\":39}");
    assert_has(out.at, "\"partialFingerprints\":{\"treadleFinding/v1\":\"assert-71c2\"}");
    assert_has(out.at, "\"state\":{\"balance\":{\"text\":\"29\"}},\"nestingLevel\":1,"
                       "\"executionOrder\":7,\"importance\":\"important\"");
    assert_has(out.at, "\"kinds\":[\"memory\",\"value\",\"danger\"]");
    assert_has(out.at, "\"exitCode\":1");
    td_text_fini(&out);
    rep_past_fini(&p);
}

static void test_perfetto(void **state)
{
    rep_past p = past_of("assert", "bank.c", "it broke");
    td_text out = {0};
    rep_perfetto(&p, &out);
    assert_json(out.at);
    assert_has(
        out.at,
        "{\"ph\":\"X\",\"name\":\"27 it broke\",\"pid\":1,\"tid\":3,\"cat\":\"step\","
        "\"ts\":1,\"dur\":2,");
    assert_has(out.at,
               "{\"ph\":\"s\",\"name\":\"reads what was written\",\"pid\":1,\"tid\":3,"
               "\"cat\":\"flow\",\"id\":1,\"ts\":2.500000}");
    assert_has(out.at,
               "{\"ph\":\"f\",\"name\":\"reads what was written\",\"pid\":1,\"tid\":2,"
               "\"cat\":\"flow\",\"id\":1,\"ts\":3.500000,\"bp\":\"e\"}");
    td_text_fini(&out);
    rep_past_fini(&p);
}

static void test_dot(void **state)
{
    rep_past p = past_of("assert", "bank.c", "x \"y\" \\N \x02\xff");
    td_text out = {0};
    rep_dot(&p, &out);
    assert_has(out.at, "label=\"assert-71c2: x \\\"y\\\" \\\\N  \xef\xbf\xbd\";");
    assert_has(out.at, "f0_1 -> f0_2 [weight=8];");
    assert_has(out.at, "f0_2 -> f0_3 [color=\"#1f5f99\", label=\"from\"];");
    td_text_fini(&out);
    rep_past_fini(&p);
}

static void free_files(rep_input_file_vec *files)
{
    for (size_t i = 0; i < files->len; i++)
        td_free(files->at[i].path);
    rep_input_file_vec_fini(files);
}

static void test_witness(void **state)
{
    static const char *const kinds[] = {"assert", "race"};
    for (size_t i = 0; i < 2; i++) {
        rep_past p = past_of(kinds[i], "/home/x/a.c", "w");
        rep_input_file_vec files = {0};
        td_text out = {0};
        rep_witness_files(&p.pages.at[0], &files);
        assert_int_equal(files.len, 1);
        td_sha256("abc", 3, files.at[0].hash);
        rep_witness(&p, &p.pages.at[0], &files, &out);
        assert_has(out.at,
                   "      input_files:\n        - \"a.c\"\n      input_file_hashes:\n"
                   "        \"a.c\": \"ba7816bf8f01cfea414140de5dae2223");
        assert_has(
            out.at,
            "    - segment:\n        - waypoint:\n            type: \"assumption\"\n"
            "            action: \"follow\"\n            thread_id: 1\n"
            "            location:\n              file_name: \"a.c\"\n"
            "              line: 26\n              function: \"teller\"\n"
            "            constraint:\n              value: \"balance == 100\"\n");
        assert_has(out.at,
                   i == 0 ? "LTL(G ! call(reach_error()))" : "LTL(G ! data-race)");
        assert_has(out.at,
                   i == 0 ? "type: \"target\"\n            action: \"follow\"\n"
                            "            thread_id: 0\n"
                          : "line: 27\n              function: \"w\"\n"
                            "        - waypoint:\n            type: \"target\"\n"
                            "            action: \"follow\"\n            thread_id: 1\n");
        free_files(&files);
        td_text_fini(&out);
        rep_past_fini(&p);
    }
    assert_false(rep_witness_has("deadlock"));
}

/* ---- golden files ---- */

/* TREADLE_GOLDEN is the directory of the files; with TREADLE_UPDATE set they are written. */
static void compare_golden(const char *name, const td_text *text)
{
    td_text path = {0}, expected = {0};
    td_diag diag = {0};
    td_text_add(&path, "%s/%s", getenv("TREADLE_GOLDEN"), name);
    if (getenv("TREADLE_UPDATE") != NULL)
        assert_int_equal(td_file_write(path.at, text->at, text->len, &diag), TD_OK);
    if (td_file_read(path.at, 1 << 20, &expected, &diag) != TD_OK)
        fail_msg("%s", diag.text);
    if (strcmp(expected.at, text->at) != 0)
        fail_msg("not as in %s, but:\n%s", path.at, text->at);
    td_text_fini(&path);
    td_text_fini(&expected);
}

static void golden_witness(const rep_past *p, td_text *out)
{
    rep_input_file_vec files = {0};
    rep_witness_files(&p->pages.at[0], &files);
    for (size_t i = 0; i < files.len; i++)
        td_sha256("", 0, files.at[i].hash);
    rep_witness(p, &p->pages.at[0], &files, out);
    free_files(&files);
}

/* The page of examples/bank as a session left it, in every format, byte by byte. */
static void test_golden(void **state)
{
    static const struct {
        const char *name;
        void (*put)(const rep_past *p, td_text *out);
    } formats[] = {{"bank.sarif", rep_sarif},       {"bank.junit.xml", rep_junit},
                   {"bank.dot", rep_dot},           {"bank.perfetto.json", rep_perfetto},
                   {"bank.github.txt", rep_github}, {"bank.witness.yml", golden_witness}};
    rep_past p = {.root = td_strdup("")};
    rep_page page;
    td_text json = {0}, path = {0};
    td_diag diag = {0};
    if (getenv("TREADLE_GOLDEN") == NULL)
        skip();
    td_text_add(&path, "%s/bank.page.json", getenv("TREADLE_GOLDEN"));
    assert_int_equal(td_file_read(path.at, 1 << 20, &json, &diag), TD_OK);
    if (rep_page_parse(json.at, json.len, &page, &diag) != TD_OK)
        fail_msg("%s", diag.text);
    rep_page_vec_push(&p.pages, page);
    add_fact(&p, "version", TREADLE_VERSION);
    add_fact(&p, "program", "./bank 30 71");
    add_fact(&p, "started", "2026-11-15T12:00:00Z");
    add_fact(&p, "verdict", "bug");
    add_fact(&p, "goal", "states");
    add_fact(&p, "runs", "5");
    add_fact(&p, "stopped", "stopped at the first bug");
    det_ledger_add(&p.ledger, "runs", "", 0, "run limit 5");
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        td_text out = {0};
        formats[i].put(&p, &out);
        compare_golden(formats[i].name, &out);
        td_text_fini(&out);
    }
    td_text_fini(&json);
    td_text_fini(&path);
    rep_past_fini(&p);
}

/* Whatever bytes a program has in its names, what comes out can be read (F1). */
static void test_hostile_names(void **state)
{
    td_rng rng = {2026};
    for (unsigned round = 0; round < 300; round++) {
        char word[24] = "";
        for (unsigned i = 0; i < sizeof word - 1; i++) {
            uint64_t r = td_rng_next(&rng);
            word[i] =
                r & 1 ? "\"\\]><&%\n\r\x7f{}:',/"[r >> 8 & 15] : (char)(r >> 8 & 255);
            word[i] = word[i] != '\0' ? word[i] : '0';
        }
        rep_past p = past_of(round & 1 ? "race" : "assert", word, word);
        td_text out = {0};
        rep_sarif(&p, &out);
        assert_json(out.at);
        td_text_clear(&out);
        rep_perfetto(&p, &out);
        assert_json(out.at);
        td_text_clear(&out);
        rep_junit(&p, &out);
        assert_xml(out.at);
        td_text_clear(&out);
        rep_github(&p, &out);
        assert_true(strncmp(out.at, "::error ", 8) == 0);
        const char *second = strchr(out.at, '\n') + 1;
        assert_true(strncmp(second, "::warning ", 10) == 0);
        assert_string_equal(strchr(second, '\n'), "\n");
        td_text_fini(&out);
        rep_past_fini(&p);
    }
}

/* ---- reading JSON ---- */

static void test_json_is_read_in_every_version(void **state)
{
    (void)state;
    static const struct {
        const char *text, *value; /* of the string in the text; NULL: refused */
    } cases[] = {
        {"[\"a\"]", "a"},
        {" [ \"\xc3\xa4\" ] \r\n\t", "\xc3\xa4"},
        {"[\"f\xc3\xbcr \xe2\x82\xac\"]", "f\xc3\xbcr \xe2\x82\xac"},
        {"[\"\xf0\x9f\xa7\xb5\"]", "\xf0\x9f\xa7\xb5"},
        {"[\"\xf4\x8f\xbf\xbf\xef\xbf\xbd\x7f\"]", "\xf4\x8f\xbf\xbf\xef\xbf\xbd\x7f"},
        {"[\"\\u00e4\\\\\xc3\xa4\\\"\"]", "\xc3\xa4\\\xc3\xa4\""},
        {"[\"\\\xc3\xa4\"]", NULL},       /* an escape that does not exist */
        {"[\"\xfc\"]", NULL},             /* Latin-1 */
        {"[\"\xc0\xaf\"]", NULL},         /* overlong */
        {"[\"\xed\xa0\x80\"]", NULL},     /* a surrogate */
        {"[\"\xf4\x90\x80\x80\"]", NULL}, /* beyond the last character */
        {"[\"\xe2\x82", NULL},
        {"[\xc3\xa4]", NULL},
        {"[\"a\"]\xc3\xa4", NULL},
        {"[\"a\nb\"]", NULL}, /* controls are escaped */
        {"[\"a\"] x", NULL},
        {"[\"a\",]", NULL},
        {"['a']", NULL},
        {"[[\"a\"]]", NULL}, /* too deep */
        {"[\"a\"", NULL},
        {"", NULL},
        {" ", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        json_object *o = rep_json_read(cases[i].text, strlen(cases[i].text), 2);
        if ((o != NULL) != (cases[i].value != NULL))
            fail_msg("'%s' is %s", cases[i].text, o != NULL ? "read" : "refused");
        if (o != NULL)
            assert_string_equal(json_object_get_string(json_object_array_get_idx(o, 0)),
                                cases[i].value);
        json_object_put(o);
    }
    assert_null(rep_json_read("[\"a\"]\0 ", 7, 2));
    json_object *part = rep_json_read("[\"a\"]\xc3", 5, 2);
    assert_non_null(part);
    json_object_put(part);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sha256),
        cmocka_unit_test(test_xml_escapes),
        cmocka_unit_test(test_paths_are_relative_to_the_root),
        cmocka_unit_test(test_github),
        cmocka_unit_test(test_lcov),
        cmocka_unit_test(test_junit),
        cmocka_unit_test(test_incomplete_is_an_error_of_junit),
        cmocka_unit_test(test_sarif),
        cmocka_unit_test(test_perfetto),
        cmocka_unit_test(test_dot),
        cmocka_unit_test(test_witness),
        cmocka_unit_test(test_golden),
        cmocka_unit_test(test_hostile_names),
        cmocka_unit_test(test_json_is_read_in_every_version),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
