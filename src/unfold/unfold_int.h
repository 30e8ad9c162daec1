/* SPDX-License-Identifier: Apache-2.0 */
/* unfold/unfold_int.h - what the files of unfold/ share. */
#pragma once

#include "unfold/unfold.h"

#include "base/spans.h"

/* Flags of a node. */
enum {
    NODE_FIRST = 1, /* represents its history among the exclusive children of a state */
    NODE_PROBE = 2,
    NODE_FORCED = 4,   /* no choice of the scheduler */
    NODE_LAST = 8,     /* the run ends with what the thread does after it */
    NODE_CLOSED = 16,  /* the object is closed in this state */
    NODE_SILENT = 32,  /* as a history: only joins and ends follow, nothing is seen */
    NODE_PARKED = 64,  /* silent, and waits for its thread to be watched */
    NODE_INSIDE = 128, /* in an atomic section: its BEGIN and all but its END */
};

typedef struct unf_node {
    td_id id;        /* START: that of its CREATE; ROOT: zero */
    uint32_t before; /* the thread's event before; START: CREATE */
    uint32_t after;  /* state it changes or reads */
    uint32_t thread, object;
    uint32_t depth;       /* in the thread; START: 1 */
    uint32_t sibling;     /* next child of after, of the same thread and effect;
                           * DECIDE: in unf.decisions */
    uint32_t groups;      /* as a state: its children, by thread */
    uint32_t reads;       /* offset in unf.reads: number, then reads; 0: none */
    uint32_t held;        /* locks the thread holds after it: in unf.links; 0: none */
    uint32_t spot;        /* as a history: in unf.spots */
    uint32_t next_object; /* object of the next operation; UNF_NONE: none */
    uint8_t kind, status, flags;
    uint8_t next_kind; /* what the thread does next, as asked for; 0: nothing;
                          an END: it ends, which is not an event yet */
} unf_node;

/* next_kind of a CREATE whose thread ended the run by a decision before its creator could continue, and of a
 * history whose thread's next operation is not an event (trc_project). Another run may show it. */
enum { UNF_NEXT_UNKNOWN = 255 };
/* next_kind of a history whose thread has failed: it does nothing more, but does not wait forever, as the
 * failure ends the process. */
enum { UNF_NEXT_FAILS = 254 };

static_assert(sizeof(unf_node) == 64, "one cache line an event");
static_assert(NODE_INSIDE == 128, "flags fill their byte");
static_assert((int)UNF_NEXT_FAILS > (int)UNF_OTHER &&
                  (int)UNF_NEXT_UNKNOWN > (int)UNF_NEXT_FAILS,
              "no kinds of events");

/* Children of one state that are one thread's; or a part of them (group.c). A group is
 * followed by its parts, so next leads to all children of the state. */
typedef struct unf_group {
    uint32_t thread;
    /* Part: the common cause of all histories; UNF_NONE: not a part. */
    uint32_t cause;
    uint32_t exclusive, shared; /* first child, UNF_NONE */
    uint32_t blocked;           /* histories that wait; in unf.links; 0: none */
    uint32_t next;              /* group of the same state, 0 */
    uint32_t beyond;            /* the next one that is not a part of this, 0 */
} unf_group;

/* An event's children in the tree of its thread: the first, and its own next brother. */
typedef struct unf_kin {
    uint32_t child, brother; /* UNF_NONE */
} unf_kin;

/* An event as the state of its object (unfold.h), UNF_NONE: of no object. An event as its thread's position,
 * a history, is a bare number: one cannot be given for the other. */
typedef struct unf_state {
    uint32_t ix;
} unf_state;

/* An entry of a list of events. */
typedef struct unf_link {
    uint32_t event, next;
} unf_link;

/* What it costs to ask all that hangs on the start of a thread, and how many times to do so before
 * a walk is tried (target.c). */
typedef struct unf_crowd {
    uint32_t cost, pause;
} unf_crowd;

