/* SPDX-License-Identifier: Apache-2.0 */
/* The last lines that the run of a finding wrote. They often name the error. */
#include "session/session_int.h"

#include <ctype.h>
#include <strings.h>

#include "base/assert.h"
#include "report/text/lines.h"

#define MOST_LINES 8u
#define MOST_COLUMNS 200u /* longest line */

/* The output does not help for a race or a leak. A hang would take its time limit once more, and its recording
 * may stop elsewhere. */
static bool is_worth_it(det_kind kind)
{
    return kind != DET_RACE && kind != DET_LEAK && kind != DET_HANG && kind != DET_NONDET;
}

/* Returns the last lines, each truncated, without control characters; NULL if there are none. */
static char *last_lines(const td_text *written)
{
    size_t end = written->len, from, n = 0;
    while (end > 0 && (written->at[end - 1] == '\n' || written->at[end - 1] == ' '))
        end--;
    for (from = end; from > 0; from--)
        if (written->at[from - 1] == '\n' && ++n == MOST_LINES)
            break;
    td_text out = {0};
    while (from < end) {
        td_text line = {0};
        const char *stop = memchr(written->at + from, '\n', end - from);
        size_t len = stop ? (size_t)(stop - written->at) - from : end - from;
        for (size_t i = 0; i < len; i++)
            td_text_put(&line, written->at[from + i] ? written->at + from + i : "?", 1);
        rep_put_cut(&out, line.len ? line.at : "", MOST_COLUMNS, REP_CUT_RIGHT);
        td_text_put(&out, "\n", 1);
        td_text_fini(&line);
        from += len + 1;
    }
    if (out.len == 0)
        return NULL;
    return out.at;
}

/* ---- the check that failed ---- */

/* A place in a text: FILE:LINE or FILE(LINE), as frameworks of tests write it. */
typedef struct place {
    const char *file; /* as in the site table; NULL: no place found */
    const char *function;
    uint32_t line;
    size_t end; /* end of the place in the text */
} place;

static bool is_of_name(char c)
{
    return isalnum((unsigned char)c) || strchr("_.+-/", c) != NULL;
}

/* The nearest site of the file that is at the line or before it; a file without sites is not the program's. */
static void find_site(const trc_sites *sites, const char *name, place *p)
{
    uint32_t nearest = 0;
    for (uint32_t i = 1; i < trc_sites_end(sites); i++) {
        trc_site at = trc_site_at(sites, i);
        if (strcmp(ses_base_name(at.file), ses_base_name(name)) != 0)
            continue;
        if (!p->file)
            p->file = at.file;
        if (at.line <= p->line && at.line >= nearest && at.line > 0) {
            nearest = at.line;
            p->file = at.file;
            p->function = at.function;
        }
    }
}

/* Reads FILE:LINE around the separator at i, where FILE is a file of the program. */
static place place_at(const trc_sites *sites, const td_text *text, size_t i)
{
    place p = {0};
    char name[256];
    size_t from = i, digits = i + 1;
    uint64_t line = 0;
    while (from > 0 && is_of_name(text->at[from - 1]))
        from--;
    for (;
         digits < text->len && isdigit((unsigned char)text->at[digits]) && line < 1000000;
         digits++)
        line = 10 * line + (uint64_t)(text->at[digits] - '0');
    if (line == 0 || line >= 1000000 || from == i || i - from >= sizeof name)
        return p;
    snprintf(name, sizeof name, "%.*s", (int)(i - from), text->at + from);
    p.line = (uint32_t)line;
    p.end = digits;
    find_site(sites, name, &p);
    return p;
}

/* True if the rest of the line reads like a failure. */
static bool says_failure(const td_text *text, size_t from)
{
    static const char *const words[] = {"fail", "error", "assert"};
    const char *stop = memchr(text->at + from, '\n', text->len - from);
    size_t n = stop ? (size_t)(stop - text->at) - from : text->len - from;
    for (size_t w = 0; w < sizeof words / sizeof words[0]; w++)
        for (size_t i = 0; i + strlen(words[w]) <= n; i++)
            if (strncasecmp(text->at + from + i, words[w], strlen(words[w])) == 0)
                return true;
    return false;
}

