/* SPDX-License-Identifier: Apache-2.0 */
/* cli/prometheus.h - where figures go for Prometheus: a file, or a port of this machine.
 *
 * Purpose     `--prometheus=FILE|[127.0.0.1:]PORT`.
 * Invariants  A file is replaced whole. A port is bound to 127.0.0.1 and nothing else. A client
 *             cannot hold us up: one at a time, a request of bounded size, within a second.
 */
#pragma once

#include "base/status.h"
#include "base/text.h"

typedef struct cli_prometheus {
    const char *path; /* NULL: a port, or nothing */
    int fd;           /* listens; -1: none */
} cli_prometheus;

/* Nothing is published if `where` is NULL. */
TD_MUST_USE td_status cli_prometheus_open(const char *where, cli_prometheus *out,
                                          td_diag *diag);
/* Replaces the file. */
TD_MUST_USE td_status cli_prometheus_write(const cli_prometheus *p, const td_text *text,
                                           td_diag *diag);
/* Sends the text to a client that has connected, whatever its request. */
void cli_prometheus_serve(const cli_prometheus *p, const td_text *text);
void cli_prometheus_close(cli_prometheus *p);