typedef struct unf_thread {
    td_id name;
    uint32_t object;         /* object of its life: START, END, JOIN */
    unf_crowd ends, joiners; /* ends and joiners of its starts */
    bool is_watched;         /* a thread that joins it continues to read shared memory */
    unf_vec joins;           /* threads it joins without looking (silent_joins.c) */
    unf_vec parked;          /* silent targets and histories of this thread */
    td_bytes writes;         /* bytes it has written in any run */
    td_bytes looks;          /* bytes it has read after joins that may be silent */
} unf_thread;

typedef struct unf_object {
    uint64_t address;
    bool is_memory, is_recursive;
    bool is_joined; /* a thread's life: its ends are events (insert.c) */
    /* Likewise: ... they were, until it turned out that nothing is seen. */
    bool was_joined;
    uint32_t thread; /* a thread's life: the thread */
    uint32_t root;
    uint32_t run,
        run_reads; /* reads since the last exclusive event of run, in run_links */
} unf_object;

/* Nodes never move; each chunk is aligned. */
enum { UNF_CHUNK_BITS = 12 };
typedef struct unf_nodes {
    unf_node **chunks; /* n_chunks of them; room for cap */
    size_t n_chunks, cap;
    size_t len; /* nodes */
} unf_nodes;
TD_VEC(unf_group, unf_group_vec);
TD_VEC(unf_kin, unf_kin_vec);
TD_VEC(unf_link, unf_link_vec);
TD_VEC(unf_thread, unf_thread_vec);
TD_VEC(unf_object, unf_object_vec);

/* Which way a DECIDE goes. */
typedef struct unf_decision {
    uint64_t side;
    uint32_t question;
} unf_decision;
TD_VEC(unf_decision, unf_decision_vec);

/* A compare-exchange from a history in a state that inputs have a say in. */
typedef struct unf_outcome {
    uint32_t history, state, question;
} unf_outcome;
TD_VEC(unf_outcome, unf_outcome_vec);

/* A thread's position between two operations, in the program's text. */
typedef struct unf_spot {
    uint32_t site;    /* site of the thread's next operation */
    uint32_t place;   /* data_races.c; UNF_NONE: it touches nothing */
    uint8_t patience; /* WIRE_F_PATIENCE of the operation */
} unf_spot;
TD_VEC(unf_spot, unf_spot_vec);

/* An event of the last run, so that the next one's equal beginning is not looked up. */
typedef struct unf_past {
    td_id id;
    uint32_t event;
} unf_past;
TD_VEC(unf_past, unf_past_vec);
enum { UNF_RECENT = 4096 };

/* Histories whose threads are stuck or race if they are there at the same time. */
typedef enum unf_suspicion { UNF_STUCK, UNF_RACING } unf_suspicion;
typedef struct unf_suspect_set {
    uint32_t n;
    unf_suspicion what;
    uint32_t *histories; /* owned */
} unf_suspect_set;
TD_VEC(unf_suspect_set, unf_suspect_vec);

/* A history whose next operation, if it finds this value, takes it round a loop. */
typedef struct unf_spin {
    uint64_t value;
    uint32_t history;
    uint32_t state;   /* where a run has shown it */
    uint32_t n_round; /* operations of the round: this one, and the last before it */
    uint32_t loop;    /* its site */
    uint32_t next;    /* next one of the same history */
} unf_spin;
TD_VEC(unf_spin, unf_spin_vec);

typedef struct unf_spinning unf_spinning;
typedef struct unf_livelocks unf_livelocks;
typedef struct unf_lock_cycles unf_lock_cycles;
typedef struct unf_races unf_races;
typedef struct unf_endless_waits unf_endless_waits;

struct unf {
    const trc_namer *namer;
    unf_inputs inputs;
    unf_nodes nodes;
    uint32_t *slots; /* by id: numbers of nodes with a mark (event.c), UNF_NONE: free */
    uint32_t bits;
    uint32_t n_slots;
    unf_group_vec groups; /* [0] is not used */
    uint32_t many;        /* histories of a group that did not fit, before it is parted */
    uint32_t crowd;       /* questions about a thread's start, before walks are tried */
    uint64_t n_asked;     /* questions about children of states */
    unf_link_vec links;   /* [0] is not used */
    unf_vec reads;        /* [0] is not used */
    unf_kin_vec kin;      /* by event, made when it is first asked for */
    unf_thread_vec threads;
    unf_object_vec objects;
    uint32_t *object_slots, object_bits; /* by address */

