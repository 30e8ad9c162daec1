/* SPDX-License-Identifier: Apache-2.0 */
/* Lines that keep to a width and have only printable characters. */
#include "report/text/report_int.h"

#include <string.h>

#include "base/assert.h"
#include "base/readable.h"

void rep_put_clean(td_text *out, const char *text)
{
    for (; *text != '\0'; text++) {
        unsigned char c = (unsigned char)*text;
        char clean = *text == '\t' ? ' ' : c < 0x20 || c >= 0x7f ? '?' : *text;
        td_text_put(out, &clean, 1);
    }
}

void rep_put_readable(td_text *out, const char *text)
{
    td_text said = {0};
    td_readable(text, &said);
    rep_put_clean(out, said.len > 0 ? said.at : "");
    td_text_fini(&said);
}

void rep_put_cut(td_text *out, const char *text, size_t width, enum rep_cut side)
{
    size_t n = strlen(text);
    td_text part = {0};
    if (n <= width) {
        td_text_put(&part, text, n);
    } else if (width <= 3) {
        td_text_put(&part, "...", width);
    } else if (side == REP_CUT_LEFT) {
        td_text_add(&part, "...%s", text + (n - (width - 3)));
    } else {
        td_text_put(&part, text, width - 3);
        td_text_put(&part, "...", 3);
    }
    rep_put_clean(out, part.at);
    td_text_fini(&part);
}

void rep_pad_to(td_text *out, size_t column, char with)
{
    while (out->len < column)
        td_text_put(out, &with, 1);
}

void rep_rows_push(rep_row_vec *rows, rep_tone tone, const char *text)
{
    size_t n = strlen(text);
    while (n > 0 && text[n - 1] == ' ')
        n--;
    char *copy = td_alloc(n + 1);
    memcpy(copy, text, n);
    rep_row_vec_push(rows, (rep_row){copy, tone, 0});
}

/* Returns the length up to the last such character within width bytes; 0: there is none. */
static size_t last_of(const char *text, size_t width, char c)
{
    size_t i = width;
    while (i > 0 && text[i] != c)
        i--;
    return i;
}

/* Returns how many bytes of text to put on a line of width bytes: up to a blank, if possible one where a
 * break is allowed. A word longer than a line is broken; "x.c:44" is kept together if it fits. */
static size_t break_at(const char *text, size_t width)
{
    size_t n = strlen(text);
    if (n <= width)
        return n;
    size_t at = last_of(text, width, ' ');
    if (at == 0)
        at = last_of(text, width, '\t');
    if (at == 0 && width > 1)
        at = last_of(text, width - 1, '/') + 1;
    return at > 1 ? at : width;
}

void rep_wrap(rep_row_vec *rows, rep_tone tone, rep_lead lead, const char *text,
              uint32_t columns)
{
    TD_ASSERT(columns >= 4 && (lead.rest == NULL || strlen(lead.rest) < columns));
    td_text line = {0};
    rep_put_cut(&line, lead.first, columns * 3 / 4, REP_CUT_LEFT);
    size_t indent = line.len;
    do {
        td_text part = {0};
        TD_ASSERT(line.len < columns);
        size_t n = break_at(text, columns - line.len);
        TD_ASSERT(n > 0 || *text == '\0' || *text == ' '); /* the loop ends */
        td_text_put(&part, text, n);
        rep_put_clean(&line, part.at);
        TD_ASSERT(line.len <= columns); /* E2 */
        td_text_fini(&part);
        rep_rows_push(rows, tone, line.at);
        td_text_clear(&line);
        if (lead.rest != NULL)
            td_text_add(&line, "%s", lead.rest);
        else
            rep_pad_to(&line, indent, ' ');
        for (text += n; *text == ' ' || *text == '\t'; text++)
            ;
    } while (*text != '\0');
    td_text_fini(&line);
}

void rep_rows_fini(rep_row_vec *rows)
{
    for (size_t i = 0; i < rows->len; i++)
        td_free(rows->at[i].text);
    rep_row_vec_fini(rows);
}

static const char *tone_code(rep_tone tone)
{
    switch (tone) {
    case REP_TITLE:
        return "\033[1;31m";
    case REP_ERROR:
        return "\033[1m";
    case REP_SWITCH:
        return "\033[33m";
    case REP_FAINT:
        return "\033[2m";
    case REP_SOURCE:
        return "\033[36m";
    case REP_PLAIN:
        break;
    }
    return "";
}

/* The end mark is red in every row. */
static void print_coloured(const rep_row *row, td_text *out)
{
    const char *code = tone_code(row->tone);
    const char *mark = strstr(row->text, "<<< ");
    size_t n = mark != NULL ? (size_t)(mark - row->text) : strlen(row->text);
    td_text_add(out, "%s%.*s%s", code, (int)n, row->text, code[0] ? "\033[0m" : "");
    if (mark != NULL)
        td_text_add(out, "\033[1;31m%s\033[0m", mark);
}

void rep_rows_print(const rep_row_vec *rows, bool colour, td_text *out)
{
    for (size_t i = 0; i < rows->len; i++) {
        if (colour)
            print_coloured(&rows->at[i], out);
        else
            td_text_put(out, rows->at[i].text, strlen(rows->at[i].text));
        td_text_put(out, "\n", 1);
    }
}