/* The first place of a failure, otherwise the first place. */
static place failed_place(const trc_sites *sites, const td_text *text)
{
    place first = {0};
    for (size_t i = 1; i + 1 < text->len; i++) {
        if ((text->at[i] != ':' && text->at[i] != '(') ||
            !isdigit((unsigned char)text->at[i + 1]) || !is_of_name(text->at[i - 1]))
            continue;
        place p = place_at(sites, text, i);
        if (p.file && says_failure(text, p.end))
            return p;
        first = first.file ? first : p;
    }
    return first;
}

/* The end of the sequences that set colours from i on. */
static size_t behind_colours(const td_text *text, size_t i)
{
    while (i + 1 < text->len && text->at[i] == '\033' && text->at[i + 1] == '[') {
        i += 2;
        i += strspn(text->at + i, "0123456789;");
        i += i < text->len;
    }
    return i;
}

/* Joins the text behind the place, up to an empty line, to one line. */
static void put_reason(const td_text *text, size_t from, td_text *out)
{
    enum { MOST_BYTES = 160 };
    td_text said = {0};
    while (from < text->len && strchr(":) ", text->at[from]))
        from++;
    for (size_t i = from; i < text->len && said.len < MOST_BYTES; i++) {
        i = behind_colours(text, i);
        char c = i < text->len ? text->at[i] : ' ';
        bool is_space = c == ' ' || c == '\n' || c == '\t';
        if (c == '\n' && i + 1 < text->len && strchr("\n[=-", text->at[i + 1]))
            break;
        if (!is_space)
            td_text_put(&said, c ? &c : "?", 1);
        else if (said.len > 0 && said.at[said.len - 1] != ' ')
            td_text_put(&said, " ", 1);
    }
    if (said.len > 0) {
        td_text_add(out, ": ");
        rep_put_cut(out, said.at, MOST_BYTES, REP_CUT_RIGHT);
    }
    td_text_fini(&said);
}

/* Gives the finding this place. */
static void move_to(det_finding *f, const place *p)
{
    td_free(f->file);
    td_free(f->function);
    f->file = td_strdup(p->file);
    f->function = p->function ? td_strdup(p->function) : NULL;
    f->line = p->line;
}

/* An exit code has no place in the program, and an abort in a library no reason. Where a framework of tests has written
 * which check failed, the finding has that place and reason; its id stays. */
static void name_failed_check(const trc_sites *sites, const td_text written[2],
                              det_finding *f)
{
    bool is_exit = f->kind == DET_EXIT && !f->always && f->line == 0;
    bool is_abort = f->kind == DET_ABORT && strcmp(f->message, DET_CALLED_ABORT) == 0;
    place p = {0};
    for (size_t i = 0; i < 2 && (is_exit || is_abort) && !p.file; i++) {
        td_text text = {0};
        p = failed_place(sites, &written[i]);
        if (!p.file)
            continue;
        td_text_add(&text, "%s", f->message);
        put_reason(&written[i], p.end, &text);
        td_free(f->message);
        f->message = text.at;
        if (f->line == 0)
            move_to(f, &p);
    }
}

/* Repeats the run with its output captured. If that fails, the finding has no output. */
void ses_last_output(ses *s, const ses_attempt *a, det_finding *f)
{
    td_text written[2] = {{0}, {0}};
    td_diag ignored = {0};
    if (!s->exec->last_output || !is_worth_it(f->kind) || ses_is_over(s) ||
        s->explain_is_cut)
        return;
    TD_ASSERT(!f->last_output);
    run_request request = ses_attempt_request(a, ses_replay_flags(f->kind) | a->flags);
    request.id = SES_OWN_JOB | ++s->n_own_jobs;
    request.depth = ses_depth_own(s);
    s->runs_own = true;
    td_status status = s->exec->last_output(&s->run_with, &request, written, &ignored);
    s->runs_own = false;
    f->is_output_errors = status == TD_OK && written[1].len > 0;
    if (status == TD_OK) {
        f->last_output = last_lines(&written[f->is_output_errors]);
        name_failed_check(s->exec->sites(s->run), written, f);
    }
    td_text_fini(&written[0]);
    td_text_fini(&written[1]);
}