    unf_vec woken; /* number of threads, then threads; [0] is not used */
    uint32_t *woken_slots, woken_bits; /* states that wake threads (woken.c) */
    uint32_t n_woken;

    bool has_sections;
    bool no_races; /* data races are not searched */
    bool again;    /* what is searched next to may have been searched next to before */
    uint64_t n_sections; /* atomic sections executed, all different */
    uint64_t n_executed;
    td_id digest;
    unf_losses losses;
    bool is_cut;      /* the last run was not inserted to its end */
    bool watches_all; /* every join is an event like others (silent_joins.c) */
    unf_vec found;
    unf_cfg *base, *more, *whole; /* scratch of the target search */
    unf_vec chosen, sorted, optional, stack;
    unf_vec ends; /* what ends.c found */

    bool leaves_tails;            /* silent_tails.c */
    uint32_t *models, model_bits; /* by history: the event after it, 0: free */
    uint32_t n_models;
    unf_vec tails; /* records of what was left out */

    /* the run being inserted */
    uint32_t run;
    unf_past_vec last;   /* of the previous run, then of this one */
    unf_vec run_threads; /* number in the run -> ours */
    unf_vec run_at;      /* number in the run -> last event */
    unf_vec run_starts;  /* number in the run -> START */
    unf_vec run_new;     /* number in the run -> its last event is new */
    unf_vec run_next;    /* operation -> the thread's next one, UNF_NONE */
    unf_link_vec run_links;
    uint32_t run_tail;   /* the first operation that may be left out, UNF_NONE */
    uint32_t run_left;   /* number in the run of the thread whose tail is, UNF_NONE ... */
    uint32_t run_record; /* ... in tails */

    unf_decision_vec decisions;
    unf_outcome_vec outcomes;
    unf_vec fatal;               /* DECIDEs after which a run ended */
    unf_past recent[UNF_RECENT]; /* events of the last runs, by id */

    unf_spot_vec spots;
    unf_spinning *spinning; /* loops that wait */
    unf_livelocks *livelocks;
    unf_lock_cycles *lock_cycles; /* search for deadlocks */
    unf_races *races;             /* and for data races */
    /* Detects threads that wait for something no thread does. */
    unf_endless_waits *endless_waits;
    unf_suspect_vec suspects;
    td_stop *stop; /* NULL: nothing ends early */
};

static inline unf_node *node_at(const unf *u, uint32_t event)
{
    TD_DASSERT(event < u->nodes.len);
    return &u->nodes
                .chunks[event >> UNF_CHUNK_BITS][event & ((1u << UNF_CHUNK_BITS) - 1)];
}

/* An exclusive event is a state; START, END and ROOT are states of a thread's life or an
 * object; JOIN reads END. */
static inline bool node_is_state(const unf_node *n)
{
    return n->kind >= UNF_START || mdl_ends(n->kind) ||
           mdl_effect_of(n->kind) == MDL_EFFECT_E;
}

static inline bool node_is_read(const unf_node *n)
{
    return mdl_joins(n->kind) || mdl_effect_of(n->kind) == MDL_EFFECT_S;
}

/* Adds a number to those from first on, which are rising. */
static inline void unf_put_rising(unf_vec *v, size_t first, uint32_t number)
{
    TD_DASSERT(first <= v->len);
    size_t i = v->len;
    unf_vec_push(v, number);
    for (; i > first && v->at[i - 1] > number; i--)
        v->at[i] = v->at[i - 1];
    v->at[i] = number;
}

