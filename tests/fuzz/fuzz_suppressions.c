/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes give suppressions or a sentence; what was read reads back the same, and every
 * pattern can be compared with any text. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "detect/suppression_file.h"
#include "require.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The same, from the lines that count. */
static void read_again(const det_suppressions *s)
{
    td_text text = {0};
    det_suppressions again;
    for (size_t i = 0; i < s->at.len; i++)
        td_text_add(&text, "%s\n", s->at.at[i].text);
    require(det_suppressions_parse(text.at ? text.at : "", text.len, &again, NULL) ==
            TD_OK);
    require(again.at.len == s->at.len && again.notes.len == 0);
    for (size_t i = 0; i < s->at.len; i++) {
        require(again.at.at[i].kind == s->at.at[i].kind);
        require(strcmp(again.at.at[i].text, s->at.at[i].text) == 0);
    }
    det_suppressions_fini(&again);
    td_text_fini(&text);
}

static void compare(const det_suppressions *s)
{
    char function[] = "deposit", file[] = "src/bank.c", message[] = "data race on 'x'";
    for (size_t i = 0; i < s->at.len; i++) {
        det_finding f = {.kind = s->at.at[i].kind,
                         .function = function,
                         .file = file,
                         .message = message};
        (void)det_suppressed(s, &f);
        /* Without a star or an anchor a pattern matches itself. */
        const char *pattern = s->at.at[i].pattern;
        if (!strpbrk(pattern, "*^$"))
            require(det_pattern_matches(pattern, pattern));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    td_diag diag = {0};
    det_suppressions s;
    if (det_suppressions_parse((const char *)data, size, &s, &diag) != TD_OK) {
        require(diag.text[0] != '\0' && s.at.len == 0);
        return 0;
    }
    read_again(&s);
    compare(&s);
    det_suppressions_fini(&s);
    return 0;
}
