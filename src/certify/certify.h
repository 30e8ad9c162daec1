/* SPDX-License-Identifier: Apache-2.0 */
/* certify/certify.h - checks a certificate: that its runs are all traces of a program, or lead to all local states.
 *
 * Purpose     The checker behind treadle-check. It shares no code with the searches, and none that computes
 *             dependence for them: it has a table of operations of its own (from wire/ops.def), event ids of its
 *             own, and rules of closure of its own. Theorem and proof: docs/limits.md.
 * Words       event: an operation of a thread with its causes: the event of the thread before it, and the object
 *             events it depends on. configuration: events that hold their causes and no conflict; here always a
 *             rising list of numbers. history: an event as the place where its thread continues from.
 *             obligation: a configuration with one more event, which some run must contain.
 * Invariants  (C1) causes have smaller numbers than what they cause, so a configuration in rising order can be
 *             executed in that order; (C2) a thread is called blocked only if the records of runs show it: where
 *             the table is not sure it is called enabled, which only adds obligations.
 * Ownership   A crt owns everything. Threads: none.
 */
#pragma once

#include "base/id.h"
#include "base/map.h"
#include "base/status.h"
#include "base/text.h"
#include "base/vec.h"
#include "trace/trace.h"

#define CRT_NONE UINT32_MAX

TD_VEC(uint32_t, crt_list);
TD_VEC(wire_step, crt_steps);
TD_VEC(char *, crt_args);
TD_VEC(wire_promoted, crt_promoted);

/* ---- ops_table.c ---- */

typedef enum crt_effect { CRT_N, CRT_S, CRT_E } crt_effect;
/* What two events have in common if they may depend on each other: a byte, an object, or the end of a thread. */
typedef uint64_t crt_spot;
#define CRT_NEXT_BYTE 4u /* from the spot of a byte to that of the next one */
/* The n spots of an operation: first, first + CRT_NEXT_BYTE, ... */
typedef struct crt_spots {
    crt_spot first;
    uint32_t n;
} crt_spots;

/* What a thread does next after a history. */
typedef struct crt_ask {
    uint32_t thread, before; /* the history; CRT_NONE: main's start */
    uint32_t other;          /* JOIN: the joined thread; otherwise CRT_NONE */
    uint8_t kind, size;      /* as asked for; size of an access, else 0 */
    uint64_t object;         /* 0 where none matters */
    crt_spots spots;
} crt_ask;

const char *crt_kind_text(uint8_t kind);
/* Why operations of this kind are beyond the theorem; NULL: they are not. */
const char *crt_kind_excluded(uint8_t kind);
uint8_t crt_asked(uint8_t kind);
crt_effect crt_effect_of(uint8_t kind);
bool crt_is_access(uint8_t kind);
bool crt_writes(uint8_t kind);
/* Its value is determined by its history: what is read or written, a count, who is last. */
bool crt_has_value(uint8_t kind);
/* What was asked for may turn out exclusive; may turn out shared. */
bool crt_can_be(uint8_t asked, crt_effect effect);
/* The letter of the column "when". */
char crt_when(uint8_t kind);
/* Its thread holds the object afterwards. */
bool crt_holds(uint8_t kind);
/* Returns what it adds to the readers of its object; *resets: there are none after it. */
int crt_readers(uint8_t kind, bool *resets);
/* From the other fields of the operation. */
crt_spots crt_spots_of(const crt_ask *a);
static inline bool crt_has_spot(const crt_ask *a, crt_spot spot)
{
    crt_spot from = spot - a->spots.first;
    return from < (crt_spot)a->spots.n * CRT_NEXT_BYTE && from % CRT_NEXT_BYTE == 0;
}
static inline bool crt_share_spot(const crt_ask *a, const crt_ask *b)
{
    return a->spots.n > 0 && b->spots.n > 0 &&
           (crt_has_spot(a, b->spots.first) || crt_has_spot(b, a->spots.first));
}

/* ---- run_events.c ---- */

typedef struct crt_event {
    crt_ask ask;
    uint8_t turned;   /* kind, as it turned out */
    bool is_closed;   /* its object is, after it */
    uint64_t value;   /* crt_has_value: its value; else 0 */
    uint32_t writer;  /* of an access: the write before it, by the records; CRT_NONE */
    uint32_t depth;   /* events of its thread up to it */
    uint32_t created; /* CREATE: the thread; else CRT_NONE */
    uint32_t causes, n_causes; /* in crt.pool, rising: the object events it depends on */
    uint32_t woken, n_woken;   /* likewise: threads that may continue at its object */
    uint32_t tops;             /* likewise, n_clock: the last of them; CRT_NONE: none */
    uint32_t clock,
        n_clock; /* likewise: by thread, how many of its events are in the cone */
} crt_event;

