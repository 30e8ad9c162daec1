/* SPDX-License-Identifier: Apache-2.0 */
/* trace/trace.h - one run, decoded from the program's records.
 *
 * Purpose     Turns wire records into operations with causal ids; checks every byte,
 *             because the program may have overwritten them.
 * Words       operation, event, id: docs/glossary.md.
 *             name of a thread: an id made of its parent's name and how many threads the
 *             parent had created before, so it does not depend on the schedule.
 *             choice: an operation that the scheduler chose (not WIRE_F_FORCED).
 *             spin: an operation that was undone: a read in a loop iteration without effect. It has
 *             an id, but is not an event: nothing depends on it.
 * Invariants  (T1) op.thread < n threads; a thread is created before its first operation
 *                  and has no operation after its END;
 *             (T2) ids[i] names the Mazurkiewicz class of the cone of ops[i];
 *             (T3) sizes of vectors never exceed what the records announce, and records are
 *                  bounded by the depth of the job and the TRC_MAX_* below;
 *             (T4) texts are zero-terminated and hold no control characters;
 *             (T5) operands of a node come before it and have the widths its operation requires; a
 *             DECIDE names a node of at most 64 bits.
 * Ownership   A trc owns its vectors; trc_clear keeps their storage for the next run.
 * Threads     None.
 * Cost        trc_feed O(1) a record; trc_identify O(1) expected an operation, and a few
 *             instructions for a prefix shared with the previous run.
 *
 * Dependence (what an id contains besides the thread's own past). Two operations on
 * objects that overlap depend on each other unless both are shared (wire/ops.def). The object
 * of LOAD, STORE, RMW, CAS, CAS_FAIL and of futexes is the range of bytes [object, object +
 * size); of all other operations with an effect it is the address, in a space of its own: a mutex
 * and an atomic access to its bytes are independent. Every byte has its last exclusive
 * operation and the shared ones since; an exclusive operation depends on both, a shared
 * one on the former. JOIN depends on the last operation of the thread joined, the first
 * operation of a thread on its CREATE. Where the bytes of an access do not all have the
 * same history, the histories of all its bytes are hashed together; so an id is a
 * function of the cone alone, whatever else a schedule did to the neighbouring bytes.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/id.h"
#include "base/status.h"
#include "base/text.h"
#include "base/vec.h"
#include "model/model.h"
#include "wire/wire.h"

#define TRC_MAX_TEXT 4096u          /* bytes of one text; the rest is dropped */
#define TRC_MAX_ACCESSES (1u << 22) /* more plain accesses are dropped and counted */
#define TRC_MAX_TOUCHES                                                                  \
    (1u << 24)                   /* the same for ranges, merged where that is possible */
#define TRC_MAX_NOTES (1u << 16) /* the same for each kind of other notes */
#define TRC_MAX_FRAMES 64u       /* frames of a stack; likewise */

typedef struct trc_op {
    uint8_t kind;   /* enum wire_kind, below WIRE_N_OPS */
    uint8_t size;   /* bytes of the object; DECIDE: enum wire_decide */
    uint8_t offset; /* offset of an access in its object, and its size */
    uint8_t n_bytes;
    uint8_t order;   /* C11 memory order */
    uint8_t flags;   /* WIRE_F_*; of one kind: trc_is_promoted, _fetched, _misused */
    uint32_t thread; /* by order of creation in this run */
    uint32_t site;
    uint32_t n_enabled;      /* threads that could have been chosen, this one too;
                              * 0: not known (a choice made by the job's steps) */
    uint32_t alternatives;   /* index of the first other one in trc.enabled */
    uint32_t n_alternatives; /* 0 where they were not asked for */
    uint32_t woken; /* E: first thread in trc.woken that may continue at the object */
    uint32_t n_woken;
    uint64_t object;
    uint64_t value;
    uint32_t node;  /* CAS, CAS_FAIL: succeeds if it is 1; 0: does not depend on inputs */
    uint32_t loop;  /* SPIN: site of the loop */
    uint32_t stack; /* stack of its thread, in trc.stacks; 0: unknown */
    bool is_told;   /* STORE, RMW, CAS: value and written are known (WIRE_JOB_READS) */
    uint32_t written; /* node of the value written; 0: concrete */
    uint64_t old; /* RMW, CAS; with detail STORE too; DECIDE: the side taken: 0 or 1 of a
                   * branch, of a switch 0 by default, 1.. by its cases, else the value;
                   * SPIN: operations of the round, itself among them */
    /* after trc_identify */
    td_id id;
    uint32_t
        after; /* index of the operation on the object it depends on: the last exclusive
                     * one, of a JOIN the END; UINT32_MAX: none; TRC_MIXED: several */
    uint8_t turned; /* SPIN: how the operation turned out: one that only looks, or RMW;
                     * known from the start */
} trc_op;

