/* SPDX-License-Identifier: Apache-2.0 */
/* Lines and words of the texts of this folder: recordings and manifests. */
#include "store/recording_int.h"

#include <string.h>

#include "base/assert.h"

bool sto_is_control(unsigned char c)
{
    return c < 0x20 || c == 0x7f;
}

/* True if the word reads back as itself without quotes. */
static bool word_is_plain(const char *word)
{
    if (word[0] == '\0')
        return false;
    for (const char *p = word; *p != '\0'; p++)
        if (*p == ' ' || *p == '"' || *p == '\'' || sto_is_control((unsigned char)*p))
            return false;
    return true;
}

void sto_put_quoted(td_text *out, const char *word)
{
    td_text_put(out, "\"", 1);
    for (const char *p = word; *p != '\0'; p++) {
        if (*p == '"' || *p == '\\')
            td_text_add(out, "\\%c", *p);
        else if (*p == '\n')
            td_text_put(out, "\\n", 2);
        else if (sto_is_control((unsigned char)*p))
            td_text_add(out, "\\x%02x", (unsigned char)*p);
        else
            td_text_put(out, p, 1);
    }
    td_text_put(out, "\"", 1);
}

void sto_put_word(td_text *out, const char *word)
{
    td_text_put(out, " ", 1);
    if (word_is_plain(word))
        td_text_put(out, word, strlen(word));
    else
        sto_put_quoted(out, word);
}

static void skip_blanks(sto_reader *r)
{
    TD_ASSERT(r->at <= r->end);
    while (r->at < r->end && (*r->at == ' ' || *r->at == '\t'))
        r->at++;
}

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

/* Reads the rest of an escape after its backslash, and writes the byte. */
static td_status read_escape(sto_reader *r, td_text *word)
{
    TD_ASSERT(r->at[-1] == '\\');
    char c = r->at < r->end ? *r->at++ : '\0';
    if (c == 'n')
        c = '\n';
    else if (c == 'x') {
        int high = r->end - r->at >= 2 ? hex_digit(r->at[0]) : -1;
        int low = high >= 0 ? hex_digit(r->at[1]) : -1;
        if (low < 0 || (high * 16 + low == 0 && !r->takes_zero))
            return STO_WRONG(r, "line %u: \\x requires two hexadecimal digits, not 00",
                             r->line);
        r->at += 2;
        c = (char)(high * 16 + low);
    } else if (c != '"' && c != '\\') {
        return STO_WRONG(r, "line %u: unknown escape after a backslash", r->line);
    }
    td_text_put(word, &c, 1);
    return TD_OK;
}

static td_status read_quoted(sto_reader *r, td_text *word)
{
    TD_ASSERT(r->at < r->end && *r->at == '"');
    r->at++;
    while (r->at < r->end && *r->at != '"') {
        if (word->len >= STO_MAX_WORD)
            return STO_WRONG(r, "line %u: a word is longer than %zu bytes", r->line,
                             STO_MAX_WORD);
        if (*r->at == '\\') {
            r->at++;
            TD_TRY(read_escape(r, word));
            continue;
        }
        td_text_put(word, r->at++, 1);
    }
    if (r->at == r->end)
        return STO_WRONG(r, "line %u: the closing quote is missing", r->line);
    r->at++;
    if (r->at < r->end && *r->at != ' ' && *r->at != '\t')
        return STO_WRONG(r, "line %u: a blank must follow the closing quote", r->line);
    return TD_OK;
}

static td_status read_unquoted(sto_reader *r, td_text *word)
{
    const char *start = r->at;
    while (r->at < r->end && *r->at != ' ' && *r->at != '\t') {
        if (*r->at == '"')
            return STO_WRONG(r, "line %u: a quote inside a word", r->line);
        r->at++;
    }
    if ((size_t)(r->at - start) > STO_MAX_WORD)
        return STO_WRONG(r, "line %u: a word is longer than %zu bytes", r->line,
                         STO_MAX_WORD);
    td_text_put(word, start, (size_t)(r->at - start));
    return TD_OK;
}

td_status sto_read_text(sto_reader *r, const char *what, td_text *word)
{
    skip_blanks(r);
    if (r->at == r->end)
        return STO_WRONG(r, "line %u: %s is missing", r->line, what);
    return *r->at == '"' ? read_quoted(r, word) : read_unquoted(r, word);
}

td_status sto_read_word(sto_reader *r, const char *what, char **out)
{
    td_text word = {0};
    td_status status = sto_read_text(r, what, &word);
    if (status == TD_OK)
        *out = td_strdup(word.at != NULL ? word.at : "");
    td_text_fini(&word);
    return status;
}

bool sto_at_end(sto_reader *r)
{
    skip_blanks(r);
    return r->at == r->end;
}

td_status sto_expect_end(sto_reader *r)
{
    if (!sto_at_end(r))
        return STO_WRONG(r, "line %u: text after the last word", r->line);
    return TD_OK;
}

bool sto_parse_number(const char *text, uint64_t max, uint64_t *out)
{
    uint64_t n = 0;
    if (*text == '\0')
        return false;
    for (; *text != '\0'; text++) {
        if (*text < '0' || *text > '9')
            return false;
        n = n * 10 + (uint64_t)(*text - '0');
        if (n > max)
            return false;
    }
    *out = n;
    return true;
}

bool sto_split_number(char *place, uint32_t *number)
{
    uint64_t n = 0;
    char *colon = strrchr(place, ':');
    if (colon == NULL || !sto_parse_number(colon + 1, UINT32_MAX, &n))
        return false;
    *colon = '\0';
    *number = (uint32_t)n;
    return true;
}

td_status sto_start_line(sto_reader *r, bool *is_empty)
{
    for (const char *p = r->at; p < r->end; p++)
        if (sto_is_control((unsigned char)*p) && *p != '\t')
            return STO_WRONG(r, "line %u: control character", r->line);
    *is_empty = sto_at_end(r) || *r->at == '#';
    return TD_OK;
}

const char *sto_next_line(sto_reader *r, const char *text, const char *end)
{
    TD_ASSERT(text <= end);
    const char *newline = memchr(text, '\n', (size_t)(end - text));
    r->at = text;
    r->end = newline != NULL ? newline : end;
    r->line++;
    if (r->end > r->at && r->end[-1] == '\r')
        r->end--;
    return newline != NULL ? newline + 1 : end;
}