typedef struct crt_run {
    uint32_t first, n; /* its events, rising, in crt.members */
} crt_run;

typedef struct crt_spot_state {
    uint32_t last;  /* exclusive event, CRT_NONE */
    uint32_t reads; /* link of shared events since, CRT_NONE */
    bool is_known;
    uint32_t writer; /* of a byte: the last write, by the records; CRT_NONE */
} crt_spot_state;

typedef struct crt_link {
    uint32_t event, next;
} crt_link;

TD_VEC(crt_event, crt_event_vec);
TD_VEC(crt_ask, crt_ask_vec);
TD_VEC(crt_run, crt_run_vec);
TD_VEC(crt_link, crt_link_vec);
static inline uint64_t crt_hash_id(td_id id)
{
    return id.lo;
}
TD_MAP(td_id, uint32_t, crt_index, crt_hash_id, td_id_equal);
TD_MAP(crt_spot, crt_spot_state, crt_objects, td_hash_number, td_same_number);

typedef struct crt {
    crt_event_vec events;
    crt_list pool, members;
    crt_run_vec runs;    /* without those that are the same set of events */
    crt_ask_vec asks;    /* what follows each history, once known */
    crt_index event_of;  /* by what makes an event, its number and 1 */
    crt_index ask_of;    /* by thread and history, a number in asks and 1 */
    crt_index thread_of; /* by parent and how many it had created, a thread */
    crt_index next_at;   /* by spot and state, a link of the events that come next */
    crt_link_vec links;  /* links of next_at */
    /* By history and state of the object: the thread holds it itself, and waits. */
    td_id_set held;
    td_id_set seen; /* sets of events that are runs */
    uint32_t n_threads;
    uint64_t n_obligations;
    uint64_t n_cut; /* runs that the exit of the process cut short, which are left out */
    crt_list runs_of, first_run_of; /* runs by event; after crt_index_runs */
    crt_list missing;        /* the obligation that is not covered: a configuration ... */
    uint32_t missing_thread; /* ... and whose next operation */
} crt;

void crt_fini(crt *c);
/* TD_E_LIMIT: the theorem does not cover the program of this run; diag has the reason. */
TD_MUST_USE td_status crt_covers(const trc *t, td_diag *diag);
/* Takes a run. TD_E_LIMIT: as above, or the run is not maximal. *run: its number; CRT_NONE: it is known, or left out. */
TD_MUST_USE td_status crt_take(crt *c, const trc *t, uint32_t *run, td_diag *diag);

/* The events of a run, rising. */
void crt_events_of(const crt *c, uint32_t run, crt_list *out);
/* True if event e is x or a cause of it, both of one configuration. */
bool crt_is_before(const crt *c, uint32_t e, uint32_t x);
/* The same for a history, which may be CRT_NONE. */
bool crt_knows(const crt *c, uint32_t history, uint32_t e);
/* The event and all its causes; nothing of CRT_NONE. */
void crt_cone(const crt *c, uint32_t event, crt_list *out);
/* What follows a history in the runs; NULL: nothing is known, as after an end. */
const crt_ask *crt_ask_after(const crt *c, uint32_t thread, uint32_t history);
/* True if the operation can be done in a configuration, and the event that it is then; CRT_NONE: no run has it. */
bool crt_place(const crt *c, const crt_list *in, const crt_ask *a, uint32_t *event);
/* Events of a configuration that the operation may depend on and its history does not know. */
void crt_depends(const crt *c, const crt_list *in, const crt_ask *a, crt_list *out);
/* An event by what makes it; CRT_NONE. causes are rising. */
uint32_t crt_event_by(const crt *c, const crt_ask *a, const crt_list *causes);
td_id crt_id_of(const void *words, size_t n_bytes, uint32_t tag);
/* The key in next_at. */
td_id crt_spot_id(crt_spot spot, uint32_t last);
/* The steps that execute events in this order, then the next operation of a thread; CRT_NONE: of none. */
void crt_schedule(const crt *c, const crt_list *events, uint32_t then, crt_steps *out);

/* ---- closure.c ---- */

/* Check that the runs are closed. False: c->missing is an obligation that no run covers. */
void crt_index_runs(crt *c); /* before the first of these */
bool crt_traces_closed(crt *c);
bool crt_states_closed(crt *c);

/* ---- file.c ---- */

typedef struct crt_file {
    td_text text; /* args and build_id point into it */
    bool wants_states;
    const char *build_id;
    crt_args args;
    uint32_t spurious;
    bool reuse;
    crt_promoted promoted;
    crt_steps steps;
    crt_list ends; /* end of the steps of each run */
} crt_file;

/* Every byte of the file may be wrong. */
TD_MUST_USE td_status crt_file_parse(crt_file *f, td_diag *diag);
void crt_file_fini(crt_file *f);
