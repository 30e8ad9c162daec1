/* SPDX-License-Identifier: Apache-2.0 */
/* Reads JSON from untrusted bytes. */
#include "report/formats/json_read.h"

#include <inttypes.h>
#include <limits.h>
#include <string.h>

#include "base/assert.h"
#include "base/glyph.h"
#include "base/text.h"

/* \uXXXX for a character of the text; two of them beyond U+FFFF. */
static void put_escaped(td_text *out, uint32_t code)
{
    if (code > 0xffff) {
        td_text_add(out, "\\u%04" PRIx32, 0xd800 + ((code - 0x10000) >> 10));
        code = 0xdc00 + ((code - 0x10000) & 0x3ff);
    }
    td_text_add(out, "\\u%04" PRIx32, code);
}

/* The same JSON in ASCII. False: it is not UTF-8; a control character is where none may be, which json-c 0.18
 * sees and 0.16 does not; or a character outside of ASCII follows a backslash, where its escape would
 * change what the backslash means. Outside of strings, where no such character may be, the escapes are as
 * wrong as the characters. text ends with a zero. */
static bool to_ascii(const char *text, size_t len, td_text *out)
{
    bool in_string = false, is_escaped = false; /* by the backslash before it */
    for (size_t i = 0, n; i < len; i += n) {
        unsigned char c = (unsigned char)text[i];
        n = td_utf8_length(text + i);
        bool is_control =
            c < 0x20 && (in_string || (c != '\t' && c != '\n' && c != '\r'));
        if (n == 0 || is_control || (n > 1 && is_escaped))
            return false;
        if (n > 1)
            put_escaped(out, td_utf8_code(text + i, n));
        else
            td_text_put(out, text + i, 1);
        if (c == '"' && !is_escaped)
            in_string = !in_string;
        is_escaped = c == '\\' && !is_escaped;
    }
    return true;
}

/* json-c takes some white space after a value for a part of it, and leaves other to us. */
static bool is_blank(const char *text)
{
    return text[strspn(text, " \t\r\n")] == '\0';
}

json_object *rep_json_read(const char *text, size_t n, int depth)
{
    td_text whole = {0}, ascii = {0};
    json_object *value = NULL;
    td_text_put(&whole, text, n);
    if (n > 0 && to_ascii(whole.at, n, &ascii) && ascii.len < INT_MAX) {
        json_tokener *t = json_tokener_new_ex(depth);
        TD_ASSERT(t != NULL);
        json_tokener_set_flags(t, JSON_TOKENER_STRICT);
        value = json_tokener_parse_ex(t, ascii.at, (int)ascii.len);
        if (json_tokener_get_error(t) != json_tokener_success ||
            !is_blank(ascii.at + json_tokener_get_parse_end(t))) {
            json_object_put(value);
            value = NULL;
        }
        json_tokener_free(t);
    }
    td_text_fini(&whole);
    td_text_fini(&ascii);
    return value;
}