#define TRC_MIXED (UINT32_MAX - 1)

typedef struct trc_thread {
    td_id name;      /* zero until trc_identify */
    uint32_t parent; /* 0 for main */
    uint32_t nth;    /* threads the parent had created before */
    uint32_t create_site;
    uint32_t create_op; /* index of the CREATE; of main: UINT32_MAX */
    uint32_t stack;     /* the last recorded stack, in trc.stacks; 0: none */
    uint32_t end_op;    /* index of its END; UINT32_MAX: it has not ended */
    uint32_t n_created; /* threads it has created */
    uint64_t start;     /* address of the start routine */
    uint64_t arg;
    uint32_t word; /* index in argv of the word that arg points to, 0: to none */
} trc_thread;

/* A plain access (only with WIRE_JOB_DETAIL). It happened after before_op operations. */
typedef struct trc_access {
    uint32_t thread, site, before_op;
    uint32_t stack; /* in trc.stacks; 0: not known */
    uint8_t size;
    bool is_write;
    bool is_free; /* the block is given back */
    uint64_t object, value, old;
} trc_access;

/* A thread that waits forever when the run ends, or an object that it holds. */
typedef struct trc_wait {
    uint32_t thread, site;
    /* Enum wire_kind of the operation it waits to do; 0: it holds the object. */
    uint8_t kind;
    uint64_t object;
    uint32_t other; /* holder or thread joined, UINT32_MAX: none */
    uint32_t stack; /* in trc.stacks; 0: not known */
} trc_wait;

/* Return addresses on the stack of a thread (only with WIRE_JOB_STACKS), innermost first:
 * n of trc.frames from first on. */
typedef struct trc_stack {
    uint32_t first, n;
} trc_stack;

/* The next operation of a thread when the run ends (only with WIRE_JOB_NEXT). */
typedef struct trc_next {
    uint32_t thread, site;
    uint8_t
        kind; /* enum wire_kind; CAS and TRYLOCK may turn out to fail; WIRE_NONE: after
                   * trc_project only */
    uint8_t size; /* bytes */
    uint64_t object;
    uint32_t other;   /* thread it wants to join, UINT32_MAX: none */
    uint8_t patience; /* WIRE_F_PATIENCE */
} trc_next;

/* Bytes touched with plain accesses (only with WIRE_JOB_NEXT), after before_op operations;
 * the ranges of one way and site in a part, between two operations of a thread, may overlap. */
typedef struct trc_touch {
    uint32_t thread, site, before_op;
    uint8_t how; /* enum wire_touch */
    uint64_t start, end;
} trc_touch;

/* A read that affected control flow (only with WIRE_JOB_FLOW). */
typedef struct trc_use {
    uint32_t thread, site, before_op;
    uint64_t start, end;
} trc_use;

/* A thread is at the header of a loop (NOTE_LOOP). */
typedef struct trc_loop {
    uint32_t thread, site, before_op;
    uint8_t at;      /* enum wire_loop_at */
    uint64_t object; /* which activation */
    uint64_t state;  /* a hash; equal ones go on alike; 0: not known */
} trc_loop;

