/* SPDX-License-Identifier: Apache-2.0 */
/* Text in XML. */
#include "report/formats/xml_text.h"

#include <string.h>

#include "report/formats/json_text.h"
#include "base/glyph.h"

#define REPLACEMENT "\xef\xbf\xbd"

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
        td_glyph g = td_glyph_at(p);
        bool blank = in_content && (*p == '\n' || *p == '\t');
        const char *entity = (unsigned char)*p < 0x80 && !blank ? entity_of(*p) : NULL;
        if (entity != NULL)
            td_text_put(out, entity, strlen(entity));
        else
            td_text_put(out, g.text, g.n);
        p += g.taken;
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
