/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/sentence.h"

#include <stdint.h>
#include <string.h>

/* Bytes of the character at the front, and which one it is; 0: it is none. Overlong ones are none. */
static size_t character(const unsigned char *at, uint32_t *out)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t n = at[0] < 0x80             ? 1
               : (at[0] & 0xe0) == 0xc0 ? 2
               : (at[0] & 0xf0) == 0xe0 ? 3
               : (at[0] & 0xf8) == 0xf0 ? 4
                                        : 0;
    *out = n == 1 ? at[0] : at[0] & (0xffu >> (n + 1));
    for (size_t i = 1; i < n; i++) {
        if ((at[i] & 0xc0) != 0x80)
            return 0;
        *out = *out << 6 | (at[i] & 0x3f);
    }
    return n > 0 && *out >= least[n] && *out <= 0x10ffff ? n : 0;
}

/* A control character, a line or paragraph separator, or a mark of the direction of writing. */
static bool is_shown(uint32_t c)
{
    if (c == '\n' || c == '\t')
        return true;
    return c >= 0x20 && (c < 0x7f || c > 0x9f) && c != 0x61c && c != 0x200e &&
           c != 0x200f && (c < 0x2028 || c > 0x202e) && (c < 0x2066 || c > 0x2069) &&
           (c < 0xd800 || c > 0xdfff);
}

/* Where an address ends whose scheme is at the front: a password may have any character, so it is not
 * before the last '@'. */
static const char *after_address(const char *at)
{
    const char *last = strrchr(at, '@');
    at = last ? last : at;
    return at + strcspn(at, " '\"\n");
}

void cli_sentence(const char *text, td_text *out)
{
    uint32_t c = 0;
    for (const char *at = text; *at != '\0';) {
        if (strncmp(at, "://", 3) == 0) {
            td_text_add(out, "://...");
            at = after_address(at + 3);
            continue;
        }
        size_t n = character((const unsigned char *)at, &c);
        if (n > 0 && is_shown(c))
            td_text_put(out, at, n);
        else
            td_text_put(out, "?", 1);
        at += n > 0 ? n : 1;
    }
}