typedef struct trc_gap {
    uint8_t kind; /* enum wire_gap */
    uint32_t site;
    uint32_t text; /* offset in trc.texts */
} trc_gap;

/* The contents of a NOTE_BLOCK: the thread that allocated or freed a block, or owns the stack. */
typedef struct trc_party {
    bool is_known;
    uint32_t thread, site;
} trc_party;

/* A failure. Races under WIRE_JOB_RACE_ON may give several; so do leaks. */
typedef struct trc_fail {
    uint8_t kind; /* enum wire_fail */
    uint8_t size; /* race: bytes of the later access, else 0 */
    bool other_is_write;
    bool goes_on; /* misuse: the thread has continued */
    /* memory: which, and whether it is a write; value is the bytes accessed */
    uint8_t memory; /* enum wire_memory */
    bool is_write;
    trc_party parties[WIRE_N_BLOCKS]; /* indexed by enum wire_block */
    uint64_t block, block_bytes;      /* with WIRE_BLOCK_MADE: address and size */
    uint32_t thread, site;
    uint32_t call; /* site of the last call of a function of the runtime */
    uint64_t object, value;
    uint32_t text; /* offset in trc.texts; that of "" if there is no text */
    /* race: the earlier access; other_thread is UINT32_MAX if there is none */
    uint32_t other_thread, other_site;
    uint32_t after_op; /* operations before the failure */
    uint32_t stack;    /* in trc.stacks; 0: not known */
} trc_fail;

#define TRC_CALL_ARGS 4u

/* An operation of the history that a failure LINEAR is about. */
typedef struct trc_call {
    uint32_t thread, site; /* thread and site of its begin */
    uint32_t begin, end;   /* positions in the history, 1..; end 0: it has not ended */
    uint32_t text;         /* its name, offset in trc.texts */
    uint8_t n_args;
    bool has_result;
    uint64_t args[TRC_CALL_ARGS];
    uint64_t result;
} trc_call;

/* What the specification gives for the last operation that ended, in an order that explains the other
 * operations. */
typedef struct trc_saying {
    uint32_t first, n; /* the order: calls, in trc.order */
    bool possible; /* it returns result; otherwise the operation is not allowed there */
    uint64_t result;
} trc_saying;

/* A symbolic value; wire/sym.h says what operations mean. Operands are numbers of earlier
 * nodes, 0: the immediate (of ITE: immediate[0] for b, immediate[1] for c). */
typedef struct trc_node {
    uint8_t op;     /* enum wire_sym_op */
    uint8_t bits;   /* 1..128 */
    uint8_t offset; /* EXTRACT: first bit */
    uint32_t a, b, c;
    uint64_t
        immediate[2]; /* low and high half; INPUT: number of the input; READ: thread, and
                            * how many it made before */
} trc_node;

/* An input of at most 64 bits. */
typedef struct trc_input {
    uint64_t key; /* names it in jobs, whatever the schedule */
    uint64_t value;
    uint32_t thread, site, before_op;
    uint32_t text; /* its name, offset in trc.texts */
    uint8_t bits;
    uint8_t sign; /* enum wire_sign */
} trc_input;

/* The cases of the switch at a site, in trc.cases. */
typedef struct trc_switch {
    uint32_t site;
    uint32_t first, n;
} trc_switch;

/* A side of a branch that a thread took (only with WIRE_JOB_SIDES), the first time. */
typedef struct trc_side {
    uint32_t thread, site, before_op;
    uint64_t side;
} trc_side;

/* In a run with WIRE_JOB_STORES: a read observes, or a store directly follows, not the last store but the
 * nth one of thread, counted from 1; nth 0: the initial value. */
typedef struct trc_choice {
    uint32_t op, thread, nth;
} trc_choice;

