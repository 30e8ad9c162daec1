/* SPDX-License-Identifier: Apache-2.0 */
/* Turns rows of an engine into campaigns, findings and workers, and frees these. */
#include "store/exchange/exchange_int.h"

#include <assert.h>
#include <string.h>

#include "base/assert.h"

/* ---- storage ---- */

char *sto_text_copy(const void *at, size_t len)
{
    char *copy = td_alloc(len + 1);
    if (len > 0)
        memcpy(copy, at, len);
    return copy;
}

sto_bytes sto_bytes_copy(const void *at, size_t len)
{
    return (sto_bytes){(uint8_t *)sto_text_copy(at, len), len};
}

static void free_texts(char *const *texts, size_t n)
{
    for (size_t i = 0; i < n; i++)
        td_free(texts[i]);
}

void sto_campaign_fini(sto_campaign *c)
{
    char *const texts[] = {c->version, c->protocol, c->build_id, c->command, c->options};
    free_texts(texts, sizeof texts / sizeof texts[0]);
    *c = (sto_campaign){0};
}

void sto_work_fini(sto_work_vec *w)
{
    for (size_t i = 0; i < w->len; i++)
        td_free(w->at[i].payload.at);
    sto_work_vec_fini(w);
}

void sto_news_fini(sto_news_vec *n)
{
    for (size_t i = 0; i < n->len; i++) {
        const sto_news *f = &n->at[i];
        char *const texts[] = {f->id,      f->kind,      f->file, f->function,
                               f->message, f->recording, f->page, f->text};
        free_texts(texts, sizeof texts / sizeof texts[0]);
    }
    sto_news_vec_fini(n);
}

void sto_workers_fini(sto_worker_vec *w)
{
    for (size_t i = 0; i < w->len; i++) {
        char *const texts[] = {w->at[i].name, w->at[i].ledger, w->at[i].coverage};
        free_texts(texts, sizeof texts / sizeof texts[0]);
    }
    sto_worker_vec_fini(w);
}

void sto_claims_fini(sto_claim_vec *s)
{
    for (size_t i = 0; i < s->len; i++)
        td_free(s->at[i].payload.at);
    sto_claim_vec_fini(s);
}

void sto_divisions_fini(sto_division_vec *d)
{
    for (size_t i = 0; i < d->len; i++)
        td_free(d->at[i].literal.at);
    sto_division_vec_fini(d);
}

void sto_reply_fini(sto_reply *r)
{
    sto_work_fini(&r->work);
    *r = (sto_reply){0};
}

/* ---- cells ---- */

/* The highest byte first; at most what a signed number holds. */
bool sto_cell_number(const sto_cell *c, uint64_t *out)
{
    if (c->len != 8)
        return false;
    *out = 0;
    for (int i = 0; i < 8; i++)
        *out = *out << 8 | c->at[i];
    if (*out <= INT64_MAX)
        return true;
    *out = 0;
    return false;
}

bool sto_cell_small(const sto_cell *c, uint32_t *out)
{
    uint64_t n = 0;
    bool is_good = sto_cell_number(c, &n) && n <= UINT32_MAX;
    *out = is_good ? (uint32_t)n : 0;
    return is_good;
}

bool sto_cell_bool(const sto_cell *c, bool *out)
{
    *out = c->len == 1 && c->at[0] == 1;
    return c->len == 1 && c->at[0] <= 1;
}

bool sto_cell_numbers(const sto_cell *c, uint64_t *const *out, int n)
{
    bool is_good = true;
    for (int i = 0; i < n; i++)
        is_good &= sto_cell_number(&c[i], out[i]);
    return is_good;
}

bool sto_cell_bytes(const sto_cell *c, size_t limit, sto_bytes *out)
{
    if (c->len < 0 || (size_t)c->len > limit)
        return false;
    *out = sto_bytes_copy(c->at, (size_t)c->len);
    return true;
}

/* Always makes a text, which the caller frees; "" if the cell is invalid. */
bool sto_cell_text(const sto_cell *c, char **out)
{
    bool is_good = c->len >= 0 && (size_t)c->len <= STO_MAX_TEXT &&
                   (c->len == 0 || memchr(c->at, '\0', (size_t)c->len) == NULL);
    *out = sto_text_copy(c->at, is_good ? (size_t)c->len : 0);
    return is_good;
}

/* ---- rows ---- */

static_assert(STO_CAMPAIGN_COLUMNS <= STO_MAX_COLUMNS &&
                  STO_NEWS_COLUMNS <= STO_MAX_COLUMNS &&
                  STO_WORKER_COLUMNS <= STO_MAX_COLUMNS,
              "a row has room for all columns");

bool sto_take_campaign(const sto_cell *row, void *out)
{
    sto_opened *o = out;
    sto_campaign *c = o->campaign;
    if (c->version != NULL) /* there can be one only */
        return false;
    return sto_cell_text(&row[1], &c->version) && sto_cell_text(&row[2], &c->protocol) &&
           sto_cell_text(&row[3], &c->build_id) && sto_cell_text(&row[4], &c->command) &&
           sto_cell_text(&row[5], &c->options) &&
           (sto_cell_number(&row[0], &o->id) && o->id != 0);
}

bool sto_take_news(const sto_cell *row, void *out)
{
    sto_news f = {0};
    char **const texts[] = {&f.id,      &f.kind,      &f.file, NULL,   &f.function,
                            &f.message, &f.recording, &f.page, &f.text};
    _Static_assert(sizeof texts / sizeof texts[0] == STO_NEWS_COLUMNS, "a text for each");
    bool is_good = sto_cell_small(&row[3], &f.line);
    for (int i = 0; i < STO_NEWS_COLUMNS; i++)
        if (texts[i] != NULL)
            is_good &= sto_cell_text(&row[i], texts[i]);
    sto_news_vec_push(out, f);
    return is_good;
}

bool sto_take_worker(const sto_cell *row, sto_worker *w)
{
    uint64_t *const numbers[] = {&w->runs,         &w->events_met, &w->targets,
                                 &w->blocked_runs, &w->lost_runs,  &w->cpu_ms,
                                 &w->rss_kb};
    uint64_t *const counted[] = {&w->n_items, &w->lived_ms, &w->n_parts, &w->n_cut};
    bool is_good = sto_cell_text(&row[1], &w->name);
    is_good &= sto_cell_text(&row[9], &w->ledger);
    is_good &= sto_cell_text(&row[10], &w->coverage);
    is_good &= sto_cell_numbers(&row[2], numbers, 7);
    w->is_unreadable |= !is_good;
    return sto_cell_number(&row[0], &w->id) && sto_cell_number(&row[11], &w->silent_ms) &&
           sto_cell_bool(&row[12], &w->is_gone) && sto_cell_numbers(&row[13], counted, 4);
}

bool sto_take_number(const sto_cell *row, void *out)
{
    return sto_cell_number(&row[0], out);
}

bool sto_take_bytes(const sto_cell *row, void *out)
{
    const sto_bytes *before = out;
    return before->at == NULL && /* there can be one only */
           sto_cell_bytes(&row[0], STO_MAX_PAYLOAD, out);
}
