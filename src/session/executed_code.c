/* SPDX-License-Identifier: Apache-2.0 */
/* Determines which code the runs of a session executed, from the marks that they set. */
#include "session/session_int.h"

#include "base/assert.h"
#include "wire/layout.h"

/* Runs of a program without inputs set no marks, for speed. The first runs, then a sample, and those of
 * findings are repeated with marks. */
#define SAMPLE_FIRST 16u
#define SAMPLE_EVERY 64u

/* ---- which runs ---- */

void ses_coverage_start(ses *s)
{
    const run_given *given = &s->opts->given;
    s->covers_itself = s->opts->coverage || s->exec->marked == NULL ||
                       given->n_args > 0 || given->stdin_bytes > 0 ||
                       (s->goal->bit & XPL_BRANCHES) ||
                       trc_sites_make_inputs(s->exec->sites(s->run));
}

static bool are_runs_missing(const ses *s)
{
    return !s->covers_itself && !s->is_cover_off && s->promoted.len == 0;
}

bool ses_coverage_wants(const ses *s)
{
    return are_runs_missing(s) && s->n_covers < SES_COVERS &&
           (s->n_jobs <= SAMPLE_FIRST || s->n_jobs % SAMPLE_EVERY == 0);
}

td_status ses_coverage_repeat(ses *s, run_request request, td_diag *diag)
{
    trc *t = NULL;
    request.flags |= WIRE_JOB_COVER;
    return are_runs_missing(s) ? ses_execute(s, request, &t, diag) : TD_OK;
}

/* Repeated runs that hang would take most of the time. */
void ses_coverage_take(ses *s, const ses_done *d)
{
    TD_ASSERT(d->job.kind == SES_COVER);
    bool hangs = d->run == NULL;
    for (size_t i = 0; !hangs && i < d->run->fails.len; i++)
        hangs = d->run->fails.at[i].kind == WIRE_FAIL_HANG;
    s->is_cover_off |= hangs;
}

/* ---- executed sites and outcomes ---- */

/* Site tables whose marks share bytes with those of another image are not evaluated. */
typedef struct table {
    uint32_t first, end; /* sites */
    uint64_t mark, size; /* mark of the first site; size in bytes */
    bool shares;
} table;

TD_VEC(table, table_vec);

static void list_tables(const trc_sites *sites, table_vec *out)
{
    uint64_t last = 0;
    for (uint32_t i = 1; i < trc_sites_end(sites); i++) {
        uint64_t address = trc_site_address(sites, i);
        if (address == 0)
            continue;
        if (out->len == 0 || address != last + sizeof(wire_site))
            table_vec_push(out, (table){.first = i, .mark = PLAN_MARK(address)});
        last = address;
        out->at[out->len - 1].end = i + 1;
        out->at[out->len - 1].size += sizeof(wire_site);
        TD_ASSERT(out->at[out->len - 1].first < out->at[out->len - 1].end);
    }
}

static bool overlap(const table *a, const table *b)
{
    return a->mark < b->mark + b->size && b->mark < a->mark + a->size;
}

/* A table that exceeds the end of the marks wraps to their beginning. */
static void compare_tables(table_vec *t)
{
    for (size_t i = 0; i < t->len; i++)
        for (size_t k = 0; k < t->len; k++) {
            table moved = t->at[k];
            bool same = overlap(&t->at[i], &moved);
            moved.mark -= PLAN_COVER_SIZE;
            t->at[i].shares |= (i != k && same) || overlap(&t->at[i], &moved);
            moved.mark += 2 * PLAN_COVER_SIZE;
            t->at[i].shares |= overlap(&t->at[i], &moved);
        }
}

static void add_sides(ses *s, uint32_t number, const trc_site *at, det_coverage *c)
{
    for (uint32_t k = 0; k < at->size; k++)
        det_coverage_side(c, &(det_cov_side){.file = (char *)at->file,
                                             .function = (char *)at->function,
                                             .line = at->line,
                                             .column = at->column,
                                             .side = k,
                                             .n_sides = at->size,
                                             .taken = ses_marked(s, number, k)});
}

static void add_site(ses *s, uint32_t number, uint32_t first, det_coverage *c)
{
    trc_site at = trc_site_at(s->exec->sites(s->run), number);
    if (at.line == 0 || at.file[0] == '\0')
        return;
    if (at.kind == WIRE_SITE_SIDES)
        add_sides(s, number, &at, c);
    else if (at.kind == WIRE_SITE_ENTRY)
        det_coverage_function(c,
                              &(det_cov_function){.file = (char *)at.file,
                                                  .name = (char *)at.function,
                                                  .line = at.line,
                                                  .entered = ses_marked(s, number, 0)});
    else if (at.kind == WIRE_SITE_LINE && at.type <= number - first)
        det_coverage_line(c, &(det_cov_line){.file = (char *)at.file,
                                             .line = at.line,
                                             .executed = ses_marked(s, number - at.type,
                                                                    at.size)});
}

/* With the goal branches the search counts the taken outcomes, so that both outputs agree: it knows only the
 * branches that depend on inputs. */
static void count_sides(ses *s)
{
    const det_coverage *c = &s->result->coverage;
    ses_branches *b = &s->result->branches;
    if (s->goal->bit & XPL_BRANCHES)
        return;
    b->n_sides = c->sides.len;
    b->n_taken = det_coverage_taken(c);
    TD_ASSERT(b->n_taken <= b->n_sides && b->never.len == 0);
    for (size_t i = 0; i < c->sides.len; i++) {
        const det_cov_side *d = &c->sides.at[i];
        if (!d->taken)
            rep_never_vec_push(&b->never, (rep_never){.file = td_strdup(d->file),
                                                      .function = td_strdup(d->function),
                                                      .line = d->line,
                                                      .column = d->column,
                                                      .side = d->side,
                                                      .n_sides = d->n_sides,
                                                      .text = td_strdup(""),
                                                      .why = ""});
    }
}

void ses_coverage_collect(ses *s, det_coverage *out)
{
    table_vec tables = {0};
    if (s->exec->marked == NULL)
        return;
    list_tables(s->exec->sites(s->run), &tables);
    compare_tables(&tables);
    for (size_t i = 0; i < tables.len; i++)
        for (uint32_t k = tables.at[i].first; k < tables.at[i].end; k++)
            if (!tables.at[i].shares)
                add_site(s, k, tables.at[i].first, out);
    table_vec_fini(&tables);
    det_coverage_order(out);
}

void ses_coverage_conclude(ses *s)
{
    if (s->exec->marked == NULL)
        return;
    ses_coverage_collect(s, &s->result->coverage);
    if (ses_is_shared(s))
        s->opts->sharing->coverage(s->sharer, &s->result->coverage);
    count_sides(s);
}
