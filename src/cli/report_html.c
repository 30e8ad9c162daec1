/* SPDX-License-Identifier: Apache-2.0 */
/* treadle report --html: makes the page of a session (report/session_page.h) with the current source files. */
#include <string.h>

#include "base/assert.h"
#include "cli/cli.h"
#include "report/session_page.h"

#define MAX_SOURCE ((size_t)2 << 20) /* bytes of a file */
#define MAX_SOURCES 200u

TD_VEC(rep_session_fact, fact_vec);
TD_VEC(rep_session_side, side_vec);
TD_VEC(rep_session_gap, gap_vec);
TD_VEC(rep_session_source, source_vec);

/* These are pages of text themselves. */
static bool is_long(const char *name)
{
    return strcmp(name, "json") == 0 || strcmp(name, "summary") == 0 ||
           strcmp(name, "words") == 0;
}

static void add_source(source_vec *out, const char *file)
{
    td_text text = {0};
    for (size_t i = out->len; i > 0; i--)
        if (strcmp(out->at[i - 1].file, file) == 0)
            return;
    if (out->len == MAX_SOURCES)
        return;
    if (td_file_read(file, MAX_SOURCE, &text, NULL) != TD_OK)
        td_text_clear(&text);
    TD_ASSERT(out->len < MAX_SOURCES);
    source_vec_push(out, (rep_session_source){file, text.at});
}

static void add_all(const rep_past *p, fact_vec *facts, side_vec *sides, gap_vec *gaps)
{
    for (size_t i = 0; i < p->facts.len; i++)
        if (!is_long(p->facts.at[i].name))
            fact_vec_push(facts,
                          (rep_session_fact){p->facts.at[i].name, p->facts.at[i].value});
    for (size_t i = 0; i < p->coverage.sides.len; i++) {
        const det_cov_side *d = &p->coverage.sides.at[i];
        side_vec_push(sides, (rep_session_side){.file = d->file,
                                                .function = d->function,
                                                .line = d->line,
                                                .column = d->column,
                                                .side = d->side,
                                                .n_sides = d->n_sides,
                                                .is_taken = d->taken});
    }
    for (size_t i = 0; i < p->ledger.gaps.len; i++) {
        const det_gap *g = &p->ledger.gaps.at[i];
        gap_vec_push(gaps,
                     (rep_session_gap){g->kind, g->file, g->line, g->count, g->text});
    }
}

void cli_report_html(const rep_past *p, const char *dir, td_text *out)
{
    TD_ASSERT(dir != NULL && out->len == 0);
    fact_vec facts = {0};
    side_vec sides = {0};
    gap_vec gaps = {0};
    source_vec sources = {0};
    add_all(p, &facts, &sides, &gaps);
    for (size_t i = 0; i < sides.len; i++)
        add_source(&sources, sides.at[i].file);
    rep_session_html(&(rep_session_page){.program = rep_past_fact(p, "program"),
                                         .verdict = rep_past_fact(p, "verdict"),
                                         .stopped = rep_past_fact(p, "stopped"),
                                         .version = rep_past_fact(p, "version"),
                                         .dir = dir,
                                         .facts = facts.at,
                                         .n_facts = facts.len,
                                         .findings = p->pages.at,
                                         .n_findings = p->pages.len,
                                         .sides = sides.at,
                                         .n_sides = sides.len,
                                         .sources = sources.at,
                                         .n_sources = sources.len,
                                         .samples = p->samples.at,
                                         .n_samples = p->samples.len,
                                         .solver = &p->solver,
                                         .ledger = gaps.at,
                                         .n_ledger = gaps.len,
                                         .text = rep_past_fact(p, "summary")},
                     out);
    for (size_t i = 0; i < sources.len; i++)
        td_free((char *)sources.at[i].text);
    fact_vec_fini(&facts);
    side_vec_fini(&sides);
    gap_vec_fini(&gaps);
    source_vec_fini(&sources);
}
