/* SPDX-License-Identifier: Apache-2.0 */
/* Workflow commands of GitHub Actions: ::error file=F,line=N,title=T::MESSAGE */
#include "report/formats/formats.h"
#include "report/formats/json_text.h"
#include "base/glyph.h"

#include <inttypes.h>
#include <string.h>

typedef enum part { IN_PROPERTY, IN_MESSAGE } part;

static void put_escaped(td_text *out, const char *text, part where)
{
    const char *special = where == IN_PROPERTY ? "%\r\n:," : "%\r\n";
    for (const char *p = text; *p != '\0';) {
        td_glyph g = td_glyph_at(p);
        bool is_ascii = (unsigned char)*p < 0x80;
        if (is_ascii && strchr(special, *p) != NULL)
            td_text_add(out, "%%%02X", (unsigned char)*p);
        else if (is_ascii && ((unsigned char)*p < 0x20 || *p == 0x7f))
            td_text_put(out, " ", 1);
        else
            td_text_put(out, g.text, g.n);
        p += g.taken;
    }
}

static void put_place(const rep_past *p, td_text *out, const char *file, uint32_t line)
{
    if (file[0] == '\0' || line == 0)
        return;
    td_text_add(out, "file=");
    put_escaped(out, rep_past_path(p, file), IN_PROPERTY);
    td_text_add(out, ",line=%" PRIu32 ",", line);
}

static void put_finding(const rep_past *p, const rep_page *f, td_text *out)
{
    td_text_add(out, "::error ");
    put_place(p, out, f->at.file, f->at.line);
    td_text_add(out, "title=");
    put_escaped(out, f->title, IN_PROPERTY);
    td_text_add(out, " (");
    put_escaped(out, f->id, IN_PROPERTY);
    td_text_add(out, ")::");
    put_escaped(out, f->message, IN_MESSAGE);
    for (size_t i = 0; i < f->why.len; i++) {
        td_text_add(out, "%%0A");
        put_escaped(out, f->why.at[i], IN_MESSAGE);
    }
    td_text_add(out, "%%0Atreadle replay ");
    put_escaped(out, f->id, IN_MESSAGE);
    td_text_add(out, "\n");
}

static void put_gap(const rep_past *p, const det_gap *g, td_text *out)
{
    bool is_note = det_gap_is_note(g);
    td_text_add(out, "::%s ", is_note ? "notice" : "warning");
    put_place(p, out, g->file, g->line);
    td_text_add(out, "title=not covered::");
    put_escaped(out, g->kind, IN_MESSAGE);
    if (g->text[0] != '\0') {
        td_text_add(out, ": ");
        put_escaped(out, g->text, IN_MESSAGE);
    }
    td_text_add(out, " (x%" PRIu64 ")\n", g->count);
}

/* The first line, so that a session that is not complete is never without one. */
static void put_end(const rep_past *p, td_text *out)
{
    rep_verdict v = rep_past_verdict(p);
    if (v == REP_VERDICT_BUG || v == REP_VERDICT_COMPLETE)
        return;
    bool is_open = v == REP_VERDICT_INCOMPLETE || v == REP_N_VERDICTS;
    td_text_add(out, "::%s title=%s::", v == REP_VERDICT_SUSPECTED ? "error" : "warning",
                is_open ? "INCOMPLETE" : rep_verdict_of(v)->headline);
    put_escaped(out, rep_past_stopped(p), IN_MESSAGE);
    td_text_add(out, "\n");
}

void rep_github(const rep_past *p, td_text *out)
{
    put_end(p, out);
    for (size_t i = 0; i < p->pages.len; i++)
        put_finding(p, &p->pages.at[i], out);
    for (size_t i = 0; i < p->ledger.gaps.len; i++)
        put_gap(p, &p->ledger.gaps.at[i], out);
}
