/* SPDX-License-Identifier: Apache-2.0 */
/* trace/repairs.h - virtual repairs by source lines (wire/virtual_repair.h).
 *
 * Purpose     Data of a repair as a recording has it, and its code in the running program.
 * Ownership   A trc_repair owns its texts.
 */
#pragma once

#include "base/status.h"
#include "base/vec.h"
#include "trace/site_table.h"

/* Lines of a source file. */
typedef struct trc_lines {
    char *file; /* only the part after its last slash counts */
    uint32_t from, to;
    char *function; /* for people */
} trc_lines;

#define TRC_REPAIR_PLACES WIRE_MAX_PLACES

typedef struct trc_repair {
    uint8_t kind; /* enum wire_repair_kind */
    bool is_in_loop;
    uint32_t count;
    char *lock;      /* SECTION: name of the mutex; a new one: "" */
    uint64_t object; /* its address; 0: a new one */
    /* SECTION, WAKE_ALL: one or more; ORDER: what comes first, what comes after it. */
    trc_lines places[TRC_REPAIR_PLACES];
    uint32_t n_places;
} trc_repair;
TD_VEC(trc_repair, trc_repair_vec);

void trc_repair_fini(trc_repair *r);
void trc_repair_copy(trc_repair *to, const trc_repair *from);
/* "section", "order", "wake-all"; NULL: there is no such kind. */
const char *trc_repair_name(uint8_t kind);
bool trc_repair_named(const char *name, uint8_t *out);
/* Places, count and object are there as the kind wants them. */
bool trc_repair_valid(const trc_repair *r);

/* Converts them for the program under test. Fails if lines have no code, code is in too many pieces, a call is a jump, or the mutex
 * is not at its address. */
TD_MUST_USE td_status trc_repairs_wire(const trc_repair *repairs, size_t n,
                                       trc_sites *sites, wire_shm *out, td_diag *diag);
