/* SPDX-License-Identifier: Apache-2.0 */
/* A suite as JUnit XML: each harness is a suite; its cases are the known recordings, the kinds of
 * bugs that are looked for, and the exploration itself. */
#include <inttypes.h>
#include <string.h>

#include "base/assert.h"
#include "base/text.h"
#include "detect/detect.h"
#include "report/formats/harness_results.h"
#include "suite/suite_int.h"

static char *or_null(const char *text)
{
    return text ? td_strdup(text) : NULL;
}

/* Where a bug is expected, it is not a failure. */
static bool is_excused(const sui_harness *h)
{
    return h->is_expected && h->expect == SUI_EXPECT_BUG;
}

static void add_known(rep_cases *c, const sui_harness *h, const sui_known *k)
{
    td_text name = {0}, text = {0};
    td_text_add(&name, "known %s %s", k->is_bug ? "bug" : "run", k->id);
    sui_known_text(k, &text);
    rep_case one = {.name = name.at, .state = REP_PASSED};
    if (k->state == SUI_FAILS && !is_excused(h)) {
        one.state = REP_FAILED;
        one.type = "known";
    } else if (k->state == SUI_UNREADABLE || k->state == SUI_UNCHECKED) {
        one.state = REP_ERROR;
        one.type = "unusable";
    } else if (k->state == SUI_LEFT && !k->is_bug) {
        one.state = REP_FAILED;
        one.type = "not-reproduced";
    }
    one.message = text.at;
    rep_case_vec_push(&c->cases, one);
}

/* Bugs that are looked for only on request are cases only if they were found. */
static bool is_looked_for(det_kind kind, size_t n_found)
{
    return n_found > 0 || kind != DET_LEAK;
}

static void add_kind(rep_cases *c, const sui_harness *h, det_kind kind)
{
    TD_ASSERT(kind < DET_N_KINDS);
    rep_case one = {.state = REP_PASSED, .type = det_kind_id(kind)};
    td_text text = {0};
    size_t n = 0;
    for (size_t i = 0; i < h->past.findings.len; i++) {
        const sto_found *f = &h->past.findings.at[i];
        if (strcmp(f->kind, det_kind_id(kind)) != 0)
            continue;
        td_text_add(&text, "%s:%" PRIu32 ": %s (%s)\n", f->file, f->line, f->message,
                    f->recording);
        n++;
    }
    if (is_looked_for(kind, n)) {
        one.name = td_strdup(det_kind_title(kind));
        if (n > 0 && !is_excused(h)) {
            one.state = REP_FAILED;
            one.message = td_strdup(text.at);
            one.message[strcspn(one.message, "\n")] = 0;
            one.text = td_strdup(text.at);
        }
        rep_case_vec_push(&c->cases, one);
    }
    td_text_fini(&text);
}

static void add_exploration(rep_cases *c, const sui_harness *h)
{
    bool passes = h->is_expected || h->outcome == SUI_BUG;
    rep_case_vec_push(&c->cases,
                      (rep_case){.name = td_strdup("exploration"),
                                 .state = passes ? REP_PASSED : REP_ERROR,
                                 .type = h->outcome == SUI_NOTHING
                                             ? rep_verdict_of(REP_VERDICT_NOTHING)->id
                                         : h->outcome == SUI_SUSPECTED
                                             ? rep_verdict_of(REP_VERDICT_SUSPECTED)->id
                                             : "incomplete",
                                 .message = or_null(h->why)});
}

static void add_all(rep_cases *c, const sui_harness *h)
{
    for (size_t i = 0; i < h->known.len; i++)
        add_known(c, h, &h->known.at[i]);
    if (*sto_past_fact(&h->past, "verdict"))
        for (unsigned k = 0; k < DET_N_KINDS; k++)
            add_kind(c, h, (det_kind)k);
    if (!h->replay_only)
        add_exploration(c, h);
}

td_status sui_write_junit(const sui *s, td_diag *diag)
{
    rep_cases *suites = td_alloc((s->all.len + 1) * sizeof *suites);
    td_text text = {0};
    for (size_t i = 0; i < s->all.len; i++) {
        suites[i].name = s->all.at[i].name;
        suites[i].seconds = s->all.at[i].seconds;
        add_all(&suites[i], &s->all.at[i]);
    }
    rep_cases_junit(suites, s->all.len, &text);
    td_status status = td_file_write(s->opts->junit, text.at, text.len, diag);
    for (size_t i = 0; i < s->all.len; i++)
        rep_cases_fini(&suites[i]);
    td_free(suites);
    td_text_fini(&text);
    return status;
}
