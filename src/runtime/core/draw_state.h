/* SPDX-License-Identifier: Apache-2.0 */
/* runtime/core/draw_state.h - the state of the policies that draw schedules, within a run. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "wire/wire.h"

/* For the policy SURW. */
typedef struct rt_walk {
    /* Operations that count, by thread, made in the future. */
    uint32_t left[WIRE_MAX_LEFT];
    uint32_t n_left; /* threads with an entry */
    uint32_t marks[WIRE_MAX_MARKS];
    uint32_t n_marks;   /* 0: all operations count */
    uint32_t intended;  /* whose operation that counts comes next, RT_NONE: to be drawn */
    uint32_t n_threads; /* threads when it was drawn */
} rt_walk;

/* A pair of places that the policy POS is to bring about, or to avoid. */
typedef struct rt_target_pair {
    uint32_t from, to; /* wire_place; from 0: nothing was done to the object */
    bool is_wanted;
    bool is_met; /* covered, so no longer wanted */
} rt_target_pair;

typedef struct rt_target_pairs {
    rt_target_pair at[WIRE_MAX_TARGET_PAIRS];
    uint32_t n;
    uint32_t from;     /* place of the next pair */
    uint32_t patience; /* choices that may still be made by them */
} rt_target_pairs;
