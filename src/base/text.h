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
/* For people: "1.5 GiB". */
void td_size_print(uint64_t bytes, char out[32]);

/* The whole file; fails with a sentence. Refuses more than limit bytes. */
TD_MUST_USE td_status td_file_read(const char *path, size_t limit, td_text *out,
                                   td_diag *diag);

/* Written beside and renamed, so that a reader sees the old file or the new one. */
TD_MUST_USE td_status td_file_write(const char *path, const char *bytes, size_t n,
                                    td_diag *diag);
