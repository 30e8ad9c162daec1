/* SPDX-License-Identifier: Apache-2.0 */
/* Pages for a browser: nothing of the data becomes markup, nothing is lost. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"
#include "report/html/html_int.h"

#define EVIL "</script><script>alert(1)</script><!--<b>'\"&"

static size_t times(const char *text, const char *word)
{
    size_t n = 0;
    for (const char *p = text; (p = strstr(p, word)) != NULL; p += strlen(word))
        n++;
    return n;
}

/* ---- escapes ---- */

static void text_has_no_markup(void **state)
{
    td_text out = {0};
    rep_html_put_text(&out, "a<b> & \"c\" 'd'");
    assert_string_equal(out.at, "a&lt;b&gt; &amp; &quot;c&quot; &#39;d&#39;");
    rep_html_put_text(&out, NULL);
    assert_int_equal(times(out.at, "a"), 2); /* of "a" and "&amp;" */
    td_text_fini(&out);
}

static void json_in_a_script_ends_nothing(void **state)
{
    const char json[] = "[\"</script>\",\"<!--\",\"x\"]<";
    td_text out = {0};
    rep_html_put_json(&out, json, strlen(json));
    assert_string_equal(out.at, "[\"\\u003c/script>\",\"\\u003c!--\",\"x\"]\\u003c");
    td_text_fini(&out);
}

/* ---- pieces ---- */

static void check_pieces(const char *const *pieces)
{
    for (size_t i = 0; i < REP_WEB_PIECES; i++) {
        assert_true(strlen(pieces[i]) > 0);
        assert_null(strstr(pieces[i], "{{"));
    }
    assert_int_equal(strncmp(pieces[0], "<!DOCTYPE html>", 15), 0);
    assert_non_null(strstr(pieces[0], "default-src 'none'"));
    /* Nothing is fetched: the only addresses are the name of SVG and links to an editor. */
    for (size_t i = 0; i < REP_WEB_PIECES; i++) {
        assert_int_equal(times(pieces[i], "://"),
                         times(pieces[i], "http://www.w3.org/2000/svg") +
                             times(pieces[i], "editor + '://file'"));
        assert_null(strstr(pieces[i], "innerHTML"));
        assert_null(strstr(pieces[i], " src="));
    }
    assert_non_null(strstr(pieces[3], "</html>"));
}

static void pages_are_whole_and_alone(void **state)
{
    check_pieces(rep_web_finding);
    check_pieces(rep_web_session);
}

/* ---- pages ---- */

static rep_page_place place(char *text)
{
    return (rep_page_place){.file = text, .function = text, .line = 7};
}

/* Every text is the same; all is borrowed, so there is nothing to free but the vectors. */
static rep_page page_of(char *text)
{
    rep_page p = {
        .id = text, .kind = text, .title = text, .message = text, .values = text};
    p.program = p.version = p.recording = p.schedule = p.condition = p.hidden = p.output =
        p.output_of = p.text = text;
    p.at = place(text);
    p.fix = (rep_fix){.is_found = true, .kind = text, .change = text, .excerpt = text};
    p.fix.note = p.fix.explored = p.fix.command = p.fix.same_as = text;
    rep_page_text_vec_push(&p.args, text);
    rep_page_text_vec_push(&p.why, text);
    rep_page_input_vec_push(&p.inputs, (rep_page_input){text, text, text, true});
    rep_page_thread_vec_push(&p.threads,
                             (rep_page_thread){text, text, text, place(text), true});
    rep_page_act_vec_push(&p.acts, (rep_page_act){.kind = text,
                                                  .text = text,
                                                  .object = text,
                                                  .value = text,
                                                  .old = text,
                                                  .from = REP_PAGE_NONE,
                                                  .after = REP_PAGE_NONE,
                                                  .shown = true,
                                                  .is_choice = true,
                                                  .fails = true});
    rep_page_step_vec_push(&p.steps, (rep_page_step){.number = 1,
                                                     .at = place(text),
                                                     .source = text,
                                                     .stop = text,
                                                     .calls = text,
                                                     .n_acts = 1,
                                                     .fails = true});
    rep_page_party_vec_push(&p.parties, (rep_page_party){text, 0, place(text), text});
    rep_page_source_vec_push(&p.sources, (rep_page_source){text, 1, text});
    return p;
}

static void page_forget(rep_page *p)
{
    rep_page_text_vec_fini(&p->args);
    rep_page_text_vec_fini(&p->why);
    rep_page_input_vec_fini(&p->inputs);
    rep_page_thread_vec_fini(&p->threads);
    rep_page_act_vec_fini(&p->acts);
    rep_page_step_vec_fini(&p->steps);
    rep_page_party_vec_fini(&p->parties);
    rep_page_source_vec_fini(&p->sources);
}

