/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers and times as text, and the progress line. */
#include "session/progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/assert.h"
#include "report/report.h"

/* ---- numbers and times ---- */

void ses_number(uint64_t n, char out[32])
{
    char digits[24];
    int len = snprintf(digits, sizeof digits, "%" PRIu64, n);
    size_t at = 0;
    for (int i = 0; i < len; i++) {
        if (i > 0 && (len - i) % 3 == 0)
            out[at++] = ',';
        out[at++] = digits[i];
    }
    TD_ASSERT(at < 32); /* 20 digits, 6 commas */
    out[at] = 0;
}

void ses_short_number(uint64_t n, char out[32])
{
    static const char units[] = "MGTPE";
    if (n < 1000000) {
        ses_number(n, out);
        return;
    }
    double value = (double)n / 1e6;
    size_t unit = 0;
    for (; value >= 999.5 && unit + 2 < sizeof units; unit++)
        value /= 1000;
    TD_ASSERT(unit + 1 < sizeof units);
    snprintf(out, 32, "%.*f %c",
             value < 9.995   ? 2
             : value < 99.95 ? 1
                             : 0,
             value, units[unit]);
}

void ses_duration(uint64_t ms, char out[32])
{
    if (ms % 1000 != 0)
        snprintf(out, 32, "%" PRIu64 " ms", ms);
    else if (ms % 60000 != 0)
        snprintf(out, 32, "%" PRIu64 " s", ms / 1000);
    else
        snprintf(out, 32, "%" PRIu64 " min", ms / 60000);
}

void ses_clock(uint64_t ms, char out[32])
{
    uint64_t s = ms / 1000;
    unsigned minutes = (unsigned)(s / 60 % 60), seconds = (unsigned)(s % 60);
    if (s < 3600)
        snprintf(out, 32, "%u:%02u", minutes, seconds);
    else
        snprintf(out, 32, "%" PRIu64 ":%02u:%02u", s / 3600, minutes, seconds);
}

/* Shows the time limit if it comes before the estimated end. The remaining time is not shown while almost
 * nothing is done, because it would be a guess. */
static void put_remaining(const ses_now *n, bool is_terse, td_text *out)
{
    uint64_t to_limit = n->limit_ms > n->ms ? n->limit_ms - n->ms : 0;
    bool is_known = n->remaining.is_known && n->remaining.share >= REP_LEAST_SHARE;
    bool is_cut = n->limit_ms > 0 && (!is_known || n->remaining.ms > to_limit);
    if (n->remaining.is_known) {
        td_text_add(out, "%s", is_terse ? "" : is_known ? "about " : "less than ");
        td_text_add(out, "%s%u %%%s", is_terse && !is_known ? "< " : "",
                    rep_per_cent(n->remaining.share), is_terse ? "" : " done");
    }
    if (!is_cut && !is_known)
        return;
    td_text_add(out, "%s%s", n->remaining.is_known ? ", " : "",
                is_cut ? "limit in " : "");
    rep_print_about((double)(is_cut ? to_limit : n->remaining.ms) / 1000, out);
    td_text_add(out, "%s", is_cut ? "" : " left");
}

void ses_remaining_text(const ses_now *n, td_text *out)
{
    put_remaining(n, false, out);
}

/* ---- the line ---- */

/* Parts of the line, from left to right. If they do not fit, those with the highest rank are dropped first;
 * a part that joins another is dropped with it. */
typedef struct part {
    td_text text;
    uint32_t rank; /* 0: never dropped */
    bool joins;    /* follows the previous part after a comma */
} part;

enum { N_PARTS = 8, MAX_RANK = 7 };

static part part_of(uint32_t rank, bool joins)
{
    TD_ASSERT(rank <= MAX_RANK);
    return (part){.rank = rank, .joins = joins};
}

static void put_count(td_text *out, uint64_t n, const char *what, const char *plural)
{
    char number[32];
    ses_short_number(n, number);
    td_text_add(out, "%s %s%s", number, what, n == 1 ? "" : plural);
}

static void make_parts(const ses_now *n, part parts[N_PARTS], bool is_terse)
{
    char text[32];
    parts[0] = part_of(0, false);
    put_count(&parts[0].text, n->runs, "run", "s");
    parts[1] = part_of(4, true);
    ses_short_number((uint64_t)(n->rate + 0.5), text);
    td_text_add(&parts[1].text, "%s/s", text);
    parts[2] = part_of(6, false);
    if (n->n_workers > 1)
        put_count(&parts[2].text, n->n_workers, "worker", "s");
    else if (n->pairs > 0)
        put_count(&parts[2].text, n->pairs, "pair", "s");
    else
        put_count(&parts[2].text, n->events, "event", "s");
    parts[3] = part_of(5, false);
    if (n->targets > 0)
        put_count(&parts[3].text, n->targets, "target", "s");
    parts[4] = part_of(1, false);
    ses_short_number(n->findings, text);
    td_text_add(&parts[4].text, "%s found", text);
    parts[5] = part_of(MAX_RANK, false);
    if (n->n_sides > 0)
        td_text_add(&parts[5].text, "sides %" PRIu64 "/%" PRIu64, n->n_taken, n->n_sides);
    parts[6] = part_of(3, false);
    put_remaining(n, is_terse, &parts[6].text);
    parts[7] = part_of(2, false);
    ses_clock(n->ms, text);
    td_text_add(&parts[7].text, "%s", text);
}

static void join_parts(const part parts[N_PARTS], uint32_t most, td_text *out)
{
    TD_ASSERT(parts[0].rank == 0 && !parts[0].joins); /* the first is always there */
    td_text_clear(out);
    td_text_add(out, "treadle: ");
    for (size_t i = 0; i < N_PARTS; i++) {
        if (parts[i].rank > most || parts[i].text.len == 0)
            continue;
        td_text_add(out, "%s%s",
                    i == 0           ? ""
                    : parts[i].joins ? ", "
                                     : "; ",
                    parts[i].text.at);
    }
}

void ses_line_text(const ses_now *n, uint32_t columns, td_text *out)
{
    td_text line = {0};
    for (uint32_t step = 0; step <= MAX_RANK + 1; step++) {
        part parts[N_PARTS] = {0};
        make_parts(n, parts, step > 0);
        join_parts(parts, step < 2 ? MAX_RANK : MAX_RANK + 1 - step, &line);
        for (size_t i = 0; i < N_PARTS; i++)
            td_text_fini(&parts[i].text);
        if (line.len <= columns)
            break;
    }
    td_text_put(out, line.at, line.len < columns ? line.len : columns);
    td_text_fini(&line);
}
