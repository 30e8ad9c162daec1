/* SPDX-License-Identifier: Apache-2.0 */
/* A page for a browser: its pieces, with the data in the holes between them. */
#include "report/html/html_int.h"
#include "base/glyph.h"

#include <string.h>

/* ---- escapes ---- */

static const char *entity(char c)
{
    switch (c) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    default:
        return NULL;
    }
}

void rep_html_put_text(td_text *out, const char *text)
{
    for (const char *p = text != NULL ? text : ""; *p != '\0';) {
        td_glyph g = td_glyph_at(p);
        const char *escaped = entity(*p);
        bool is_control =
            ((unsigned char)*p < 0x20 && *p != '\n' && *p != '\t') || *p == 0x7f;
        if (is_control)
            escaped = "?";
        if (escaped != NULL)
            td_text_put(out, escaped, strlen(escaped));
        else
            td_text_put(out, g.text, g.n);
        p += g.taken;
    }
}

/* In JSON a '<' occurs inside texts only, so escaping it never changes the meaning. */
void rep_html_put_json(td_text *out, const char *json, size_t len)
{
    while (len > 0) {
        const char *less = memchr(json, '<', len);
        size_t n = less != NULL ? (size_t)(less - json) : len;
        td_text_put(out, json, n);
        json += n;
        len -= n;
        if (less != NULL) {
            td_text_put(out, "\\u003c", 6);
            json++;
            len--;
        }
    }
}

/* ---- pages ---- */

static void put_piece(td_text *out, const char *piece)
{
    td_text_put(out, piece, strlen(piece));
}

/* title and text are plain text; data is JSON. */
static void put_document(td_text *out, const char *const *pieces, const td_text *title,
                         const char *text, const td_text *data)
{
    put_piece(out, pieces[0]);
    rep_html_put_text(out, title->at);
    put_piece(out, pieces[1]);
    rep_html_put_text(out, text);
    put_piece(out, pieces[2]);
    rep_html_put_json(out, data->at, data->len);
    put_piece(out, pieces[3]);
}

void rep_page_html(const rep_page *p, td_text *out)
{
    td_text data = {0}, title = {0};
    rep_html_finding_data(p, &data);
    td_text_add(&title, "%s: %s - treadle", p->id, p->message);
    put_document(out, rep_web_finding, &title, p->text, &data);
    td_text_fini(&data);
    td_text_fini(&title);
}

void rep_session_html(const rep_session_page *s, td_text *out)
{
    td_text data = {0}, title = {0};
    rep_html_session_data(s, &data);
    td_text_add(&title, "%s - treadle", s->program != NULL ? s->program : "session");
    put_document(out, rep_web_session, &title, s->text, &data);
    td_text_fini(&data);
    td_text_fini(&title);
}
