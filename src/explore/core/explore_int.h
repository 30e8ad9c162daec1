/* SPDX-License-Identifier: Apache-2.0 */
/* explore/core/explore_int.h - what the files of explore/ share. */
#pragma once

#include "explore/core/explore.h"

extern const xpl_search xpl_unfold, xpl_optimal, xpl_all, xpl_random, xpl_pct, xpl_auto;
extern const xpl_search xpl_pos, xpl_surw, xpl_guided;
extern const xpl_search xpl_dpor, xpl_flip, xpl_interfere, xpl_race_classes;
extern const xpl_search xpl_product_search;
/* Searches that a program linked with this one brings along, ended by NULL; not there: none. For tests. */
extern const xpl_search *const xpl_more_searches[] __attribute__((weak));

/* Bound on jobs of searches that never end by themselves. */
enum { XPL_DEFAULT_RUNS = 10000 };

/* The seed of one job. */
static inline uint64_t xpl_seed(uint64_t seed, uint64_t job)
{
    uint64_t parts[2] = {seed, job};
    return td_id_hash(parts, sizeof parts).lo;
}
