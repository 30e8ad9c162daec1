/* SPDX-License-Identifier: Apache-2.0 */
/* wire/virtual_repair.h - virtual repairs: changes of the program that the runtime makes while it runs (treadle fix).
 *
 * Purpose     Tries a change without building the program again. The code is what it was; the runtime
 *             adds operations where threads enter and leave the code of source lines.
 * Words       part: the code of one range of lines. A thread is in a part while a frame of its stack is.
 *             point: an operation or a plain access, where the runtime checks which parts a thread is in.
 * Invariants  (P1) SECTION, ORDER only add operations that may wait: each run is a run of the program
 *             as it is, with threads that wait longer.
 */
#pragma once

#include <assert.h>
#include <stdint.h>

enum wire_repair_kind {
    WIRE_REPAIR_NONE,
    /* A thread holds the mutex object from its first point in a part to its first point outside of that part. */
    WIRE_REPAIR_SECTION,
    /* A thread waits before part 1 until threads have left part 0 count times. */
    WIRE_REPAIR_ORDER,
    /* A signal on a condition variable in part 0 wakes all threads that wait there. */
    WIRE_REPAIR_WAKE_ALL,
    WIRE_N_REPAIR_KINDS
};

typedef struct wire_repair {
    uint64_t
        object; /* SECTION: a mutex of the program, or WIRE_OBJECT_REPAIR; ORDER: the latter */
    uint32_t kind;  /* enum wire_repair_kind */
    uint32_t count; /* ORDER */
    /* SECTION: the lines are in a loop that they do not contain, so a thread may come back to
     * their first point without a point outside. */
    uint32_t is_in_loop;
    uint32_t pad;
} wire_repair;

/* Code of a part: addresses of the running program, low <= address < high. */
typedef struct wire_part {
    uint64_t low, high;
    uint32_t repair; /* index */
    uint32_t part;   /* below WIRE_MAX_PLACES */
} wire_part;

static_assert(sizeof(wire_repair) == 24, "wire_repair is part of the protocol");
static_assert(sizeof(wire_part) == 24, "wire_part is part of the protocol");

#define WIRE_MAX_REPAIRS 4u
#define WIRE_MAX_PLACES 4u /* parts of one repair */
#define WIRE_MAX_PARTS 512u
/* The object that a repair adds, by its index. */
#define WIRE_OBJECT_REPAIR(i) (UINT64_C(12) + 8 * (uint64_t)(i))
