/* SPDX-License-Identifier: Apache-2.0 */
/* report/formats/json_text.h - writing JSON (RFC 8259), ASCII or UTF-8.
 *
 *     rep_json j = {.out = out};
 *     rep_json_open(&j, NULL, '{');
 *     rep_json_text(&j, "id", f->id);
 *     rep_json_open(&j, "args", '[');
 *     rep_json_text(&j, NULL, "30");
 *     rep_json_close(&j, ']');
 *     rep_json_close(&j, '}');
 *
 * The name is NULL for an item of an array. Commas come by themselves.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

#define REP_JSON_DEPTH 16

typedef struct rep_json {
    td_text *out;
    bool has_item;             /* what is open has an item already */
    uint8_t depth;             /* brackets that are open ... */
    char open[REP_JSON_DEPTH]; /* ... outermost first */
} rep_json;

void rep_json_open(rep_json *j, const char *name, char bracket);
void rep_json_close(rep_json *j, char bracket);
void rep_json_text(rep_json *j, const char *name, const char *text);
/* A path as a URI reference (RFC 3986). */
void rep_json_uri(rep_json *j, const char *name, const char *path);
void rep_json_count(rep_json *j, const char *name, uint64_t n);
void rep_json_integer(rep_json *j, const char *name, int64_t n);
void rep_json_bool(rep_json *j, const char *name, bool holds);
/* Six digits after the point; what is not a number, or negative, is 0. */
void rep_json_real(rep_json *j, const char *name, double value);
/* A line break, for people; between items only. */
void rep_json_line(rep_json *j);

/* A text in quotes; bytes that are not UTF-8 become U+FFFD. NULL is "". */
void rep_json_put_string(td_text *out, const char *text);
/* The number as rep_json_real writes it. */
void rep_json_put_real(td_text *out, double value);
