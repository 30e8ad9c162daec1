/* SPDX-License-Identifier: Apache-2.0 */
/* explore/interfere/temporal.h - possible orders of the events of several threads.
 *
 * Purpose     Decides the temporal constraints of an interference scenario: every thread's
 *             events in its own order, each read after its write and no other write of the
 *             place in between, locks and other primitives with the library's semantics.
 * Words       place: memory that is read and written as one. object: a mutex, semaphore...
 *             source: the event whose write a read reads.
 * Invariants  (O1) an order that is found keeps all constraints;
 *             (O2) if there is none, then every order of these events and others, in which
 *             all blamed reads have the sources they have here and none of the blamed events
 *             is helped by another thread, breaks a constraint.
 * Cost        Events that cannot affect other threads are executed at once; the rest is searched,
 *             each state once. A state is the position of each thread.
 * Reading     Farzan et al., Con2colic testing, 2013, figure 5.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/id.h"
#include "base/vec.h"

#define XPL_NO_EVENT UINT32_MAX  /* as a source: the initial value */
#define XPL_ANY (UINT32_MAX - 1) /* as a source: it does not matter */
#define XPL_NOTHING UINT32_MAX   /* no place, object or thread */

TD_VEC(uint32_t, xpl_u32_vec);

typedef struct xpl_event {
    uint8_t kind; /* enum wire_kind */
    bool reads, writes;
    bool is_closed; /* the object is closed after it */
    bool is_last;   /* BARRIER: of its round */
    bool is_free;   /* it may have another source: blame it */
    uint32_t thread;
    uint32_t place; /* place of a read or write, if its order matters */
    uint32_t object;
    uint32_t other; /* CREATE, JOIN: thread; XPL_NOTHING: not among these */
    uint32_t source;
} xpl_event;

TD_VEC(xpl_event, xpl_event_vec);

/* What is asked. Events of a thread are in a row, thread by thread; thread 0 is there from the
 * start, others from their CREATE on. */
typedef struct xpl_problem {
    xpl_event_vec events;
    xpl_u32_vec first; /* by thread, and one more: all of them */
    uint32_t n_places;
    /* XPL_NOTHING: all reads have their sources; XPL_ANY: only those that are not free; else those
     * and this event. */
    uint32_t only;
    /* By object: of a semaphore at the start; of a barrier: its threads. */
    xpl_u32_vec counts;
} xpl_problem;

typedef enum xpl_orders { XPL_ORDERED, XPL_NO_ORDER, XPL_ORDER_UNKNOWN } xpl_orders;

/* The event waits for a thread that has stopped, or for any thread: XPL_NOTHING. */
typedef struct xpl_waiting {
    uint32_t event, thread;
} xpl_waiting;

TD_VEC(xpl_waiting, xpl_waiting_vec);

typedef struct xpl_temporal {
    xpl_u32_vec order;       /* XPL_ORDERED: all events */
    xpl_u32_vec reads;       /* XPL_NO_ORDER: blamed reads */
    xpl_waiting_vec waiting; /* ... and events that wait for what no thread does */
    uint64_t n_states;       /* looked at, all in all */
    /* scratch */
    xpl_u32_vec words; /* states, one on top of the other */
    xpl_u32_vec
        readers; /* by event: reads that have it as their source; at the end: initial ones
                          * by place */
    td_id_set failed;
    td_id_set blamed;
} xpl_temporal;

xpl_orders xpl_temporal_solve(xpl_temporal *t, const xpl_problem *p);
void xpl_temporal_fini(xpl_temporal *t);
void xpl_problem_clear(xpl_problem *p);
void xpl_problem_fini(xpl_problem *p);