/* The scripts and the texts between them, nothing else. */
static void check_unharmed(const td_text *html)
{
    assert_int_equal(times(html->at, "<script"), 2);
    assert_int_equal(times(html->at, "</script"), 2);
    assert_null(strstr(html->at, "<script>alert"));
    assert_null(strstr(html->at, "<b>"));
    assert_non_null(strstr(html->at, "\\u003c/script>\\u003cscript>alert(1)"));
    assert_int_equal(times(html->at, "</noscript>"), 1);
}

static void hostile_names_stay_text(void **state)
{
    rep_page p = page_of((char *)EVIL);
    td_text html = {0}, again = {0};
    rep_page_html(&p, &html);
    check_unharmed(&html);
    rep_page_html(&p, &again);
    assert_string_equal(html.at, again.at); /* H2 */
    td_text_fini(&html);
    td_text_fini(&again);
    page_forget(&p);
}

static void data_of_a_step(void **state)
{
    rep_page p = page_of((char *)"x");
    td_text data = {0};
    rep_html_finding_data(&p, &data);
    /* thread, number, place, source, stop, calls, flags, acts; the only word is "x" */
    assert_non_null(
        strstr(data.at, "\"steps\":[[0,1,[0,7,0],0,0,0,4,[[\"x\",0,-1,-1,7]]]]"));
    assert_non_null(strstr(data.at, "\"words\":[\"x\"]"));
    td_text_fini(&data);
    page_forget(&p);
}

static void many_words_are_distinct(void **state)
{
    enum { N = 1000 };
    static char names[N][8];
    rep_page p = page_of((char *)"x");
    for (int i = 0; i < N; i++) {
        names[i][0] = 'n';
        for (int k = 0, v = i; k < 4; k++, v /= 10)
            names[i][1 + k] = (char)('0' + v % 10);
        rep_page_act a = p.acts.at[0];
        a.object = names[i];
        rep_page_act_vec_push(&p.acts, a);
        rep_page_act_vec_push(&p.acts, a);
    }
    p.steps.at[0].n_acts = 2 * N + 1;
    td_text data = {0};
    rep_html_finding_data(&p, &data);
    for (int i = 0; i < N; i++)
        assert_int_equal(times(data.at, names[i]), 1);
    assert_int_equal(times(data.at, "[\"x\",1000,-1,-1,7]"), 2);
    td_text_fini(&data);
    page_forget(&p);
}

static void session_of_hostile_names(void **state)
{
    rep_page pages[2] = {page_of((char *)EVIL), page_of((char *)EVIL)};
    rep_session_fact fact = {EVIL, EVIL};
    rep_session_side side = {EVIL, EVIL, 1, 1, 0, 2, true};
    rep_session_source source = {EVIL, EVIL};
    rep_session_gap gap = {EVIL, EVIL, 1, 1, EVIL};
    rep_solver solver = {.n_stages = 1, .stages = {{EVIL, 1, 1, 0.5}}};
    rep_session_sample sample = {.ms = 1, .runs = 2};
    rep_session_page s = {.program = EVIL,
                          .verdict = EVIL,
                          .stopped = EVIL,
                          .version = EVIL,
                          .dir = EVIL,
                          .facts = &fact,
                          .n_facts = 1,
                          .findings = pages,
                          .n_findings = 2,
                          .sides = &side,
                          .n_sides = 1,
                          .sources = &source,
                          .n_sources = 1,
                          .samples = &sample,
                          .n_samples = 1,
                          .solver = &solver,
                          .ledger = &gap,
                          .n_ledger = 1,
                          .text = EVIL};
    td_text html = {0};
    rep_session_html(&s, &html);
    check_unharmed(&html);
    td_text_fini(&html);
    page_forget(&pages[0]);
    page_forget(&pages[1]);
}

static void session_without_anything(void **state)
{
    rep_session_page s = {0};
    td_text html = {0}, data = {0};
    rep_session_html(&s, &html);
    assert_non_null(strstr(html.at, "</html>"));
    rep_html_session_data(&s, &data);
    assert_non_null(strstr(data.at, "\"findings\":[]"));
    assert_null(strstr(data.at, "\"solver\""));
    td_text_fini(&html);
    td_text_fini(&data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_has_no_markup),
        cmocka_unit_test(json_in_a_script_ends_nothing),
        cmocka_unit_test(pages_are_whole_and_alone),
        cmocka_unit_test(hostile_names_stay_text),
        cmocka_unit_test(data_of_a_step),
        cmocka_unit_test(many_words_are_distinct),
        cmocka_unit_test(session_of_hostile_names),
        cmocka_unit_test(session_without_anything),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
