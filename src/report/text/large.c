/* SPDX-License-Identifier: Apache-2.0 */
/* What makes an unfinished search large, and what to make smaller, in a few lines. */
#include "report/text/report_int.h"

#include <inttypes.h>

#include "base/assert.h"

#define MOST_OBJECTS 2u /* that are named, ... */
#define ENOUGH 90u      /* ... fewer if they have so many per cent of the pairs */
#define MOST_LINES 2u   /* of each */
#define MOST_NAME 24u
#define MANY_THREADS 3u /* from here on fewer are worth a try */
#define MANY_USES 3u
#define MANY_DECISIONS 4u /* of a run */

/* "37", "1.5". */
static void put_mean(uint64_t sum, uint64_t n, td_text *out)
{
    TD_ASSERT(n > 0);
    if (sum % n == 0 || sum / n >= 10)
        td_count_print((sum + n / 2) / n, out);
    else
        td_text_add(out, "%.1f", (double)sum / (double)n);
}

static void put_lines(const rep_hot_line *lines, size_t n, td_text *out)
{
    for (size_t i = 0; i < n && i < MOST_LINES; i++) {
        td_text_add(out, "%s", i > 0 ? ", " : " (");
        rep_put_clean(out, rep_base_name(lines[i].file));
        td_text_add(out, ":%" PRIu32, lines[i].line);
    }
    if (n > 0)
        td_text_add(out, ")");
}

static void put_name(const rep_hot *h, td_text *out)
{
    if (h->name[0] == '\0') {
        td_text_add(out, "%s", h->what);
        return;
    }
    td_text_add(out, "'");
    rep_put_cut(out, h->name, MOST_NAME, REP_CUT_RIGHT);
    td_text_add(out, "'");
}

/* ": 92 % on 'lock' (queue.c:41, queue.c:57), 6 % on 'stop' (queue.c:63)" */
static void put_objects(const rep_large *l, td_text *out)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < l->n && i < MOST_OBJECTS; i++) {
        uint64_t share = 100 * l->at[i].n / l->n_pairs;
        if (100 * sum / l->n_pairs >= ENOUGH || share == 0)
            return;
        td_text_add(out, "%s %" PRIu64 " %% on ", i > 0 ? "," : ":", share);
        put_name(&l->at[i], out);
        put_lines(l->at[i].lines, l->at[i].n_lines, out);
        sum += l->at[i].n;
    }
}

static void put_decisions(const rep_large *l, td_text *out)
{
    put_mean(l->n_decisions, l->n_sampled, out);
    td_text_add(out, l->has_inputs ? " input-dependent decisions per run"
                                   : " timeout and wakeup choices per run");
    put_lines(l->decisions, l->n_lines, out);
}

static void put_sample(const rep_large *l, td_text *out)
{
    td_text_add(out, "; counted in ");
    if (l->n_looked_at > 0) {
        td_text_add(out, "the first ");
        td_count_print(l->n_looked_at, out);
        td_text_add(out, " operations of ");
    }
    td_count_print(l->n_sampled, out);
    td_text_add(out, " run%s", l->n_sampled == 1 ? "" : "s");
}

void rep_large_text(const rep_large *l, td_text *out)
{
    if (l->n_sampled == 0 || l->n_pairs + l->n_decisions == 0)
        return;
    if (l->n_pairs > 0) {
        td_count_print(l->n_pairs, out);
        td_text_add(out, " pair%s of operations can come in either order",
                    l->n_pairs == 1 ? "" : "s");
        put_objects(l, out);
    }
    if (l->n_pairs > 0 && l->n_decisions > 0)
        td_text_add(out, "; ");
    if (l->n_decisions > 0)
        put_decisions(l, out);
    put_sample(l, out);
}

static void put_shrink(const rep_hot *h, td_text *out)
{
    bool many = h->threads >= MANY_THREADS;
    if (many) {
        td_text_add(out, "fewer threads (%" PRIu32 " use ", h->threads);
        put_name(h, out);
        td_text_add(out, ")");
    }
    if (h->uses < MANY_USES)
        return;
    td_text_add(out, "%sfewer iterations (one %s", many ? ", " : "",
                many ? "of them" : "thread uses ");
    if (!many)
        put_name(h, out);
    td_text_add(out, " up to %" PRIu32 " times)", h->uses);
}

void rep_shrink_text(const rep_large *l, td_text *out)
{
    if (l->n_sampled == 0)
        return;
    if (l->n > 0)
        put_shrink(&l->at[0], out);
    if (l->has_inputs && l->n_decisions / l->n_sampled >= MANY_DECISIONS)
        td_text_add(out, "%sfewer or smaller symbolic inputs", out->len > 0 ? ", " : "");
}