/* ... what an RMW, CAS or CAS_FAIL would make of another value. */
typedef struct trc_operand {
    uint32_t op;
    uint8_t rmw; /* enum wire_rmw */
    uint64_t operand, desired;
    /* Memory order of a compare-exchange if it turns out the other way. */
    uint8_t otherwise;
} trc_operand;

/* ... the stores of an object are counted from this operation on; it held value. */
typedef struct trc_seed {
    uint32_t op;
    uint64_t value;
} trc_seed;

TD_VEC(trc_choice, trc_choice_vec);
TD_VEC(trc_operand, trc_operand_vec);
TD_VEC(trc_seed, trc_seed_vec);
TD_VEC(trc_side, trc_side_vec);
TD_VEC(trc_node, trc_node_vec);
TD_VEC(trc_input, trc_input_vec);
TD_VEC(trc_switch, trc_switch_vec);
TD_VEC(uint64_t, trc_u64_vec);
TD_VEC(trc_op, trc_op_vec);
TD_VEC(trc_thread, trc_thread_vec);
TD_VEC(trc_access, trc_access_vec);
TD_VEC(trc_wait, trc_wait_vec);
TD_VEC(trc_stack, trc_stack_vec);
TD_VEC(trc_next, trc_next_vec);
TD_VEC(trc_touch, trc_touch_vec);
TD_VEC(trc_use, trc_use_vec);
TD_VEC(trc_loop, trc_loop_vec);
TD_VEC(trc_gap, trc_gap_vec);
TD_VEC(trc_fail, trc_fail_vec);
TD_VEC(trc_call, trc_call_vec);
TD_VEC(trc_saying, trc_saying_vec);
TD_VEC(uint32_t, trc_u32_vec);

/* The decoder's state within a run; private to the decoder. */
#define TRC_BLOCK 32u
typedef struct trc_decoder {
    uint8_t subject;           /* subject of the notes that follow */
    bool wants_thread;         /* a CREATE waits for its NOTE_THREAD */
    bool text_open;            /* the last text may grow */
    bool dropping;             /* the subject was beyond our limits */
    uint8_t n_args;            /* arguments of the last call that were decoded so far */
    uint32_t n_block;          /* records in block */
    uint64_t n_recs;           /* records taken */
    size_t touch_first;        /* index of the first touch after the last operation */
    size_t merge_at;           /* touches.len at which these are merged */
    td_id chain;               /* hash of the blocks before; hashed together with block */
    wire_rec block[TRC_BLOCK]; /* copied once: the program can still change its own */
} trc_decoder;

typedef struct trc {
    uint64_t job; /* id of the job, set by the caller; the records do not have it */
    trc_op_vec ops;
    trc_thread_vec threads; /* [0] is main */
    trc_u32_vec enabled;    /* threads not chosen, by trc_op.alternatives */
    trc_u32_vec woken;      /* threads that were woken, by trc_op.woken */
    trc_access_vec accesses;
    trc_wait_vec waits;
    trc_next_vec nexts;
    trc_touch_vec touches;
    trc_use_vec uses;
    trc_loop_vec loops;
    trc_gap_vec gaps;
    trc_stack_vec stacks; /* [0] is not used */
    trc_u64_vec frames;   /* frames of all stacks */
    trc_u64_vec bases;    /* frame pointers of the functions that these return to */
    trc_fail_vec fails;
    trc_call_vec calls; /* calls of a failure LINEAR, in the order of their begins */
    trc_saying_vec sayings;
    trc_u32_vec order;  /* the orders of sayings */
    trc_node_vec nodes; /* [0] is not used */
    trc_input_vec inputs;
    trc_switch_vec switches;
    trc_u64_vec cases; /* the cases of switches */
    trc_side_vec sides;
    trc_choice_vec choices;
    trc_operand_vec operands;
    trc_seed_vec seeds;
    td_text texts;   /* zero-terminated pieces; offset 0 is "" */
    bool complete;   /* the NOTE_DONE was seen */
    bool is_cut;     /* it failed, or ended while a thread could have continued */
    bool is_stopped; /* it ended while a thread could have continued */
    bool has_stores; /* the job had WIRE_JOB_STORES */
    bool has_labels; /* ... and a stored value depends on inputs */
    uint8_t done;    /* enum wire_done, once complete */
    uint64_t exit_code;
    bool has_outcome;   /* the job had WIRE_JOB_OUTCOME: */
    uint64_t outcome;   /* ... hash of the final values of static data */
    uint32_t n_choices; /* operations that were a choice of the scheduler */
    td_id
        /* Hash of the records except texts of failures: equal runs have equal hashes. */
        records;
    td_id sum; /* sum of all op ids: names the Mazurkiewicz trace; after trc_identify */
    uint64_t n_dropped; /* notes beyond our limits, not kept */
    trc_decoder decoder;
} trc;

