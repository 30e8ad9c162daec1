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

/* "10s", "500ms", "5m", "1h", "90" (seconds). False: it is none. */
bool td_duration_parse(const char *text, uint64_t *ms);

/* "200M", "4G", "500k", "1000000" (bytes); k is 1024. False: it is none. */
bool td_size_parse(const char *text, uint64_t *bytes);
/* Where temporary files go: $TMPDIR, or /tmp. */
const char *td_temp_folder(void);

/* For people: 1234567 as "1,234,567". */
void td_count_print(uint64_t n, td_text *out);
/* For people: "1.5 GiB". */
void td_size_print(uint64_t bytes, char out[32]);

/* Whether it can be read to its end without waiting: a file, or what is open already (/dev/stdin,
 * /dev/fd/N), or /dev/null. A file that is missing is not its concern. */
TD_MUST_USE td_status td_file_check(const char *path, td_diag *diag);

/* The whole file; fails with a sentence. Refuses more than limit bytes, and what td_file_check refuses. */
TD_MUST_USE td_status td_file_read(const char *path, size_t limit, td_text *out,
                                   td_diag *diag);

/* Written beside and renamed, so that a reader sees the old file or the new one. A link at its place is
 * replaced, never followed: for names of our own. */
TD_MUST_USE td_status td_file_replace(const char *path, const char *bytes, size_t n,
                                      td_diag *diag);
/* The same for names that a user gave: a link, a device or a pipe is written through; a pipe that nobody
 * reads is refused. */
TD_MUST_USE td_status td_file_write(const char *path, const char *bytes, size_t n,
                                    td_diag *diag);
