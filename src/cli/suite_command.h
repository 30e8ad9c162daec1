/* SPDX-License-Identifier: Apache-2.0 */
/* cli/suite_command.h - what treadle test and treadle check share. */
#pragma once

#include "suite/suite.h"

/* The exit status of a suite. */
int cli_suite_exit(sui_outcome worst);

/* Writes the findings of all sessions in the folders of dir as SARIF, a page for each session, and a page that links
 * them. */
TD_MUST_USE td_status cli_suite_pages(const char *dir, const char *sarif,
                                      const char *index, td_diag *diag);
