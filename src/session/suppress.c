/* SPDX-License-Identifier: Apache-2.0 */
/* Findings that --suppressions covers are counted, but neither printed nor replayed. */
#include "session/session_int.h"

#include "base/assert.h"

#define MAX_BYTES ((size_t)16 << 20)

td_status ses_suppress_open(ses *s, td_diag *diag)
{
    TD_ASSERT(s->suppressed.len == 0);
    const char *path = s->opts->suppressions;
    td_text text = {0};
    td_diag inner = {0};
    if (!path)
        return TD_OK;
    TD_TRY(td_file_read(path, MAX_BYTES, &text, diag));
    td_status status = det_suppressions_parse(text.at ? text.at : "", text.len,
                                              &s->suppressions, &inner);
    td_text_fini(&text);
    if (status != TD_OK)
        return td_diag_set(diag, status, "%s: %s", path, inner.text);
    return TD_OK;
}

void ses_suppress_say(ses *s)
{
    char *notes = td_strdup(s->suppressions.notes.at ? s->suppressions.notes.at : "");
    char *rest = notes, *line;
    while ((line = strsep(&rest, "\n")) != NULL)
        if (line[0])
            ses_say(s, "%s: %s", s->opts->suppressions, line);
    td_free(notes);
}

static bool is_suppressed(const ses *s, const char *key)
{
    for (size_t i = 0; i < s->suppressed.len; i++)
        if (strcmp(s->suppressed.at[i].key, key) == 0)
            return true;
    return false;
}

bool ses_suppress(ses *s, const det_finding *f)
{
    const det_suppression *by = det_suppressed(&s->suppressions, f);
    if (!by)
        return false;
    if (is_suppressed(s, f->key))
        return true;
    ses_suppressed h = {.file = td_strdup(f->file ? f->file : ""),
                        .line = f->line,
                        .by = by->text};
    memcpy(h.key, f->key, sizeof h.key);
    ses_suppressed_vec_push(&s->suppressed, h);
    return true;
}

void ses_suppress_ledger(ses *s)
{
    for (size_t i = 0; i < s->suppressed.len; i++) {
        const ses_suppressed *h = &s->suppressed.at[i];
        det_ledger_add(&s->ledger, DET_SUPPRESSED, h->line > 0 ? h->file : "", h->line,
                       h->by);
    }
}

void ses_suppress_close(ses *s)
{
    for (size_t i = 0; i < s->suppressed.len; i++)
        td_free(s->suppressed.at[i].file);
    ses_suppressed_vec_fini(&s->suppressed);
    det_suppressions_fini(&s->suppressions);
}
