/* SPDX-License-Identifier: Apache-2.0 */
/* explore/interfere/scenario.h - candidates: goals of runs.
 *
 * Purpose     An interference scenario candidate (ISC) is a place in a thread's tree to reach, with
 *             reads that must observe certain writes of other threads. checker.h decides whether it
 *             is possible.
 * Words       target: a decision with its required outcome. edge: a read and the write of another
 *             thread that it must observe.
 * Reading     Farzan et al., Con2colic testing, 2013, sections 6 and 7.
 */
#pragma once

#include "explore/interfere/forest.h"

typedef enum xpl_aim {
    XPL_AIM_SIDE,    /* the question goes this way */
    XPL_AIM_OTHER,   /* ... in a way that no node behind before has */
    XPL_AIM_OUTCOME, /* what follows turns out as this kind */
    XPL_AIM_ON,      /* the thread executes its next operation and continues */
} xpl_aim;

typedef struct xpl_target {
    uint8_t aim;
    uint8_t kind; /* OUTCOME, ON */
    bool is_last; /* OUTCOME of a barrier */
    uint32_t tree, before;
    uint32_t question;
    uint32_t object; /* OUTCOME, ON; XPL_NONE: none */
    uint32_t other;  /* tree that is joined next; XPL_NONE: none */
    uint32_t cover;  /* number of the branch side it is, XPL_NONE */
    uint64_t side;
} xpl_target;

typedef struct xpl_edge {
    uint32_t read, write; /* nodes */
} xpl_edge;

TD_VEC(xpl_edge, xpl_edge_vec);

typedef struct xpl_scenario {
    uint32_t target;    /* number, for its owner */
    uint32_t degree;    /* edges that are interferences */
    xpl_u32_vec ends;   /* nodes that other threads get to at least, by growing tree */
    xpl_edge_vec edges; /* by growing read */
} xpl_scenario;

void xpl_scenario_copy(xpl_scenario *to, const xpl_scenario *from);
/* The thread of the node gets to it. False: it is elsewhere already. */
bool xpl_scenario_reach(xpl_scenario *s, const xpl_forest *f, const xpl_target *t,
                        uint32_t node);
void xpl_scenario_couple(xpl_scenario *s, uint32_t read, uint32_t write);
uint32_t xpl_scenario_source(const xpl_scenario *s, uint32_t read);
/* The write is before the read in every order, by creates and joins. */
bool xpl_scenario_before(const xpl_scenario *s, const xpl_forest *f, uint32_t write,
                         uint32_t read);
/* The last node of a tree that the candidate needs; XPL_NONE: none. */
uint32_t xpl_scenario_end(const xpl_scenario *s, const xpl_forest *f, const xpl_target *t,
                          uint32_t tree);
void xpl_scenario_fini(xpl_scenario *s);
