/* SPDX-License-Identifier: Apache-2.0 */
/* Explains why an unfinished search is large: the objects and lines with the most alternatives in a sample of
 * its runs. */
#include "session/session_int.h"

#include <stdlib.h>

#include "base/assert.h"

/* number of objects that are reported, those with the most pairs */
#define MOST_SPOTS 256u

TD_VEC(rep_hot, hot_vec);
TD_VEC(rep_hot_line, line_vec);

static int more_pairs(const void *a, const void *b)
{
    const xpl_spot *x = *(const xpl_spot *const *)a, *y = *(const xpl_spot *const *)b;
    if (x->n != y->n)
        return x->n < y->n ? 1 : -1;
    return x->object < y->object ? -1 : x->object > y->object;
}

static int hotter(const void *a, const void *b)
{
    const rep_hot *x = a, *y = b;
    if (x->n != y->n)
        return x->n < y->n ? 1 : -1;
    return strcmp(x->name, y->name);
}

static int more_often(const void *a, const void *b)
{
    const rep_hot_line *x = a, *y = b;
    if (x->n != y->n)
        return x->n < y->n ? 1 : -1;
    int order = strcmp(x->file, y->file);
    return order != 0 ? order : x->line < y->line ? -1 : x->line > y->line;
}

/* ---- lines ---- */

static void line_add(line_vec *lines, const char *file, uint32_t line, uint64_t n)
{
    for (size_t i = 0; i < lines->len; i++)
        if (lines->at[i].line == line && strcmp(lines->at[i].file, file) == 0) {
            lines->at[i].n += n;
            return;
        }
    line_vec_push(lines, (rep_hot_line){file, line, n});
}

/* Finds the lines with the most alternatives; returns their number. Sites without a line are left out. */
static size_t top_lines(const ses *s, const xpl_spot_site_vec *sites,
                        rep_hot_line out[REP_MOST_HOT])
{
    line_vec lines = {0};
    for (size_t i = 0; i < sites->len; i++) {
        trc_site at = trc_site_at(s->exec->sites(s->run), sites->at[i].site);
        if (at.line > 0)
            line_add(&lines, at.file, at.line, sites->at[i].n);
    }
    if (lines.len > 0)
        qsort(lines.at, lines.len, sizeof lines.at[0], more_often);
    size_t n = lines.len < REP_MOST_HOT ? lines.len : REP_MOST_HOT;
    for (size_t i = 0; i < n; i++)
        out[i] = lines.at[i];
    line_vec_fini(&lines);
    return n;
}

/* ---- objects ---- */

/* The site of a wait names the condition variable, not the mutex that it takes again. */
static bool names_another(const trc_site *at, uint8_t kind)
{
    return mdl_is_lock(kind) &&
           (strstr(at->callee, "cond_") || strncmp(at->callee, "cnd_", 4) == 0);
}

/* Finds the object's name by the program's symbols, otherwise by one of its lines; "" if there is none. */
static const char *name_of(const ses *s, const xpl_spot *spot)
{
    trc_sites *sites = s->exec->sites(s->run);
    const char *global = trc_object_name(sites, spot->object);
    for (size_t i = 0; !global[0] && i < spot->sites.len; i++) {
        trc_site at = trc_site_at(sites, spot->sites.at[i].site);
        if (at.name[0] && !names_another(&at, spot->kind))
            return at.name;
    }
    return global;
}

/* Objects of one name, the locks of all nodes of a list, count together. */
static rep_hot *hot_of(hot_vec *hot, const char *name)
{
    for (size_t i = 0; name[0] && i < hot->len; i++)
        if (strcmp(hot->at[i].name, name) == 0)
            return &hot->at[i];
    hot_vec_push(hot, (rep_hot){.name = td_strdup(name)});
    return &hot->at[hot->len - 1];
}

static void hot_add(const ses *s, const xpl_spot *spot, hot_vec *hot)
{
    rep_hot *h = hot_of(hot, name_of(s, spot));
    if (h->n == 0) { /* the first object has the most pairs */
        h->n_lines = top_lines(s, &spot->sites, h->lines);
        h->what = mdl_is_access(spot->kind) ? "memory" : det_object_text(spot->kind);
    }
    h->n += spot->n;
    h->threads = spot->n_threads > h->threads ? spot->n_threads : h->threads;
    h->uses = spot->most_uses > h->uses ? spot->most_uses : h->uses;
}

static void take_hot(const ses *s, rep_large *l)
{
    const xpl_spot_vec *spots = &s->alternatives.spots;
    const xpl_spot **by_pairs = td_alloc((spots->len + 1) * sizeof *by_pairs);
    hot_vec hot = {0};
    for (size_t i = 0; i < spots->len; i++)
        by_pairs[i] = &spots->at[i];
    qsort(by_pairs, spots->len, sizeof *by_pairs, more_pairs);
    for (size_t i = 0; i < spots->len && i < MOST_SPOTS; i++)
        hot_add(s, by_pairs[i], &hot);
    if (hot.len > 0)
        qsort(hot.at, hot.len, sizeof hot.at[0], hotter);
    for (size_t i = 0; i < hot.len; i++)
        if (i < REP_MOST_HOT)
            l->at[l->n++] = hot.at[i];
        else
            td_free(hot.at[i].name);
    hot_vec_fini(&hot);
    td_free(by_pairs);
}

/* ---- all of it ---- */

/* True if a bound ended the session, not the program's behaviour. */
static bool is_bounded(const ses *s)
{
    static const char *const bounds[] = {"time",        "runs",  "memory",
                                         "interrupted", "depth", "preemptions"};
    for (size_t i = 0; i < s->ledger.gaps.len; i++)
        for (size_t k = 0; k < sizeof bounds / sizeof bounds[0]; k++)
            if (strcmp(s->ledger.gaps.at[i].kind, bounds[k]) == 0)
                return true;
    return false;
}

rep_large ses_large(const ses *s)
{
    const xpl_alternatives *a = &s->alternatives;
    if (s->result->verdict != REP_VERDICT_INCOMPLETE || !is_bounded(s))
        return (rep_large){0};
    rep_large l = {.n_sampled = a->n_sampled,
                   .n_looked_at = a->is_cut ? XPL_ALTERNATIVES_OPS : 0,
                   .n_pairs = a->n_pairs,
                   .n_decisions = a->n_decisions,
                   .has_inputs = s->result->inputs > 0};
    take_hot(s, &l);
    l.n_lines = top_lines(s, &a->decisions, l.decisions);
    return l;
}

void ses_large_fini(rep_large *l)
{
    for (size_t i = 0; i < l->n; i++)
        td_free(l->at[i].name);
    *l = (rep_large){0};
}
