/* SPDX-License-Identifier: Apache-2.0 */
/* path/path_int.h - how inputs, nodes and questions are kept.
 *
 * Nodes of a run become expressions when a question first needs them: an explorer queries new events
 * only, and knows most of a run already. Expressions built once are looked up: runs of one program
 * have most of their nodes in common, and simplifying costs more.
 */
#pragma once

#include "path/path.h"

#include "base/id.h"
#include "base/map.h"

static inline uint64_t pth_hash(td_id id)
{
    return id.lo;
}

/* Numbers by content id. */
TD_MAP(td_id, uint32_t, pth_table, pth_hash, td_id_equal);

/* Returns the number of id, or UINT32_MAX. */
uint32_t pth_table_get(const pth_table *t, td_id id);
/* Returns the number of id; a new id gets this number. */
uint32_t pth_table_number(pth_table *t, td_id id, uint32_t number);

typedef struct pth_known {
    exp_ref e;
    exp_ref otherwise; /* SWITCH: condition of side 0, once it was asked for */
    uint32_t first_case, n_cases;
    uint8_t how; /* enum wire_decide */
} pth_known;

/* Reads of a thread of the run that have other numbers than in the run. */
typedef struct pth_shift {
    uint32_t thread;
    uint64_t from, to;
} pth_shift;

TD_VEC(pth_shift, pth_shift_vec);
TD_VEC(pth_known, pth_known_vec);
TD_VEC(pth_input, pth_input_vec);
TD_VEC(uint64_t, pth_u64_vec);
TD_VEC(uint8_t, pth_byte_vec);

struct pth {
    exp_dag *d;
    pth_input_vec inputs; /* by number */
    pth_table input_numbers;
    pth_known_vec questions; /* by number */
    pth_table question_numbers;
    pth_u64_vec cases; /* cases of questions */
    pth_table made;    /* expressions by operation and operands, before simplification */
    /* State of the run taken last. */
    /* Number by index in the run; UINT32_MAX: too many, no input. */
    exp_u32_vec run_inputs;
    exp_ref_vec refs; /* by node; none: not made yet */
    pth_shift_vec shifts;
    /* Scratch. */
    exp_u32_vec stack, members;
    pth_byte_vec marks; /* by input number; all zero between calls */
    pth_u64_vec words;
};
