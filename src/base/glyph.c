/* SPDX-License-Identifier: Apache-2.0 */
/* Characters that others chose, as people may see them. */
#include "base/glyph.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

size_t td_utf8_length(const char *text)
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

uint32_t td_utf8_code(const char *text, size_t n)
{
    static const unsigned char first[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
    const unsigned char *p = (const unsigned char *)text;
    uint32_t code = p[0] & first[n];
    for (size_t i = 1; i < n; i++)
        code = code << 6 | (p[i] & 0x3f);
    return code;
}

static bool is_hidden(uint32_t code)
{
    static const struct {
        uint32_t low, high;
    } ranges[] = {
        {0x80, 0x9f},       /* C1 controls */
        {0xad, 0xad},       /* soft hyphen */
        {0x34f, 0x34f},     /* grapheme joiner */
        {0x61c, 0x61c},     /* Arabic letter mark */
        {0x115f, 0x1160},   /* Hangul fillers */
        {0x17b4, 0x17b5},   /* Khmer vowels that are not written */
        {0x180b, 0x180f},   /* Mongolian selectors and separator */
        {0x200b, 0x200f},   /* zero width; left-to-right, right-to-left marks */
        {0x2028, 0x202e},   /* line and paragraph ends; embeddings and overrides */
        {0x2060, 0x206f},   /* joiners, isolates, shaping */
        {0x3164, 0x3164},   /* Hangul filler */
        {0xfe00, 0xfe0e},   /* selectors of variants */
        {0xfeff, 0xfeff},   /* byte order mark */
        {0xffa0, 0xffa0},   /* Hangul filler of half width */
        {0xfff0, 0xfffb},   /* annotations */
        {0xfffe, 0xffff},   /* no characters */
        {0x1d173, 0x1d17a}, /* music */
        {0xe0000, 0xe0fff}, /* tags */
    };
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++)
        if (code >= ranges[i].low && code <= ranges[i].high)
            return true;
    return false;
}

td_glyph td_glyph_at(const char *text)
{
    static const char replacement[] = "\xef\xbf\xbd";
    td_glyph g = {.n = td_utf8_length(text)};
    g.taken = g.n > 0 ? g.n : 1;
    uint32_t code = g.n > 1 ? td_utf8_code(text, g.n) : 0;
    if (g.n == 0) {
        g.n = sizeof replacement - 1;
        memcpy(g.text, replacement, g.n);
    } else if (is_hidden(code)) {
        g.n = (size_t)snprintf(g.text, sizeof g.text, "[U+%04" PRIX32 "]", code);
    } else {
        memcpy(g.text, text, g.n);
    }
    return g;
}

void td_text_put_visible(td_text *out, const char *text)
{
    for (const char *p = text != NULL ? text : ""; *p != '\0';) {
        td_glyph g = td_glyph_at(p);
        unsigned char c = (unsigned char)*p;
        if (c == '\t')
            td_text_put(out, " ", 1);
        else if ((c < 0x20 && c != '\n') || c == 0x7f)
            td_text_put(out, "?", 1);
        else
            td_text_put(out, g.text, g.n);
        p += g.taken;
    }
}

void td_printv(FILE *to, const char *format, va_list args)
{
    td_text said = {0}, clean = {0};
    td_text_addv(&said, format, args);
    td_text_put_visible(&clean, said.at);
    fwrite(clean.at, 1, clean.len, to);
    td_text_fini(&said);
    td_text_fini(&clean);
}

void td_print(FILE *to, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    td_printv(to, format, args);
    va_end(args);
}
