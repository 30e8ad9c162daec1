/* SPDX-License-Identifier: Apache-2.0 */
/* Makes messages safe to print on a terminal. */
#include "cli/sentence.h"

#include <string.h>

#include "base/glyph.h"

/* Finds the end of an address that begins with its scheme. A password may contain any character, so the end
 * is not before the last '@'. */
static const char *after_address(const char *at)
{
    const char *last = strrchr(at, '@');
    at = last ? last : at;
    return at + strcspn(at, " '\"\n");
}

void cli_sentence(const char *text, td_text *out)
{
    td_text plain = {0};
    for (const char *at = text; *at != '\0';) {
        if (strncmp(at, "://", 3) == 0) {
            td_text_add(&plain, "://...");
            at = after_address(at + 3);
        } else
            td_text_put(&plain, at++, 1);
    }
    td_text_put_visible(out, plain.at);
    td_text_fini(&plain);
}
