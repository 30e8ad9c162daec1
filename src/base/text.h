/* SPDX-License-Identifier: Apache-2.0 */
/* base/text.h - a growing piece of text, always zero-terminated once written to. */
#pragma once

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

typedef struct td_text {
    char *at; /* NULL while empty */
    size_t len, cap;
} td_text;

void td_text_add(td_text *t, const char *format, ...) TD_PRINTF(2, 3);
void td_text_addv(td_text *t, const char *format, va_list args) TD_PRINTF(2, 0);
void td_text_put(td_text *t, const char *bytes, size_t n);
void td_text_clear(td_text *t);
void td_text_fini(td_text *t);

/* Parses "10s", "500ms", "5m", "1h", "90" (seconds). Returns false if it is invalid. */
bool td_duration_parse(const char *text, uint64_t *ms);

/* Parses "200M", "4G", "500k", "1000000" (bytes); k is 1024. Returns false if it is invalid. */
bool td_size_parse(const char *text, uint64_t *bytes);
/* Where temporary files go: $TMPDIR, or /tmp. */
const char *td_temp_folder(void);

/* For people: 1234567 as "1,234,567". */
void td_count_print(uint64_t n, td_text *out);
/* For people: "1.5 GiB". */
void td_size_print(uint64_t bytes, char out[32]);

/* Succeeds if the path can be read to its end without waiting: a file, an open descriptor (/dev/stdin,
 * /dev/fd/N), or /dev/null. Does not fail for a missing file. */
TD_MUST_USE td_status td_file_check(const char *path, td_diag *diag);

/* Reads the whole file. Fails if it has more than limit bytes, or fails td_file_check. */
TD_MUST_USE td_status td_file_read(const char *path, size_t limit, td_text *out,
                                   td_diag *diag);

/* Written beside and renamed, so that a reader sees the old file or the new one. A link at its place is
 * replaced, never followed: for names of our own. */
TD_MUST_USE td_status td_file_replace(const char *path, const char *bytes, size_t n,
                                      td_diag *diag);
/* The same for names given by users: writes through links, to devices and to pipes; fails for a pipe without
 * a reader. */
TD_MUST_USE td_status td_file_write(const char *path, const char *bytes, size_t n,
                                    td_diag *diag);
