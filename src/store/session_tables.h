/* SPDX-License-Identifier: Apache-2.0 */
/* store/session_tables.h - what the writer and the reader of session.db share. */
#pragma once

#include <stdbool.h>

#include "base/text.h"
#include "store/store.h"

/* PRAGMA application_id and user_version of our files. A change of the tables is a new version; a
 * file of another version is refused. */
#define STO_APPLICATION 1953653868 /* "trdl" */
#define STO_VERSION 6

#define STO_NAME_OF(number) #number
#define STO_TEXT_OF(number) STO_NAME_OF(number)

struct sqlite3;

/* Statements that recreate all tables. */
void sto_schema_print(td_text *out);

/* Nothing that stands in the file is executed: no trigger, no view in the place of a table. */
void sto_db_distrust(struct sqlite3 *db);
/* Fails with a sentence unless the file is ours and of this version. */
TD_MUST_USE td_status sto_version_check(struct sqlite3 *db, const char *path,
                                        td_diag *diag);

struct sto_session {
    char *dir;
    bool is_numbered; /* treadle-out/NAME.N */
    struct sqlite3 *db;
};
