/* SPDX-License-Identifier: Apache-2.0 */
/* Writes JSON. */
#include "report/formats/json_text.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "base/glyph.h"

/* ---- values ---- */

static void put_byte(td_text *out, unsigned char c)
{
    if (c == '"' || c == '\\')
        td_text_add(out, "\\%c", c);
    else if (c == '\n')
        td_text_add(out, "\\n");
    else if (c == '\t')
        td_text_add(out, "\\t");
    else if (c < 0x20 || c == 0x7f)
        td_text_add(out, "\\u%04x", c);
    else
        td_text_put(out, (const char *)&c, 1);
}

void rep_json_put_string(td_text *out, const char *text)
{
    const unsigned char *p = (const unsigned char *)(text != NULL ? text : "");
    td_text_put(out, "\"", 1);
    while (*p != '\0') {
        td_glyph g = td_glyph_at((const char *)p);
        if (*p < 0x80)
            put_byte(out, *p);
        else if (g.taken == 1) /* no UTF-8 */
            td_text_add(out, "\\ufffd");
        else
            td_text_put(out, g.text, g.n);
        p += g.taken;
    }
    td_text_put(out, "\"", 1);
}

/* JSON has no infinity and no NaN. The decimal point is a point in every locale. */
void rep_json_put_real(td_text *out, double value)
{
    uint64_t micro =
        isfinite(value) && value > 0 && value < 1e12 ? (uint64_t)(value * 1e6 + 0.5) : 0;
    td_text_add(out, "%" PRIu64 ".%06" PRIu64, micro / 1000000, micro % 1000000);
}

/* ---- items ---- */

/* The comma before an item, and its name. */
static void start_item(rep_json *j, const char *name)
{
    bool in_object = j->depth > 0 && j->open[j->depth - 1] == '{';
    TD_ASSERT(in_object == (name != NULL));
    if (j->has_item)
        td_text_put(j->out, ",", 1);
    j->has_item = true;
    if (name != NULL) {
        rep_json_put_string(j->out, name);
        td_text_put(j->out, ":", 1);
    }
}

void rep_json_open(rep_json *j, const char *name, char bracket)
{
    start_item(j, name);
    TD_ASSERT((bracket == '{' || bracket == '[') && j->depth < REP_JSON_DEPTH);
    j->open[j->depth++] = bracket;
    td_text_put(j->out, &bracket, 1);
    j->has_item = false;
}

void rep_json_close(rep_json *j, char bracket)
{
    TD_ASSERT(j->depth > 0);
    j->depth--;
    TD_ASSERT(bracket == (j->open[j->depth] == '{' ? '}' : ']'));
    td_text_put(j->out, &bracket, 1);
    j->has_item = true;
}

void rep_json_text(rep_json *j, const char *name, const char *text)
{
    start_item(j, name);
    rep_json_put_string(j->out, text);
}

void rep_json_uri(rep_json *j, const char *name, const char *path)
{
    td_text uri = {0};
    if (path[0] == '/')
        td_text_add(&uri, "file://");
    for (const unsigned char *p = (const unsigned char *)path; *p != '\0'; p++) {
        bool plain = (*p >= '0' && *p <= '9') || (*p >= 'a' && *p <= 'z') ||
                     (*p >= 'A' && *p <= 'Z') || strchr("-._~/+@", *p) != NULL;
        if (plain)
            td_text_put(&uri, (const char *)p, 1);
        else
            td_text_add(&uri, "%%%02X", *p);
    }
    rep_json_text(j, name, uri.at);
    td_text_fini(&uri);
}

void rep_json_count(rep_json *j, const char *name, uint64_t n)
{
    start_item(j, name);
    td_text_add(j->out, "%" PRIu64, n);
}

void rep_json_integer(rep_json *j, const char *name, int64_t n)
{
    start_item(j, name);
    td_text_add(j->out, "%" PRId64, n);
}

void rep_json_bool(rep_json *j, const char *name, bool holds)
{
    start_item(j, name);
    td_text_add(j->out, "%s", holds ? "true" : "false");
}

void rep_json_real(rep_json *j, const char *name, double value)
{
    start_item(j, name);
    rep_json_put_real(j->out, value);
}

void rep_json_line(rep_json *j)
{
    TD_ASSERT(j->depth > 0);
    if (j->has_item)
        td_text_put(j->out, ",\n", 2);
    else
        td_text_put(j->out, "\n", 1);
    j->has_item = false;
}
