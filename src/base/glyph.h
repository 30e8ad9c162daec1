/* SPDX-License-Identifier: Apache-2.0 */
/* base/glyph.h - characters that others chose, as people may see them.
 *
 * Purpose     Names, messages and sources come from programs and files that are not trusted. A character
 *             that is not seen, or that turns the line round, would let a report say what it does
 *             not: every format passes text through here.
 * Words       hidden: controls of direction, of zero width, C1 controls, other line ends, tags. They become
 *             "[U+202E]". Bytes that are not UTF-8 become U+FFFD. ASCII is left to the format.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/text.h"

/* Returns the length of the UTF-8 sequence at text, which is not empty; 0 if it is invalid (overlong forms,
 * surrogates, beyond U+10FFFF). */
size_t td_utf8_length(const char *text);
/* Returns the code of the character at text, of length n. */
uint32_t td_utf8_code(const char *text, size_t n);

/* The printable form of the first character of a text. */
typedef struct td_glyph {
    char text[12]; /* with a zero at the end */
    size_t n;      /* bytes of it */
    size_t taken;  /* bytes of the text; never 0 */
} td_glyph;
td_glyph td_glyph_at(const char *text);

/* As fprintf; what is printed passes through td_text_put_visible. */
void td_print(FILE *to, const char *format, ...) TD_PRINTF(2, 3);
void td_printv(FILE *to, const char *format, va_list args) TD_PRINTF(2, 0);

/* All of a text for a terminal: controls other than newlines become '?', tabs a blank. NULL is "". */
void td_text_put_visible(td_text *out, const char *text);
