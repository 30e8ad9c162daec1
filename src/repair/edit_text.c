/* SPDX-License-Identifier: Apache-2.0 */
/* An edit applied to its file, and as a unified diff. */
#include <string.h>

#include "base/assert.h"
#include "repair/edit.h"

#define CONTEXT 3u

static uint32_t n_lines(const char *text)
{
    uint32_t n = 0;
    const char *at = text;
    for (; *at; at++)
        n += *at == '\n';
    return n + (at > text && at[-1] != '\n');
}

/* The line with its newline, if it has one. */
static const char *next_line(const char *at, size_t *len)
{
    size_t n = strcspn(at, "\n");
    *len = n + (at[n] == '\n');
    return at + *len;
}

void rpr_edit_apply(const rpr_file_edit *e, td_text *out)
{
    const char *at = e->before.at ? e->before.at : "";
    uint32_t line = 1;
    for (size_t i = 0; i <= e->hunks.len; i++) {
        const rpr_hunk *h = i < e->hunks.len ? &e->hunks.at[i] : NULL;
        size_t len = 0;
        for (; *at && (!h || line < h->at); line++) {
            const char *next = next_line(at, &len);
            td_text_put(out, at, len);
            at = next;
        }
        if (!h)
            break;
        td_text_put(out, h->added, strlen(h->added));
        for (uint32_t k = 0; k < h->n_removed && *at; k++, line++)
            at = next_line(at, &len);
    }
}

uint32_t rpr_edit_line(const rpr_file_edit *e, uint32_t line)
{
    uint32_t moved = line;
    for (size_t i = 0; i < e->hunks.len && e->hunks.at[i].at <= line; i++) {
        const rpr_hunk *h = &e->hunks.at[i];
        uint32_t n = n_lines(h->added);
        if (line < h->at + h->n_removed)
            return n == h->n_removed ? moved : 0;
        moved = moved + n - h->n_removed;
    }
    return moved;
}

/* ---- diff ---- */

const char *rpr_edit_path(const rpr_file_edit *e, const char *folder)
{
    size_t n = strlen(folder);
    if (strncmp(e->path, folder, n) == 0 && e->path[n] == '/')
        return e->path + n + 1;
    return e->path;
}

static void put_line(char mark, const char *line, size_t len, td_text *out)
{
    td_text_put(out, &mark, 1);
    td_text_put(out, line, len);
    if (len == 0 || line[len - 1] != '\n')
        td_text_add(out, "\n\\ No newline at end of file\n");
}

static void put_added(const char *text, td_text *out)
{
    while (*text) {
        size_t len = 0;
        const char *next = next_line(text, &len);
        put_line('+', text, len, out);
        text = next;
    }
}

/* Hunks [from, to), which are close to each other; *line and *at are behind them then. shift: of lines before. */
static void put_hunks(const rpr_file_edit *e, size_t from, size_t to, int64_t *shift,
                      td_text *out)
{
    const rpr_hunk *first = &e->hunks.at[from], *last = &e->hunks.at[to - 1];
    uint32_t n_all = n_lines(e->before.at), end = last->at + last->n_removed;
    uint32_t start = first->at > CONTEXT ? first->at - CONTEXT : 1;
    uint32_t stop = end + CONTEXT <= n_all + 1 ? end + CONTEXT : n_all + 1;
    uint32_t n_old = stop - start;
    int64_t grown = 0;
    td_text body = {0};
    size_t len = 0;
    const char *at = e->before.at;
    for (uint32_t i = 1; i < start; i++)
        at = next_line(at, &len);
    size_t h = from;
    for (uint32_t line = start; line < stop || h < to;) {
        if (h < to && e->hunks.at[h].at == line) {
            const rpr_hunk *now = &e->hunks.at[h++];
            for (uint32_t k = 0; k < now->n_removed; k++, line++) {
                const char *next = next_line(at, &len);
                put_line('-', at, len, &body);
                at = next;
            }
            put_added(now->added, &body);
            grown += (int64_t)n_lines(now->added) - now->n_removed;
            continue;
        }
        const char *next = next_line(at, &len);
        put_line(' ', at, len, &body);
        at = next;
        line++;
    }
    td_text_add(out, "@@ -%u,%u +%lld,%lld @@\n", start, n_old,
                (long long)((int64_t)start + *shift),
                (long long)((int64_t)n_old + grown));
    td_text_put(out, body.at, body.len);
    *shift += grown;
    td_text_fini(&body);
}

void rpr_edit_diff(const rpr_edit *e, const char *folder, td_text *out)
{
    for (size_t f = 0; f < e->files.len; f++) {
        const rpr_file_edit *file = &e->files.at[f];
        const char *path = rpr_edit_path(file, folder);
        const char *bare = *path == '/' ? path + 1 : path;
        int64_t shift = 0;
        td_text_add(out, "--- a/%s\n+++ b/%s\n", bare, bare);
        for (size_t i = 0; i < file->hunks.len;) {
            size_t to = i + 1;
            while (to < file->hunks.len &&
                   file->hunks.at[to].at <= file->hunks.at[to - 1].at +
                                                file->hunks.at[to - 1].n_removed +
                                                2 * CONTEXT)
                to++;
            put_hunks(file, i, to, &shift, out);
            i = to;
        }
    }
}
