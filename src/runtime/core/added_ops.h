/* SPDX-License-Identifier: Apache-2.0 */
/* runtime/core/added_ops.h - virtual repairs (wire/virtual_repair.h; added_ops.c). */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "wire/virtual_repair.h"

/* Where a thread is for one repair. */
typedef struct rt_inside {
    bool is_in;
    bool is_before;         /* ORDER: it is in part 1 */
    uint32_t part;          /* SECTION: the one that it is in */
    uint32_t n_activations; /* of functions that are in the part at once */
    /* Frame pointer and return address of the outermost of these. */
    uint64_t frame, returns;
    uint64_t entry; /* hash of the return addresses at the point where it entered */
} rt_inside;

/* A new run begins. */
void rt_repair_reset(void);
/* Self is at a point: what it is about to do is at this site. Adds the operations of repairs. Only if
 * rt->is_repaired. */
void rt_repair_point(uint32_t site);
/* Self ends: it is outside of all parts. */
void rt_repair_end(void);
