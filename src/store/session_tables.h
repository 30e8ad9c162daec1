/* SPDX-License-Identifier: Apache-2.0 */
/* store/session_tables.h - what the writer and the reader of session.db share. */
#pragma once

#include <stdbool.h>

#include "base/text.h"
#include "store/store.h"

/* PRAGMA application_id and user_version of our files. A change of the tables is a new version, with its steps in
 * migrations.c; a file of STO_OLDEST or later can be read, and is brought up to date where it is written to. Other
 * versions are refused. */
#define STO_APPLICATION 1953653868 /* "trdl" */
#define STO_VERSION 6
#define STO_OLDEST 5

#define STO_NAME_OF(number) #number
#define STO_TEXT_OF(number) STO_NAME_OF(number)

struct sqlite3;

/* Statements that recreate all tables. */
void sto_schema_print(td_text *out);

/* Prevents code in the file from being executed: no trigger, no view in place of a table. */
void sto_db_distrust(struct sqlite3 *db);
/* Reads whether the file has neither tables nor a mark of the program that made it: a session that ended before
 * it began leaves it so. */
TD_MUST_USE td_status sto_is_blank(struct sqlite3 *db, const char *path, bool *out,
                                   td_diag *diag);
/* Reads the version of a file's tables. Fails with a message unless it is a session that this version can
 * read. */
TD_MUST_USE td_status sto_version_read(struct sqlite3 *db, const char *path, int *out,
                                       td_diag *diag);
/* The same, then migrates the tables of an older file to this version, all or nothing. */
TD_MUST_USE td_status sto_bring_up(struct sqlite3 *db, const char *path, td_diag *diag);

struct sto_session {
    char *dir;
    bool is_numbered; /* treadle-out/NAME.N */
    struct sqlite3 *db;
};
