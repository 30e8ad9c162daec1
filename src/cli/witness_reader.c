/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/witness_reader.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/text.h"

#define MAX_WAYPOINTS 65536u

const char *cli_way_text(cli_way way)
{
    static const char *const texts[] = {
#define X(name, text) text,
        CLI_WAYPOINTS(X)
#undef X
    };
    TD_ASSERT(way < CLI_N_WAYS);
    return texts[way];
}

/* ---- words ---- */

typedef struct reader {
    const char *at, *end;
    td_text word;
    bool is_key; /* a colon followed the word */
} reader;

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* Skips what separates words: brackets, commas, ends of lines, the dash of a list, comments. */
static void skip(reader *r)
{
    for (; r->at < r->end; r->at++) {
        if (*r->at == '#')
            while (r->at + 1 < r->end && r->at[1] != '\n')
                r->at++;
        else if (*r->at == '-' && r->at + 1 < r->end && !isspace((unsigned char)r->at[1]))
            return;
        else if (!isspace((unsigned char)*r->at) && !strchr("{}[],-", *r->at))
            return;
    }
}

static void take_quoted(reader *r)
{
    char quote = *r->at++;
    for (; r->at < r->end; r->at++) {
        if (*r->at == quote) {
            r->at++;
            if (quote != '\'' || r->at >= r->end || *r->at != '\'')
                return;
        } else if (*r->at == '\\' && quote == '"' && r->at + 1 < r->end) {
            r->at++;
        }
        td_text_put(&r->word, r->at, 1);
    }
}

/* A bare word ends with its line, at ", " and at a colon that ends a key. Brackets belong to it: constraints have them. */
static void take_bare(reader *r)
{
    for (; r->at < r->end && *r->at != '\n'; r->at++) {
        bool is_last = r->at + 1 >= r->end || isspace((unsigned char)r->at[1]);
        if (is_last && (*r->at == ':' || *r->at == ','))
            break;
        if (*r->at == '}' || (is_blank(*r->at) && r->at + 1 < r->end && r->at[1] == '#'))
            break;
        td_text_put(&r->word, r->at, 1);
    }
    while (r->word.len > 0 && is_blank(r->word.at[r->word.len - 1]))
        r->word.at[--r->word.len] = '\0';
}

/* Reads the next word; false if there is none. */
static bool take(reader *r)
{
    td_text_clear(&r->word);
    skip(r);
    if (r->at >= r->end || *r->at == '\0')
        return false;
    const char *start = r->at;
    if (*r->at == '"' || *r->at == '\'')
        take_quoted(r);
    else
        take_bare(r);
    while (r->at < r->end && is_blank(*r->at))
        r->at++;
    r->is_key = r->at < r->end && *r->at == ':';
    r->at += r->is_key || r->at == start; /* other characters are skipped */
    TD_ASSERT(r->at > start);
    return true;
}

static const char *word(const reader *r)
{
    return r->word.at ? r->word.at : "";
}

/* ---- keys ---- */

static uint32_t number(const char *text)
{
    char *end;
    errno = 0;
    unsigned long long v = strtoull(text, &end, 10);
    return isdigit((unsigned char)text[0]) && *end == '\0' && errno == 0 && v < UINT32_MAX
               ? (uint32_t)v
               : UINT32_MAX;
}

static void text_set(char **to, const char *text)
{
    td_free(*to);
    *to = td_strdup(text);
}

/* False: the value cannot be. */
static bool waypoint_set(cli_waypoint *w, const char *key, const char *value)
{
    if (strcmp(key, "type") == 0) {
        for (w->way = 0; w->way < CLI_N_WAYS; w->way++)
            if (strcmp(cli_way_text(w->way), value) == 0)
                return true;
        return false;
    }
    if (strcmp(key, "action") == 0) {
        w->is_avoided = strcmp(value, "avoid") == 0;
        return w->is_avoided || strcmp(value, "follow") == 0;
    }
    if (strcmp(key, "thread_id") == 0)
        return (w->thread = number(value)) != UINT32_MAX;
    if (strcmp(key, "line") == 0)
        return (w->line = number(value)) != UINT32_MAX;
    if (strcmp(key, "column") == 0)
        return (w->column = number(value)) != UINT32_MAX;
    if (strcmp(key, "file_name") == 0)
        text_set(&w->file, value);
    else if (strcmp(key, "value") == 0)
        text_set(&w->value, value);
    return true;
}

