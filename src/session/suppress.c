/* SPDX-License-Identifier: Apache-2.0 */
/* Findings that --suppressions covers: neither printed nor replayed, but counted. */
#include "session/session_int.h"

#define MAX_BYTES ((size_t)16 << 20)

td_status ses_hush_open(ses *s, td_diag *diag)
{
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

void ses_hush_say(ses *s)
{
    char *notes = td_strdup(s->suppressions.notes.at ? s->suppressions.notes.at : "");
    char *rest = notes, *line;
    while ((line = strsep(&rest, "\n")) != NULL)
        if (line[0])
            ses_say(s, "%s: %s", s->opts->suppressions, line);
    td_free(notes);
}

static bool is_hushed(const ses *s, const char *id)
{
    for (size_t i = 0; i < s->hushed.len; i++)
        if (strcmp(s->hushed.at[i].id, id) == 0)
            return true;
    return false;
}

bool ses_hush(ses *s, const det_finding *f)
{
    const det_suppression *by = det_suppressed(&s->suppressions, f);
    if (!by)
        return false;
    if (is_hushed(s, f->id))
        return true;
    ses_hushed h = {.file = td_strdup(f->file ? f->file : ""),
                    .line = f->line,
                    .by = by->text};
    memcpy(h.id, f->id, sizeof h.id);
    ses_hushed_vec_push(&s->hushed, h);
    return true;
}

void ses_hush_ledger(ses *s)
{
    for (size_t i = 0; i < s->hushed.len; i++) {
        const ses_hushed *h = &s->hushed.at[i];
        det_ledger_add(&s->ledger, DET_SUPPRESSED, h->line > 0 ? h->file : "", h->line,
                       h->by);
    }
}

void ses_hush_close(ses *s)
{
    for (size_t i = 0; i < s->hushed.len; i++)
        td_free(s->hushed.at[i].file);
    ses_hushed_vec_fini(&s->hushed);
    det_suppressions_fini(&s->suppressions);
}
