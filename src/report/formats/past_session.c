/* SPDX-License-Identifier: Apache-2.0 */
/* A session that has ended, as data; and its end. */
#include "report/formats/past_session.h"

#include <stdlib.h>
#include <string.h>

const char *rep_past_fact(const rep_past *p, const char *name)
{
    for (size_t i = 0; i < p->facts.len; i++)
        if (strcmp(p->facts.at[i].name, name) == 0)
            return p->facts.at[i].value;
    return "";
}

uint64_t rep_past_number(const rep_past *p, const char *name)
{
    return strtoull(rep_past_fact(p, name), NULL, 10);
}

rep_verdict rep_past_verdict(const rep_past *p)
{
    const char *id = rep_past_fact(p, "verdict");
    rep_verdict v = rep_verdict_named(id);
    return v == REP_N_VERDICTS && id[0] != '\0' ? REP_VERDICT_INCOMPLETE : v;
}

const char *rep_past_stopped(const rep_past *p)
{
    const char *stopped = rep_past_fact(p, "stopped");
    rep_verdict v = rep_past_verdict(p);
    if (v == REP_N_VERDICTS || v == REP_VERDICT_NOTHING)
        return rep_verdict_of(v)->clause;
    return v == REP_VERDICT_INCOMPLETE && stopped[0] == '\0' ? "unknown" : stopped;
}

const char *rep_past_path(const rep_past *p, const char *file)
{
    size_t n = p->root != NULL ? strlen(p->root) : 0;
    if (n > 0 && strncmp(file, p->root, n) == 0 && file[n] != '\0')
        return file + n;
    while (strncmp(file, "./", 2) == 0 && file[2] != '\0')
        file += 2;
    return file;
}

void rep_past_fini(rep_past *p)
{
    for (size_t i = 0; i < p->facts.len; i++) {
        td_free(p->facts.at[i].name);
        td_free(p->facts.at[i].value);
    }
    for (size_t i = 0; i < p->pages.len; i++)
        rep_page_fini(&p->pages.at[i]);
    rep_fact_vec_fini(&p->facts);
    rep_page_vec_fini(&p->pages);
    rep_sample_vec_fini(&p->samples);
    for (size_t i = 0; i < p->solver.n_stages; i++)
        td_free((char *)p->solver.stages[i].name);
    det_coverage_fini(&p->coverage);
    det_events_fini(&p->events);
    det_ledger_fini(&p->ledger);
    td_free(p->dir);
    td_free(p->root);
    *p = (rep_past){0};
}
