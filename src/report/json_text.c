/* SPDX-License-Identifier: Apache-2.0 */
#include "report/json_text.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* ---- values ---- */

size_t rep_utf8_length(const char *text)
{
    const unsigned char *p = (const unsigned char *)text;
    static const struct {
        unsigned char low, high, second_low, second_high;
        size_t n;
    } forms[] = {{0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3},
                 {0xe1, 0xec, 0x80, 0xbf, 3}, {0xed, 0xed, 0x80, 0x9f, 3},
                 {0xee, 0xef, 0x80, 0xbf, 3}, {0xf0, 0xf0, 0x90, 0xbf, 4},
                 {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4}};
    if (p[0] < 0x80)
        return 1;
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        if (p[0] < forms[i].low || p[0] > forms[i].high)
            continue;
        if (p[1] < forms[i].second_low || p[1] > forms[i].second_high)
            return 0;
        for (size_t k = 2; k < forms[i].n; k++)
            if (p[k] < 0x80 || p[k] > 0xbf)
                return 0;
        return forms[i].n;
    }
    return 0;
}

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

/* Control characters, separators of lines, and marks that turn the direction of writing. All of them
 * have at most three bytes. */
static bool is_hidden(uint32_t c)
{
    return c <= 0x9f || c == 0x61c || c == 0x200e || c == 0x200f ||
           (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
}

static void put_character(td_text *out, const unsigned char *p, size_t n)
{
    uint32_t c = n == 2   ? (p[0] & 0x1fu) << 6 | (p[1] & 0x3fu)
                 : n == 3 ? (p[0] & 0x0fu) << 12 | (p[1] & 0x3fu) << 6 | (p[2] & 0x3fu)
                          : UINT32_MAX;
    if (is_hidden(c))
        td_text_add(out, "\\u%04" PRIx32, c);
    else
        td_text_put(out, (const char *)p, n);
}

void rep_json_put_string(td_text *out, const char *text)
{
    const unsigned char *p = (const unsigned char *)(text != NULL ? text : "");
    td_text_put(out, "\"", 1);
    while (*p != '\0') {
        size_t n = rep_utf8_length((const char *)p);
        if (n == 1)
            put_byte(out, *p);
        else if (n == 0)
            td_text_add(out, "\\ufffd");
        else
            put_character(out, p, n);
        p += n > 0 ? n : 1;
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
    td_text_put(j->out, &bracket, 1);
    j->has_item = false;
}

void rep_json_close(rep_json *j, char bracket)
{
    td_text_put(j->out, &bracket, 1);
    j->has_item = true;
}

void rep_json_text(rep_json *j, const char *name, const char *text)
{
    start_item(j, name);
    rep_json_put_string(j->out, text);
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
    if (j->has_item)
        td_text_put(j->out, ",\n", 2);
    else
        td_text_put(j->out, "\n", 1);
    j->has_item = false;
}