void trc_init(trc *t);
void trc_clear(trc *t);
void trc_fini(trc *t);
/* Overwrites `to` without freeing it. */
void trc_copy(trc *to, const trc *from);

/* Decodes records up to and including a NOTE_DONE; *n_used: how many. recs may lie in memory that the
 * program still writes: each record is read once. An invalid record gives TD_E_FORMAT with a message, and
 * the run is lost. max_ops bounds storage. */
TD_MUST_USE td_status trc_feed(trc *t, const wire_rec *recs, size_t n, size_t *n_used,
                               uint64_t max_ops, td_diag *diag);

/* A part of the program that is loaded from a file. Objects in it are named by their offset, so that
 * its load address does not matter. */
typedef struct trc_module {
    uint64_t start, end;
    uint32_t name; /* not 0; the same wherever the file is loaded */
} trc_module;
TD_VEC(trc_module, trc_module_vec);

/* Computes the ids of all operations and sum of a complete run. The first module is the executable. */
typedef struct trc_namer trc_namer; /* scratch kept between runs */
trc_namer *trc_namer_new(const trc_module *modules, size_t n);
void trc_namer_free(trc_namer *n);
/* One for the same program. */
trc_namer *trc_namer_like(const trc_namer *n);
void trc_identify(trc *t, trc_namer *n);
/* Forgets the run before, so that the next one is computed from scratch. Never needed. */
void trc_namer_forget(trc_namer *n);

/* An id is the hash of this. It has no padding: every byte counts. */
typedef struct trc_event {
    td_id thread;    /* name */
    td_id before;    /* the thread's previous event, or its CREATE */
    td_id after;     /* the object event it follows */
    td_id reads;     /* E: sum of the shared events since */
    uint64_t object; /* address; in a module the offset; DECIDE: the side,
                      * likewise */
    uint32_t kind;
    /* Object is an offset in the module of that name; 0: not in a module. */
    uint32_t module;
} trc_event;
td_id trc_event_id(const trc_event *e);
/* object and module of an address. */
void trc_event_object(const trc_namer *n, uint64_t address, trc_event *e);

/* The kind of an operation as it turned out, of a spin before it was undone. */
static inline uint8_t trc_turned(const trc_op *op)
{
    return op->kind == WIRE_SPIN ? op->turned : op->kind;
}

/* True if this is true of the kind of an operation of the run. */
bool trc_has(const trc *t, bool (*is)(uint8_t kind));

/* The decision by a node of one bit, as an operation. */
static inline trc_op trc_branch(uint32_t node)
{
    return (trc_op){.kind = WIRE_DECIDE, .size = WIRE_DECIDE_BRANCH, .object = node};
}

/* The cases of the switch at site; NULL if it is not known. */
const trc_switch *trc_switch_at(const trc *t, uint32_t site);

/* For people: names of the inputs, all different: the second x is "x#2". at[i] is the offset
 * of that of inputs[i] in texts; both are overwritten. */
void trc_input_names(const trc *t, td_text *texts, trc_u32_vec *at);

