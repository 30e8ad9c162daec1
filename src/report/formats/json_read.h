/* SPDX-License-Identifier: Apache-2.0 */
/* report/formats/json_read.h - JSON (RFC 8259) from bytes that nobody vouches for, read by json-c.
 *
 * Invariants  The same texts are accepted with every version of json-c: it is given ASCII only, because the
 *             strict mode of 0.18 takes every other byte for a control character.
 */
#pragma once

#include <json-c/json.h>
#include <stddef.h>

/* The value that is all of the text, white space around it aside, with at most depth brackets open at a
 * time; put by the caller. NULL: the text is no JSON, not UTF-8, or "null". */
json_object *rep_json_read(const char *text, size_t n, int depth);