/* For qsort. */
static inline int unf_compare_numbers(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static inline bool unf_is_among(const uint32_t *numbers, size_t n, uint32_t number)
{
    for (size_t i = 0; i < n; i++)
        if (numbers[i] == number)
            return true;
    return false;
}

static inline uint32_t node_n_reads(const unf *u, const unf_node *n)
{
    return n->reads ? u->reads.at[n->reads] : 0;
}

static inline const uint32_t *node_reads(const unf *u, const unf_node *n)
{
    return n->reads ? &u->reads.at[n->reads + 1] : NULL;
}

/* ---- event.c ---- */
void unf_store_init(unf *u);
void unf_store_fini(unf *u);
uint32_t unf_thread_of(unf *u, td_id name);
uint32_t unf_object_of(unf *u, uint64_t address, bool is_memory);
/* A node in the lists of its state. reads: n of them, rising. If it has an id that was not
 * known it can be found by it. */
uint32_t unf_add(unf *u, const unf_node *node, const uint32_t *reads, uint32_t n);
/* The id of an event: node without id, and its reads. */
td_id unf_id_of(const unf *u, const unf_node *node, const uint32_t *reads, uint32_t n);
/* The group of a thread among the children of a state, made if it is new. */
unf_group *unf_group_of(unf *u, unf_state state, uint32_t thread);
uint32_t unf_chain(unf *u, uint32_t event, uint32_t next);

/* Children of an event in the tree of its thread; a START is not its CREATE's child. */
uint32_t unf_first_child(unf *u, uint32_t event);
static inline uint32_t unf_next_child(const unf *u, uint32_t event)
{
    TD_DASSERT(event < u->kin.len);
    return u->kin.at[event].brother;
}
/* The START of the thread of a history. */
uint32_t unf_start_of(const unf *u, uint32_t history);
/* True if the end of the thread after this history would be an event. */
static inline bool unf_end_matters(const unf *u, uint32_t history)
{
    const unf_node *h = node_at(u, history);
    return h->held || u->objects.at[u->threads.at[h->thread].object].is_joined;
}
/* True if a list of held locks has one on the object. */
bool unf_holds(const unf *u, uint32_t held, uint32_t object);
/* Objects of the locks that the thread holds at history, rising; how many. */
uint32_t unf_held_objects(const unf *u, uint32_t history, unf_vec *out);
static inline unf_spot unf_spot_of(const unf *u, uint32_t history)
{
    return u->spots.at[node_at(u, history)->spot];
}
void unf_spot_set(unf *u, uint32_t history, unf_spot spot);

/* Notes that the history waits in the state. */
void unf_block(unf *u, uint32_t history, unf_state state);
/* The operation or start that decisions up to this event follow. */
uint32_t unf_base_of(const unf *u, uint32_t event);

/* ---- suspects.c ---- */
void unf_suspect_add(unf *u, const uint32_t *histories, uint32_t n, unf_suspicion what);
/* Forgets those that the run just inserted has shown. */
typedef bool unf_is_shown(unf *u, const unf_suspect_set *set);
void unf_suspects_filter(unf *u, unf_is_shown *is_shown);
void unf_suspects_fini(unf *u);

/* ---- group.c ---- */
/* The group after this one that has no cause that does not fit with cfg, 0. */
uint32_t unf_group_next(unf *u, uint32_t group, unf_cfg *cfg);
/* So many histories of the group itself did not fit with cfg: if they are many, puts them
 * aside in parts. */
void unf_group_part(unf *u, uint32_t group, unf_cfg *cfg, uint32_t n_misses);

/* ---- woken.c ---- */
/* The threads that the exclusive operation has woken at its object, or that were before. */
void unf_woken_set(unf *u, uint32_t state, const trc *t, const trc_op *op);
bool unf_is_woken(const unf *u, unf_state state, uint32_t thread);

/* ---- config.c ---- */
unf *unf_cfg_of(const unf_cfg *c);
/* Returns the last state of an object in c, or its root. */
unf_state unf_cfg_state(unf_cfg *c, uint32_t object);
/* Makes all further events of the thread incompatible. Returns the value to pass to unf_cfg_release, once
 * the members are the same again. Meanwhile its depth is unknown. */
uint32_t unf_cfg_hold(unf_cfg *c, uint32_t thread);
void unf_cfg_release(unf_cfg *c, uint32_t thread, uint32_t depth);
/* Makes events that replace the state incompatible, until the same state is thawed. */
void unf_cfg_freeze(unf_cfg *c, uint32_t state);
void unf_cfg_thaw(unf_cfg *c, uint32_t state);
/* Reads of a state that c holds. */
uint32_t unf_cfg_n_reads(const unf_cfg *c, uint32_t state);
uint32_t unf_cfg_depth(const unf_cfg *c, uint32_t thread);
/* True if an event whose causes fit in does not itself. */
bool unf_cfg_clashes(const unf_cfg *c, uint32_t event);
/* True if a thread holds a read-write lock to read. */
bool unf_cfg_has_reader(const unf_cfg *c, uint32_t object);
/* Makes c the cone of event; cheap if it is the cone of a cause. */
void unf_cfg_cone(unf_cfg *c, uint32_t event);
/* c was the cone of event, grew, and was cut to what it was. */
void unf_cfg_cone_again(unf_cfg *c, uint32_t event);

/* ---- ends.c ---- */
/* The end of the thread right after the history, without the state before it, which its id has nothing of. */
unf_node unf_end_describe(const unf *u, uint32_t history);
/* base is the cone of history, which joins the thread of start, which fits: puts the ends after
 * start that fit and do not come after more of history's thread into u->ends, rising. Returns what
 * it cost, UINT64_MAX: more than most, and what it found is not complete. */
uint64_t unf_ends_fitting(unf *u, uint32_t history, uint32_t start, uint64_t most);
/* base is the cone of end: puts the histories that join its thread and fit into u->ends. */
uint64_t unf_ends_joiners(unf *u, uint32_t end, uint64_t most);

/* ---- silent_joins.c ---- */
/* Learns from a run that was inserted (all of it) which histories are silent. What was parked and is
 * silent no more is handed to again, which searches for the targets next to it. */
typedef void unf_search_again(unf *u, uint32_t event);
/* Makes the ends of the thread with this life events. */
typedef void unf_make_ends(unf *u, uint32_t life);
void unf_silent_joins_learn(unf *u, const trc *t, unf_search_again *again,
                            unf_make_ends *ends);
/* True if the history is silent and its thread not watched; then it is parked, and comes
 * back once the thread is watched. */
bool unf_silent_joins_park(unf *u, uint32_t history);
/* True if the history is silent and its thread not watched. */
bool unf_silent_joins_skips(const unf *u, uint32_t history);
/* True if the event follows such a history; then it is parked likewise. */
bool unf_silent_joins_park_event(unf *u, uint32_t event);

/* ---- silent_tails.c ---- */
/* A number with this bit is the record of a tail, and represents the position that its thread reached. */
#define UNF_TAIL (UINT32_C(1) << 31)
void unf_tails_fini(unf *u);
void unf_tails_begin(unf *u, const trc *t);
/* Handles operation i of the run, which is this event, or UNF_NONE. True: it is left out. */
bool unf_tails_leave(unf *u, const trc *t, uint32_t i, uint32_t event);
/* The run was inserted: what comes after silent histories in it is the model for later runs. */
void unf_tails_learn(unf *u);
/* The thread is about to be watched: makes the events of what was left out, parked. */
void unf_tails_make(unf *u, uint32_t thread);
/* The event that a number of unf_run_top is now. */
uint32_t unf_tails_top(const unf *u, uint32_t top);

/* ---- spinning.c ---- */
unf_spinning *unf_spinning_new(void);
void unf_spinning_free(unf_spinning *x);
/* Call when a run executes the operation of the event for the first time. */
void unf_value_note(unf *u, const trc *t, const trc_op *op, uint32_t event);
/* Records that the next operation of history was a SPIN in this state. */
void unf_spin_learn(unf *u, const trc_op *op, uint32_t history, unf_state state);
/* Returns what is known of the history's next operation in the state; NULL: it is not known to spin. */
const unf_spin *unf_spin_at(const unf *u, uint32_t history, unf_state state);
bool unf_any_spin(const unf *u);
/* True if the history spins in some state. */
bool unf_may_spin(const unf *u, uint32_t history);

/* ---- livelock.c ---- */
unf_livelocks *unf_livelocks_new(unf *u);
void unf_livelocks_free(unf_livelocks *l);
/* Takes in the loops without end that a run has shown. */
void unf_livelocks_learn(unf *u, const trc *t);
/* True if not all combinations were looked at. */
bool unf_livelocks_gave_up(const unf *u);

/* ---- lock_cycles.c ---- */
unf_lock_cycles *unf_lock_cycles_new(unf *u);
void unf_lock_cycles_free(unf_lock_cycles *s);
/* event was executed for the first time and its targets are known: looks for deadlocks. */
void unf_lock_cycles_look(unf *u, uint32_t event);

/* ---- endless_waits.c ---- */
unf_endless_waits *unf_endless_waits_new(unf *u);
void unf_endless_waits_free(unf_endless_waits *s);
/* A history has this next operation. */
void unf_endless_waits_note(unf *u, uint8_t next_kind);
/* How the run that was inserted ended. */
void unf_endless_waits_learn(unf *u, const trc *t);
/* event sends a cancellation or a signal to the thread. */
void unf_endless_waits_sent(unf *u, uint32_t event, uint32_t thread);
/* A thread that has to wait there in c would not wait forever. */
bool unf_endless_waits_goes_on(unf *u, const unf_cfg *c, uint32_t history);

/* ---- data_races.c ---- */
unf_races *unf_races_new(unf *u);
void unf_races_free(unf_races *r);
/* A run: what new histories touch, in any order, then the search. */
void unf_races_begin(unf *u);
void unf_races_touch(unf *u, uint32_t history, const trc_touch *t);
/* The thread's next operation, of this kind, is an atomic access of the bytes in t. */
void unf_races_next(unf *u, uint32_t history, uint8_t kind, const trc_touch *t);
/* It is a join of that thread. */
void unf_races_join(unf *u, uint32_t history, uint32_t thread, uint32_t site);
void unf_races_end(unf *u, const trc *t);
/* Call for an event that was made late: adds it to its place. is_of_run: the run being inserted has executed
 * it. */
void unf_races_stand(unf *u, uint32_t history, bool is_of_run);
/* True if the run being inserted has executed the event. */
bool unf_races_run_has(unf *u, uint32_t event);
void unf_races_lost(const unf *u, unf_losses *out);
/* Returns the threads whose ends precede the history and all others of its place; NULL: none. */
const unf_vec *unf_races_ended(const unf *u, uint32_t history);

/* ---- decide.c ---- */
/* A compare-exchange has just been executed for the first time, and inputs had a say in it:
 * its other outcome is a target. True: it failed and may succeed, so the caller settles it. */
bool unf_turned_out(unf *u, const trc *t, const trc_op *op, uint32_t event);
/* What the outcome of a compare-exchange depends on; UNF_NONE: no inputs. */
uint32_t unf_why(const unf *u, const unf_node *n);
/* Returns the event of a DECIDE of the run that has no event yet, or a target. */
uint32_t unf_decide(unf *u, const trc *t, const trc_op *op, const unf_node *n);
/* Call when it was executed for the first time: adds the other outcomes as targets. */
void unf_decided(unf *u, const trc *t, const trc_op *op, uint32_t event);
static inline unf_decision *decision_of(const unf *u, const unf_node *n)
{
    TD_DASSERT(mdl_decides(n->kind) && n->sibling < u->decisions.len);
    return &u->decisions.at[n->sibling];
}
/* False if no inputs lead to all decisions of the configuration. */
static inline bool unf_feasible(unf *u, unf_cfg *c)
{
    bool any = u->decisions.len > 0 || u->outcomes.len > 0;
    return !any || !u->inputs.feasible || u->inputs.feasible(u->inputs.self, c);
}

/* ---- target.c ---- */
/* event has just been executed for the first time: adds the targets next to it. */
void unf_extend(unf *u, uint32_t event);
/* The outcome of the probe of (history, state) is known: it can succeed. */
void unf_settle(unf *u, uint32_t history, unf_state state);
/* A thread has locked a mutex that it holds: those that were taken to wait for themselves can
 * continue. */
void unf_recursive(unf *u, uint32_t object);
/* True if the next operation of the history cannot happen in a state of its object, whichever threads read it. */
bool unf_waits(const unf *u, uint32_t history, unf_state state);
/* How an operation fails whose outcome is not known before; 0: others. */
uint8_t unf_failed_kind(uint8_t kind);
