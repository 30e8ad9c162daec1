/* SPDX-License-Identifier: Apache-2.0 */
/* report/formats/json_read.h - reads JSON (RFC 8259) from untrusted bytes, by json-c.
 *
 * Invariants  The same texts are accepted with every version of json-c: it is given ASCII only, because the
 *             strict mode of 0.18 takes every other byte for a control character.
 */
#pragma once

#include <json-c/json.h>
#include <stddef.h>

/* Reads the single value of the text, with at most depth brackets open at a time; the caller puts it. NULL:
 * the text is not JSON, not UTF-8, or "null". */
json_object *rep_json_read(const char *text, size_t n, int depth);
