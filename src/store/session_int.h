/* SPDX-License-Identifier: Apache-2.0 */
/* store/session_int.h - what the writer and the reader of session.db share. */
#pragma once

#include <stdbool.h>

#include "store/store.h"

/* PRAGMA application_id and user_version of our files. A change of the tables is a new version; a
 * file of another version is refused. */
#define STO_APPLICATION 1953653868 /* "trdl" */
#define STO_VERSION 4

#define STO_NAME_OF(number) #number
#define STO_TEXT_OF(number) STO_NAME_OF(number)

/* Where sessions are kept by default: TREADLE_OUT, else treadle-out. */
const char *sto_out_dir(void);

struct sto_session {
    char *dir;
    bool is_numbered; /* treadle-out/NAME.N */
    struct sqlite3 *db;
};