static void waypoint_add(cli_witness *w)
{
    cli_waypoint new = {.way = CLI_N_WAYS, .thread = CLI_ANY_THREAD};
    new.file = td_strdup("");
    new.value = td_strdup("");
    cli_waypoint_vec_push(&w->at, new);
}

static bool is_whole(const cli_witness *w)
{
    for (size_t i = 0; i < w->at.len; i++)
        if (w->at.at[i].way == CLI_N_WAYS || w->at.at[i].line == 0)
            return false;
    return w->at.len > 0;
}

/* The waypoints of the first violation; entries of other kinds are passed over. */
static td_status read_all(reader *r, cli_witness *w, td_diag *diag)
{
    char *key = td_strdup("");
    td_status status = TD_OK;
    bool is_violation = false, is_over = false;
    while (status == TD_OK && !is_over && take(r)) {
        if (r->is_key) {
            text_set(&key, word(r));
            if (strcmp(key, "waypoint") == 0 && is_violation)
                waypoint_add(w);
        } else {
            if (strcmp(key, "entry_type") == 0) {
                is_over = w->at.len > 0;
                is_violation = strcmp(word(r), "violation_sequence") == 0;
            } else if (strcmp(key, "specification") == 0 && w->at.len == 0) {
                text_set(&w->specification, word(r));
            } else if (is_violation && w->at.len > 0 &&
                       !waypoint_set(&w->at.at[w->at.len - 1], key, word(r))) {
                status =
                    td_diag_set(diag, TD_E_FORMAT, "waypoint %zu: '%s' is not a valid %s",
                                w->at.len, word(r), key);
            }
            text_set(&key, "");
        }
        if (w->at.len > MAX_WAYPOINTS)
            status =
                td_diag_set(diag, TD_E_FORMAT, "more than %u waypoints", MAX_WAYPOINTS);
    }
    td_free(key);
    return status;
}

td_status cli_witness_parse(const char *text, size_t n, cli_witness *out, td_diag *diag)
{
    reader r = {.at = text, .end = text + n};
    *out = (cli_witness){0};
    out->specification = td_strdup("");
    td_status status = read_all(&r, out, diag);
    if (status == TD_OK && !is_whole(out))
        status = td_diag_set(diag, TD_E_FORMAT,
                             "no violation_sequence with a type and a line at each "
                             "waypoint");
    td_text_fini(&r.word);
    if (status != TD_OK)
        cli_witness_fini(out);
    return status;
}

void cli_witness_fini(cli_witness *w)
{
    for (size_t i = 0; i < w->at.len; i++) {
        td_free(w->at.at[i].file);
        td_free(w->at.at[i].value);
    }
    cli_waypoint_vec_fini(&w->at);
    td_free(w->specification);
    *w = (cli_witness){0};
}

/* ---- constraints ---- */

bool cli_constraint_number(const char *constraint, uint64_t *out)
{
    const char *equals = strstr(constraint, "==");
    if (equals == NULL || strstr(equals + 2, "==") || strpbrk(constraint, "&|?<>!"))
        return false;
    const char *side = equals + 2;
    side += strspn(side, " (\t");
    bool is_negative = *side == '-';
    side += is_negative;
    if (!isdigit((unsigned char)*side))
        return false;
    char *end;
    errno = 0;
    unsigned long long v = strtoull(side, &end, 0);
    end += strspn(end, "uUlL) \t;");
    if (errno != 0 || *end != '\0')
        return false;
    *out = is_negative ? -(uint64_t)v : v;
    return true;
}
