/* SPDX-License-Identifier: Apache-2.0 */
/* Results of many programs as JUnit XML. */
#include "report/formats/harness_results.h"

#include "base/assert.h"
#include "report/formats/xml_text.h"

static size_t count(const rep_cases *c, rep_case_state state)
{
    size_t n = 0;
    for (size_t i = 0; i < c->cases.len; i++)
        n += c->cases.at[i].state == state;
    return n;
}

static void put_case(const char *suite, const rep_case *c, td_text *out)
{
    td_text_add(out, "    <testcase");
    rep_xml_attribute(out, "classname", suite);
    rep_xml_attribute(out, "name", c->name);
    td_text_add(out, " time=\"0\"");
    if (c->state == REP_PASSED) {
        td_text_add(out, "/>\n");
        return;
    }
    static const char *const elements[] = {
        [REP_FAILED] = "failure", [REP_ERROR] = "error", [REP_SKIPPED] = "skipped"};
    TD_ASSERT((size_t)c->state < sizeof elements / sizeof elements[0]);
    const char *element = elements[c->state];
    td_text_add(out, ">\n      <%s", element);
    if (c->state != REP_SKIPPED)
        rep_xml_attribute(out, "type", c->type != NULL ? c->type : element);
    rep_xml_attribute(out, "message", c->message != NULL ? c->message : "");
    td_text_add(out, ">");
    rep_xml_put(out, c->text != NULL ? c->text : "");
    td_text_add(out, "</%s>\n    </testcase>\n", element);
}

static void put_facts(const rep_cases *c, td_text *out)
{
    if (c->n_facts == 0)
        return;
    td_text_add(out, "    <properties>\n");
    for (size_t i = 0; i < c->n_facts; i++) {
        td_text_add(out, "      <property");
        rep_xml_attribute(out, "name", c->facts[i].name);
        rep_xml_attribute(out, "value", c->facts[i].value);
        td_text_add(out, "/>\n");
    }
    td_text_add(out, "    </properties>\n");
}

static void put_suite(const rep_cases *c, td_text *out)
{
    td_text_add(out, "  <testsuite");
    rep_xml_attribute(out, "name", c->name);
    td_text_add(out, " tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"%zu\"",
                c->cases.len, count(c, REP_FAILED), count(c, REP_ERROR),
                count(c, REP_SKIPPED));
    td_text_add(out, " time=\"%.3f\">\n", c->seconds);
    put_facts(c, out);
    for (size_t i = 0; i < c->cases.len; i++)
        put_case(c->name, &c->cases.at[i], out);
    td_text_add(out, "  </testsuite>\n");
}

void rep_cases_junit(const rep_cases *suites, size_t n, td_text *out)
{
    size_t tests = 0, failures = 0, errors = 0, skipped = 0;
    double seconds = 0;
    for (size_t i = 0; i < n; i++) {
        tests += suites[i].cases.len;
        failures += count(&suites[i], REP_FAILED);
        errors += count(&suites[i], REP_ERROR);
        skipped += count(&suites[i], REP_SKIPPED);
        seconds += suites[i].seconds;
    }
    td_text_add(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                     "<testsuites name=\"treadle\"");
    td_text_add(out, " tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"%zu\"",
                tests, failures, errors, skipped);
    td_text_add(out, " time=\"%.3f\">\n", seconds);
    for (size_t i = 0; i < n; i++)
        put_suite(&suites[i], out);
    td_text_add(out, "</testsuites>\n");
}

void rep_cases_fini(rep_cases *c)
{
    for (size_t i = 0; i < c->cases.len; i++) {
        td_free(c->cases.at[i].name);
        td_free(c->cases.at[i].message);
        td_free(c->cases.at[i].text);
    }
    rep_case_vec_fini(&c->cases);
}
