/* SPDX-License-Identifier: Apache-2.0 */
/* explore/interfere/forest.h - the operations of threads, by their decisions.
 *
 * Purpose     The interference forest: a tree for every thread, of the operations it was seen to
 *             do. What an operation reads is a variable, what it writes an expression of earlier
 *             variables and inputs; so the next operation of a thread depends on its decisions only,
 *             and the tree has a fork where a decision had several outcomes.
 * Words       node: an operation of a thread after certain earlier ones. place: bytes that are read
 *             and written as a unit. tree: the operations of threads created by a certain node. side:
 *             an outcome of a branch in the program's text. jump: two ways of a thread through a loop meet
 *             at its header (NOTE_LOOP): the second one continues behind the first, with all that was
 *             learned there.
 * Invariants  (F1) a node has a larger number than the one before it in its thread;
 *             (F2) nodes after the same node differ in a decision, unless the program does something
 *             that is not modelled (changed counts these);
 *             (F3) no node follows one that jumps, and both ends of a jump are in the same activation of a loop.
 * Ownership   The forest owns its nodes; expressions are those of the pth.
 * Reading     Farzan et al., Con2colic testing, 2013, section 5. Theirs has the interferences
 *             in it; here a candidate has them, so that one tree serves all.
 */
#pragma once

#include "base/map.h"
#include "explore/interfere/temporal.h"
#include "path/path.h"

#define XPL_NONE UINT32_MAX

/* Numbers by 64-bit key. */
TD_MAP(uint64_t, uint32_t, xpl_map, td_hash_number, td_same_number);

/* Returns the value of the key, or XPL_NONE. */
static inline uint32_t xpl_map_get(const xpl_map *m, uint64_t key)
{
    const uint32_t *value = xpl_map_find(m, key);
    return value ? *value : XPL_NONE;
}

static inline void xpl_map_set(xpl_map *m, uint64_t key, uint32_t value)
{
    TD_ASSERT(value != XPL_NONE);
    *xpl_map_at(m, key) = value;
}

/* The value of the key; if it is new, this one. */
static inline uint32_t xpl_map_put(xpl_map *m, uint64_t key, uint32_t value)
{
    size_t before = m->len;
    uint32_t *known = xpl_map_at(m, key);
    if (m->len > before)
        *known = value;
    return *known;
}

typedef struct xpl_node {
    uint8_t kind; /* enum wire_kind */
    uint8_t size;
    bool is_choice;  /* a choice of the scheduler */
    bool is_closed;  /* the object, after it */
    bool is_last;    /* BARRIER: of its round */
    bool is_outcome; /* outcome of the preceding exchange, at the same time */
    bool
        is_slot; /* reads or writes what its loop carries; its place is the thread's own */
    bool is_fatal; /* a run ended here by a failure or exit */
    uint32_t tree;
    uint32_t before;      /* XPL_NONE: it is the first of its thread */
    uint32_t first, next; /* its first one behind it; the next one behind before */
    uint32_t depth;       /* nodes before it in its tree */
    uint32_t jump;   /* the node behind which its thread continues; XPL_NONE: this one */
    uint32_t met_by; /* the last node that jumps here; XPL_NONE */
    uint32_t met_before; /* ... and the one before that, of a node that jumps */
    uint32_t odd;      /* the last node that creates or joins, up to this one; XPL_NONE */
    uint32_t n_reads;  /* of its thread, up to this one */
    uint32_t n_common; /* ... that all ways which meet here have in common */
    bool is_header;    /* behind it its thread is at a header where ways may meet */
    uint32_t site;
    uint32_t place;    /* place of a read or write */
    uint32_t object;   /* number of what it is done to, if it is not a place */
    uint32_t other;    /* CREATE, JOIN: tree */
    uint32_t question; /* XPL_NONE: nothing is decided */
    uint32_t variable; /* number of the input that represents the value read */
    exp_ref written;   /* EXP_NONE: nothing */
    uint64_t side;
    /* Bits of the mutexes, by number below 64, that its thread has after it. */
    uint64_t held;
} xpl_node;

typedef struct xpl_tree {
    uint32_t create; /* node; XPL_NONE of main */
    uint32_t first;  /* its first nodes, linked by next */
    td_id name;
    xpl_u32_vec ends; /* END nodes */
} xpl_tree;

typedef struct xpl_place {
    uint64_t address;
    uint8_t size;
    bool is_known; /* value is what was there before any write */
    uint64_t value;
    xpl_u32_vec writes; /* nodes */
} xpl_place;

