/* SPDX-License-Identifier: Apache-2.0 */
/* report/formats/sarif_text.h - what all of our SARIF 2.1.0 is made of. */
#pragma once

#include "report/formats/json_text.h"

#define REP_SARIF_SCHEMA                                                                 \
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/"                \
    "sarif-schema-2.1.0.json"

static inline void rep_sarif_message(rep_json *j, const char *name, const char *text)
{
    rep_json_open(j, name, '{');
    rep_json_text(j, "text", text);
    rep_json_close(j, '}');
}

/* column 0: not known. */
static inline void rep_sarif_physical(rep_json *j, const char *path, uint32_t line,
                                      uint32_t column)
{
    rep_json_open(j, "physicalLocation", '{');
    rep_json_open(j, "artifactLocation", '{');
    rep_json_uri(j, "uri", path);
    rep_json_close(j, '}');
    rep_json_open(j, "region", '{');
    rep_json_count(j, "startLine", line);
    if (column > 0)
        rep_json_count(j, "startColumn", column);
    rep_json_close(j, '}');
    rep_json_close(j, '}');
}
