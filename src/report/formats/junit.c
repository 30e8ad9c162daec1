/* SPDX-License-Identifier: Apache-2.0 */
/* A session as JUnit XML. The program is a suite; each kind of bug is a case, which fails if there
 * are findings of it; the exploration is one more, an error if it is incomplete or has not ended. */
#include "report/formats/harness_results.h"
#include "report/formats/formats.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static bool is_of(const rep_page *p, det_kind kind)
{
    return rep_kind_named(p->kind) == kind;
}

/* Some bugs are looked for only on request. */
static bool is_looked_for(const rep_past *p, det_kind kind)
{
    if (kind == DET_LEAK)
        return rep_past_number(p, "leaks") > 0;
    if (kind == DET_EXIT)
        return rep_past_number(p, "exit_code") > 0;
    return true;
}

/* One failure for all findings of a kind: that is what readers expect of a case. */
static void add_kind(const rep_past *p, det_kind kind, rep_cases *out)
{
    td_text message = {0}, text = {0};
    size_t n = 0;
    for (size_t i = 0; i < p->pages.len; i++) {
        const rep_page *page = &p->pages.at[i];
        if (!is_of(page, kind))
            continue;
        if (n++ == 0)
            td_text_add(&message, "%s:%" PRIu32 ": %s", rep_past_path(p, page->at.file),
                        page->at.line, page->message);
        td_text_add(&text, "%s", page->text);
    }
    if (n > 1)
        td_text_add(&message, " (and %zu more)", n - 1);
    rep_case one = {.name = td_strdup(rep_rule_of(kind)->title),
                    .state = n > 0 ? REP_FAILED : REP_PASSED,
                    .type = rep_rule_of(kind)->id,
                    .message = message.at,
                    .text = text.at};
    if (n == 0 && !is_looked_for(p, kind)) {
        one.state = REP_SKIPPED;
        one.message = td_strdup("not asked for");
    }
    rep_case_vec_push(&out->cases, one);
}

static void put_gaps(const rep_past *p, td_text *out)
{
    for (size_t i = 0; i < p->ledger.gaps.len; i++) {
        const det_gap *g = &p->ledger.gaps.at[i];
        if (g->file[0] != '\0')
            td_text_add(out, "%s:%" PRIu32 " ", rep_past_path(p, g->file), g->line);
        td_text_add(out, "x%" PRIu64 " %s%s%s\n", g->count, g->kind,
                    g->text[0] != '\0' ? ": " : "", g->text);
    }
}

static void add_exploration(const rep_past *p, rep_cases *out)
{
    const char *stopped = rep_past_stopped(p);
    rep_verdict v = rep_past_verdict(p);
    bool is_failed = v != REP_VERDICT_COMPLETE && v != REP_VERDICT_BUG;
    td_text gaps = {0};
    put_gaps(p, &gaps);
    rep_case one = {.name = td_strdup("exploration"),
                    .state = is_failed            ? REP_ERROR
                             : stopped[0] != '\0' ? REP_SKIPPED
                                                  : REP_PASSED,
                    .type = is_failed && v != REP_N_VERDICTS ? rep_verdict_of(v)->id
                                                             : "incomplete",
                    .message = td_strdup(stopped[0] != '\0' ? stopped : "incomplete"),
                    .text = gaps.at};
    rep_case_vec_push(&out->cases, one);
}

void rep_junit(const rep_past *p, td_text *out)
{
    static const char *const names[] = {"version", "goal",   "search", "verdict", "seed",
                                        "runs",    "events", "traces", "digest"};
    enum { N_NAMES = sizeof names / sizeof names[0] };
    const char *program = rep_past_fact(p, "program");
    rep_fact facts[N_NAMES];
    rep_cases suite = {.name = program[0] != '\0' ? program : "program",
                       .seconds = strtod(rep_past_fact(p, "seconds"), NULL),
                       .facts = facts};
    for (size_t i = 0; i < N_NAMES; i++)
        if (rep_past_fact(p, names[i])[0] != '\0')
            facts[suite.n_facts++] =
                (rep_fact){(char *)names[i], (char *)rep_past_fact(p, names[i])};
    for (unsigned k = 0; k < DET_N_KINDS; k++)
        add_kind(p, (det_kind)k, &suite);
    add_exploration(p, &suite);
    rep_cases_junit(&suite, 1, out);
    rep_cases_fini(&suite);
}