typedef struct xpl_object {
    uint64_t address;
    uint32_t count; /* initial value of a semaphore; number of threads of a barrier */
    bool is_known;
    xpl_u32_vec nodes; /* done to it */
} xpl_object;

/* An activation of a loop that a thread is in. */
typedef struct xpl_active {
    uint32_t thread;
    uint32_t n_reads; /* of the thread when it entered */
    uint64_t object;  /* names it in the run */
    td_id entered;    /* names it in all runs: where its thread was, and which loop */
} xpl_active;

TD_VEC(xpl_active, xpl_active_vec);
static inline uint64_t xpl_hash_id(td_id id)
{
    return id.lo;
}
TD_MAP(td_id, uint32_t, xpl_meetings, xpl_hash_id, td_id_equal);

TD_VEC(xpl_node, xpl_node_vec);
TD_VEC(xpl_tree, xpl_tree_vec);
TD_VEC(xpl_place, xpl_place_vec);
TD_VEC(xpl_object, xpl_object_vec);

/* What is not modelled. */
typedef struct xpl_forest_lost {
    uint64_t changed; /* a thread continued in another way without a decision */
    uint64_t values;  /* a read of what no operation wrote */
    uint64_t mixed;   /* accesses of other sizes that overlap */
    uint64_t kinds;   /* operations whose order is not modelled */
    uint64_t large;   /* what was written is not known */
} xpl_forest_lost;

typedef struct xpl_forest {
    pth *path; /* not owned */
    xpl_node_vec nodes;
    xpl_tree_vec trees; /* [0] is main's */
    xpl_place_vec places;
    xpl_object_vec objects;
    /* By variable: the number of reads that its thread made before; XPL_NONE if it is not one. */
    xpl_u32_vec reads;
    xpl_u32_vec readers; /* by variable: a tree of its thread */
    xpl_map place_of;    /* address and size */
    xpl_map byte_of;     /* address of a byte -> place */
    xpl_map object_of;
    xpl_meetings meetings; /* state at a header -> node */
    xpl_meetings n_states; /* activation of a loop -> states at its header */
    uint32_t most_states;  /* ... of one of them */
    xpl_forest_lost lost;
    uint64_t n_fatal; /* nodes that are */
    /* State of the last run: */
    xpl_u32_vec added;   /* nodes */
    xpl_u32_vec node_of; /* by operation */
    xpl_u32_vec source;  /* by operation: that wrote what it read; XPL_NONE */
    xpl_u32_vec ends;    /* by thread: its last node */
    /* scratch */
    xpl_u32_vec tree_of, n_reads, last;
    xpl_u32_vec
        n_read; /* by thread: reads of the run so far; n_reads counts those of the forest's way */
    xpl_active_vec active;
} xpl_forest;

void xpl_forest_init(xpl_forest *f, pth *path);
void xpl_forest_fini(xpl_forest *f);
/* Takes over a run made with WIRE_JOB_READS. */
void xpl_forest_add(xpl_forest *f, const trc *t);

/* How many nodes there are that count in a digest, and the sum of their names. Their numbers do not matter. */
void xpl_forest_count(const xpl_forest *f, uint64_t *n, td_id *digest);
/* The invariants are kept; why may be NULL. */
bool xpl_forest_valid(const xpl_forest *f, char *why, size_t size);

/* True if a is b or before it in their thread. */
bool xpl_forest_leads(const xpl_forest *f, uint32_t a, uint32_t b);
/* The node behind before (of a tree's start if that is XPL_NONE) that decides the question this
 * way; XPL_NONE. */
uint32_t xpl_forest_side(const xpl_forest *f, uint32_t tree, uint32_t before,
                         uint32_t question, uint64_t side);
/* The first node behind before. */
uint32_t xpl_forest_first(const xpl_forest *f, uint32_t tree, uint32_t before);

/* The node behind which the thread continues that is behind this one. */
static inline uint32_t xpl_forest_landing(const xpl_forest *f, uint32_t node)
{
    while (f->nodes.at[node].jump != XPL_NONE)
        node = f->nodes.at[node].jump;
    return node;
}

static inline const xpl_node *xpl_node_at(const xpl_forest *f, uint32_t node)
{
    TD_DASSERT(node < f->nodes.len);
    return &f->nodes.at[node];
}

/* Operations of the kind are done to an object, which has this number. */
bool xpl_has_object(uint8_t kind);
uint32_t xpl_forest_object(xpl_forest *f, uint64_t address);
/* Some operation may turn out in another way: which; WIRE_NONE: it cannot. */
uint8_t xpl_outcome_other(uint8_t kind);
