/* SPDX-License-Identifier: Apache-2.0 */
#include "report/xml_text.h"

#include <string.h>

#include "report/json_text.h"

#define REPLACEMENT "\xef\xbf\xbd"

/* U+FFFE and U+FFFF are no characters of XML. */
static bool is_refused(const char *p, size_t n)
{
    return n == 0 ||
           (n == 3 && memcmp(p, "\xef\xbf", 2) == 0 && (unsigned char)p[2] >= 0xbe);
}

static const char *entity_of(char c)
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
    case '\n':
        return "&#10;";
    case '\t':
        return "&#9;";
    default:
        return (unsigned char)c < 0x20 || c == 0x7f ? REPLACEMENT : NULL;
    }
}

static void put(td_text *out, const char *text, bool in_content)
{
    for (const char *p = text != NULL ? text : ""; *p != '\0';) {
        size_t n = rep_utf8_length(p);
        bool blank = in_content && (*p == '\n' || *p == '\t');
        const char *entity = n == 1 && !blank ? entity_of(*p) : NULL;
        if (is_refused(p, n))
            entity = REPLACEMENT;
        if (entity != NULL)
            td_text_put(out, entity, strlen(entity));
        else
            td_text_put(out, p, n);
        p += n > 0 ? n : 1;
    }
}

void rep_xml_put(td_text *out, const char *text)
{
    put(out, text, true);
}

void rep_xml_attribute(td_text *out, const char *name, const char *text)
{
    td_text_add(out, " %s=\"", name);
    put(out, text, false);
    td_text_put(out, "\"", 1);
}