/* True for a plain access of a promoted site. */
static inline bool trc_is_promoted(const trc_op *op)
{
    return mdl_is_access(trc_turned(op)) && (op->flags & WIRE_ACCESS_PLAIN);
}

/* True for a JOIN whose caller wanted the thread's result. */
static inline bool trc_is_fetched(const trc_op *op)
{
    return mdl_joins(op->kind) && (op->flags & WIRE_JOIN_FETCHED);
}

/* True if the operation misused its object. */
static inline bool trc_is_misused(const trc_op *op)
{
    return mdl_can_be_misused(trc_turned(op)) && (op->flags & WIRE_SYNC_MISUSED);
}

/* True if the operation was a choice of the scheduler. */
static inline bool trc_is_choice(const trc_op *op)
{
    return !(op->flags & WIRE_F_FORCED);
}

/* True if some threads wait forever, though others may have continued to the end. */
static inline bool trc_is_stuck(const trc *t)
{
    return t->done == WIRE_DONE_DEADLOCK ||
           (t->waits.len > 0 && t->done != WIRE_DONE_DIVERGED);
}

/* The schedule of the run as steps, choices only (forced operations are left out). */
TD_VEC(wire_step, trc_step_vec);
void trc_schedule(const trc *t, trc_step_vec *out);
/* The same for its first n choices. */
void trc_schedule_prefix(const trc *t, uint32_t n_choices, trc_step_vec *out);
/* Adds one choice at the end of steps. */
void trc_step_add(trc_step_vec *steps, uint32_t thread);

/* Corrects the sites of the earlier accesses of races, if the run recorded its accesses (WIRE_JOB_DETAIL). */
void trc_name_races(trc *t);

/* A schedule that leads to two operations of different threads, the second as closely after the
 * first as can be, directly if it does not need it. Accesses of promoted sites are choices in
 * it. Whether a run can follow it must be tried. False: they are of one thread. */
typedef enum trc_nearness {
    TRC_FEWER_EVENTS, /* a read need not come before a later write of another thread */
    TRC_SAME_EVENTS,  /* made of the run's own events */
    TRC_N_NEARNESSES
} trc_nearness;
bool trc_schedule_near(const trc *t, uint32_t first, uint32_t second, trc_nearness how,
                       trc_step_vec *out);

/* Removes the operations i with hidden[i] from the run, as if they did not exist; the plain accesses of
 * their threads stay. A thread whose next operation (trc.nexts) next_hidden removes gets a next operation of
 * kind WIRE_NONE: its next operation is unknown. Ids must be recomputed. Overwrites out without freeing it. */
void trc_project(const trc *t, const bool *hidden, const bool *next_hidden, trc *out);

/* Values of inputs by key, for a job; sites that are promoted in it. */
TD_VEC(wire_input, trc_chosen_vec);
TD_VEC(wire_promoted, trc_promoted_vec);

/* Switches away from a thread that could have continued. */
uint32_t trc_preemptions(const trc *t);

/* The store that each access of a run with WIRE_JOB_STORES reads, and the order of stores. */
typedef struct trc_stores {
    /* By operation, spins included; UINT32_MAX: its stores are not kept. */
    trc_u32_vec location;
    trc_u32_vec
        /* By operation: the one whose store it reads; UINT32_MAX: the initial value. */
        from;
    trc_u32_vec rank;   /* ... that write: place among the stores of the location, 1.. */
    trc_u64_vec firsts; /* initial values of the locations */
} trc_stores;
/* True if the operation is an atomic access whose stores the runtime keeps in such a run. */
bool trc_keeps_stores(const trc_op *op);
/* Overwrites out without freeing it. False: the run names stores that do not exist. */
bool trc_stores_of(const trc *t, trc_stores *out);
void trc_stores_fini(trc_stores *s);

const char *trc_sym_op_text(uint8_t op);
bool trc_valid(const trc *t, char *why, size_t size);
