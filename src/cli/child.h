/* SPDX-License-Identifier: Apache-2.0 */
/* cli/child.h - commands of treadle in a process of their own. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Runs "treadle WORDS", which NULL ends, with nothing to read and its output in a file; log NULL: nowhere. Returns the exit
 * status, 127 if it cannot be started, 128 if a signal ended it. It ends with us. */
int cli_child(char *const *words, const char *log);
/* The same, but the command is ended once keep returns false; it has a second to clean up. keep is called
 * again and again while the command runs, and may wait for a moment. */
int cli_child_while(char *const *words, const char *log, bool (*keep)(void *ctx),
                    void *ctx);
/* The same in a folder, until then (td_now_ms). */
int cli_child_in(const char *folder, char *const *words, const char *log,
                 uint64_t end_ms);
