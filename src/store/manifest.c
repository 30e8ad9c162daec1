/* SPDX-License-Identifier: Apache-2.0 */
/* The harnesses of a suite, read from text and written as text. */
#include "store/manifest.h"

#include <ctype.h>
#include <string.h>

#include "base/assert.h"
#include "store/recording_int.h"

#define MAX_NAME 64u
#define MAX_HARNESSES 100000u
#define MAX_WORDS 65536u

bool sto_is_name(const char *text)
{
    size_t n = strlen(text);
    if (n == 0 || n > MAX_NAME || text[0] == '.' || text[0] == '-')
        return false;
    for (size_t i = 0; i < n; i++)
        if (!isalnum((unsigned char)text[i]) && strchr("._+-", text[i]) == NULL)
            return false;
    return true;
}

/* ---- lifetime ---- */

static void harness_fini(sto_harness *h)
{
    td_free(h->name);
    sto_texts_free(&h->options);
    sto_texts_free(&h->words);
}

void sto_manifest_fini(sto_manifest *m)
{
    for (size_t i = 0; i < m->harnesses.len; i++)
        harness_fini(&m->harnesses.at[i]);
    sto_harness_vec_fini(&m->harnesses);
}

/* ---- reading ---- */

static bool is_option(const char *word)
{
    return word[0] == '-' && word[1] == '-' && word[2] != '\0';
}

/* The words of a line, the name first. */
static td_status read_words(sto_reader *r, sto_harness *h)
{
    for (;;) {
        char *word = NULL;
        if (sto_at_end(r))
            return TD_OK;
        if (h->options.len + h->words.len >= MAX_WORDS)
            return STO_WRONG(r, "line %u: more than %u words", r->line, MAX_WORDS);
        TD_TRY(sto_read_word(r, "a word", &word));
        if (h->name == NULL)
            h->name = word;
        else if (h->words.len == 0 && is_option(word))
            sto_text_vec_push(&h->options, word);
        else
            sto_text_vec_push(&h->words, word);
    }
}

static const sto_harness *named(const sto_manifest *m, const char *name)
{
    for (size_t i = 0; i < m->harnesses.len; i++)
        if (strcmp(m->harnesses.at[i].name, name) == 0)
            return &m->harnesses.at[i];
    return NULL;
}

static td_status check_harness(sto_reader *r, const sto_manifest *m, const sto_harness *h)
{
    if (!sto_is_name(h->name))
        return STO_WRONG(
            r,
            "line %u: a name has 1 to %u letters, digits and ._+- and starts "
            "with neither a dot nor a dash",
            r->line, MAX_NAME);
    const sto_harness *other = named(m, h->name);
    if (other != NULL)
        return STO_WRONG(r, "line %u: the name '%s' is already in line %u", r->line,
                         h->name, other->line);
    if (h->words.len == 0 || h->words.at[0][0] == '\0')
        return STO_WRONG(r, "line %u: '%s' has no program", r->line, h->name);
    if (m->harnesses.len >= MAX_HARNESSES)
        return STO_WRONG(r, "line %u: more than %u harnesses", r->line, MAX_HARNESSES);
    return TD_OK;
}

static td_status read_harness(sto_reader *r, sto_manifest *out)
{
    bool is_empty = false;
    TD_TRY(sto_start_line(r, &is_empty));
    if (is_empty)
        return TD_OK;
    sto_harness h = {.line = r->line};
    td_status status = read_words(r, &h);
    if (status == TD_OK)
        status = check_harness(r, out, &h);
    if (status == TD_OK)
        sto_harness_vec_push(&out->harnesses, h);
    else
        harness_fini(&h);
    return status;
}

static td_status read_head(sto_reader *r)
{
    static const char head[] = "treadle-suite ";
    size_t n = (size_t)(r->end - r->at);
    if (n < sizeof head - 1 || memcmp(r->at, head, sizeof head - 1) != 0)
        return STO_WRONG(r, "not a suite: line 1 is not 'treadle-suite 1'");
    if (n != sizeof head || r->at[n - 1] != '1')
        return STO_WRONG(r, "line 1: this treadle reads suites of version 1 only");
    return TD_OK;
}

td_status sto_manifest_parse(const char *text, size_t len, sto_manifest *out,
                             td_diag *diag)
{
    const char *end = text + len;
    sto_reader r = {.diag = diag};
    *out = (sto_manifest){0};
    text = sto_next_line(&r, text, end);
    td_status status = read_head(&r);
    while (status == TD_OK && text < end) {
        text = sto_next_line(&r, text, end);
        status = read_harness(&r, out);
    }
    if (status != TD_OK)
        sto_manifest_fini(out);
    TD_AUDIT(sto_manifest_valid(out, NULL, 0));
    return status;
}

/* ---- what must hold ---- */

bool sto_manifest_valid(const sto_manifest *m, char *why, size_t size)
{
    for (size_t i = 0; i < m->harnesses.len; i++) {
        const sto_harness *h = &m->harnesses.at[i];
        const char *wrong = NULL;
        if (!sto_is_name(h->name) || named(m, h->name) != h)
            wrong = "O4: invalid or duplicate name";
        else if (h->words.len == 0 || h->words.at[0][0] == '\0')
            wrong = "a harness without a program";
        for (size_t k = 0; k < h->options.len && !wrong; k++)
            wrong = is_option(h->options.at[k]) ? NULL : "an option without dashes";
        if (wrong == NULL)
            continue;
        if (why != NULL)
            snprintf(why, size, "%s (at %zu)", wrong, i);
        return false;
    }
    return true;
}

/* ---- printing ---- */

void sto_manifest_print(const sto_manifest *m, td_text *out)
{
    td_text_add(out, "treadle-suite 1\n");
    for (size_t i = 0; i < m->harnesses.len; i++) {
        const sto_harness *h = &m->harnesses.at[i];
        td_text_add(out, "%s", h->name);
        for (size_t k = 0; k < h->options.len; k++)
            sto_put_word(out, h->options.at[k]);
        for (size_t k = 0; k < h->words.len; k++)
            sto_put_word(out, h->words.at[k]);
        td_text_add(out, "\n");
    }
}
