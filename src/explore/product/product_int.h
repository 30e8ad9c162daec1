/* SPDX-License-Identifier: Apache-2.0 */
/* explore/product/product_int.h - what the files of the search product share.
 *
 * Purpose     The product of what threads do: a state is where each thread is in its tree of the
 *             forest, what it has read and still needs, memory, and the objects of the library. It
 *             is searched without runs; a run is needed only where a thread goes a way that none
 *             has shown.
 * Words       spot: where a thread is: behind a node of its tree, or at the tree's start.
 *             slot: a thread by its name; trees of one name never exist at the same time.
 *             shape: a hash of all that is known behind a spot. thing: a place or an object.
 *             cut: what a thread cannot get past while others stand still: the join of a thread,
 *             or a mutex that is held.
 * Invariants  (Q1) equal keys: equal shapes of all threads, equal values of what is read behind
 *             them, equal states of the objects there, perhaps once threads are exchanged that do the same. So
 *             what follows from one state follows from the other, as long as no shape has changed;
 *             (Q2) a key is remembered when all behind it was searched and no run was needed;
 *             (Q3) each cycle of the product has a step that closes a cycle of its thread (closes), and in the
 *             state before that step all threads are tried. Rounds of loops that only read are no steps.
 */
#pragma once

#include "explore/core/explore_int.h"
#include "explore/interfere/forest.h"

enum {
    XPL_MAX_SLOTS = 32,  /* threads, by name */
    XPL_MAX_BITS = 4,    /* of an input whose values are all tried */
    XPL_MAX_QUEUE = 8,   /* threads that wait at one condition variable */
    XPL_OBJECT_WORDS = 2 /* state of an object */
};

/* ---- formulas.c: expressions that are computed often ---- */

typedef struct xpl_formula {
    uint32_t first, n; /* steps */
} xpl_formula;
TD_VEC(xpl_formula, xpl_formula_vec);

typedef struct xpl_formulas {
    exp_step_vec steps;      /* operands are counted from the first step of the formula */
    exp_value_vec constants; /* by step */
    xpl_formula_vec of;   /* by expression; n is 0 of those that nobody has asked for */
    exp_value_vec values; /* scratch */
    xpl_u32_vec place;    /* scratch, by expression */
    exp_ref_vec stack;
} xpl_formulas;

/* The value of e; env: by number of the variable. */
uint64_t xpl_formula_value(xpl_formulas *f, const exp_dag *d, exp_ref e,
                           const exp_value_vec *env);
void xpl_formulas_fini(xpl_formulas *f);

/* ---- shapes.c: what is known behind a spot ---- */

/* Behind a node: its number. At the start of a tree: this and the number of the tree. */
#define XPL_START 0x80000000u
#define XPL_NOWHERE UINT32_MAX /* the thread does not exist */
#define XPL_NO_TYPE 0xfffffffeu
#define XPL_TYPE_BLOCK 0xfffffffdu
#define XPL_TYPES UINT32_MAX

/* What a thread waits to do. */
typedef struct xpl_pending {
    uint8_t kind;  /* what it asks for; WIRE_NONE: not known */
    bool is_known; /* some run did it */
    bool has_failed;
    bool is_changed; /* it failed here, and continued in another run */
    bool is_stuck;   /* it waits for itself */
    bool never;      /* the thread does nothing that others could notice any more */
    uint32_t object; /* XPL_NONE: none */
    uint32_t place;  /* likewise */
    uint32_t other;  /* of a join: slot */
    uint32_t site;
} xpl_pending;
TD_VEC(xpl_pending, xpl_pending_vec);
TD_VEC(uint64_t, xpl_word_vec);
TD_VEC(td_id, xpl_shape_vec);

/* ---- symmetry.c: states in which threads are exchanged ---- */

typedef struct xpl_alikes {
    /* by number of the spot */
    xpl_shape_vec shape; /* without names of threads */
    xpl_word_vec
        marks; /* n_slots each: where this thread is named behind it; 0: nowhere */
    xpl_word_vec names; /* slots of other threads whose reads are mentioned behind it */
    xpl_word_vec
        joins;    /* slots of threads that are joined at once, one after the other */
    bool fetches; /* some thread asks for the result of another */
    /* expressions as the thread in a slot sees them */
    xpl_map expression_of; /* expression and slot -> number */
    xpl_shape_vec expressions;
    xpl_word_vec named; /* slots of others whose reads are in it */
    /* scratch */
    exp_ref_vec todo;
    xpl_word_vec words;
    xpl_shape_vec ids;
} xpl_alikes;

/* ---- freed_blocks.c: memory that is freed beside its users ---- */

typedef struct xpl_block {
    uint64_t start, end;
    uint32_t object; /* its number among these */
    bool is_lost;    /* not all that is done to it is a step */
} xpl_block;
TD_VEC(xpl_block, xpl_block_vec);

typedef struct xpl_block_touch {
    uint32_t object;
    uint32_t next; /* at the same spot; XPL_NONE */
    bool frees;
    bool is_operation; /* the node itself uses the block, and not what follows it */
} xpl_block_touch;
TD_VEC(xpl_block_touch, xpl_block_touch_vec);

typedef struct xpl_blocks {
    xpl_block_vec all;
    xpl_block_touch_vec touches;
    xpl_map touches_of; /* spot -> the last of them */
    td_id_set known;    /* touches */
} xpl_blocks;

typedef struct xpl_shapes {
    const xpl_forest *f;
    uint32_t n_slots, n_places, n_objects;
    uint32_t n_cuts;     /* 0: none; then a slot each; then a mutex each */
    uint32_t n_words;    /* of a set of things: 2 * place, 2 * object + 1 */
    xpl_u32_vec slot_of; /* by tree */
    xpl_shape_vec names; /* by slot */
    xpl_map next_of;     /* spot -> pending, of what runs told */
    xpl_pending_vec nexts;
    xpl_map idle_of; /* node behind which a thread was back where it was -> its operations
                        since then, which only read */
    xpl_map may_idle; /* spots before the last of these */
    bool
        is_joined_wrongly; /* ways have met that do not go on alike, or such rounds have several ways */
    xpl_u32_vec
        asks; /* by node: 1 if it decides or writes by an input whose values are tried */
    uint64_t n_inputs;      /* decisions and writes by wider ones */
    exp_ref_vec conditions; /* by node: under which it follows the one before it */
    xpl_u32_vec matters;    /* by place: 1 if what is read there decides something, or is
                            written where that is so */
    bool matters_more;      /* of some place that was not known before */
    xpl_u32_vec closes;     /* by node: 1 if its jump closes a cycle of its thread */
    uint32_t n_closes;      /* of these */
    uint64_t n_takes;       /* runs that were looked at */
    xpl_u32_vec cut_of;     /* by object: of a mutex; 0: none */
    xpl_u32_vec ix_of_node, ix_of_tree; /* numbers of spots */
    /* by number of the spot */
    xpl_pending_vec pending;
    xpl_shape_vec shape;
    xpl_word_vec fetched; /* slots whose results are fetched behind it */
    xpl_u32_vec live_first, live_end;
    xpl_u32_vec live;    /* variables */
    xpl_word_vec read;   /* sets of places that are read behind it */
    xpl_word_vec now;    /* two sets: things that the next step touches, changes */
    xpl_word_vec forced; /* two sets: what follows at once */
    xpl_word_vec later;  /* by cut two sets: things touched, changed behind it */
    xpl_alikes alikes;
    xpl_u32_vec
        type_of; /* by object: enum wire_type; XPL_NO_TYPE, XPL_TYPE_BLOCK; XPL_TYPES: several */
    xpl_blocks blocks;
    /* scratch */
    exp_u32_vec members;
    xpl_word_vec ranks;
    xpl_u32_vec is_stale; /* by number of the spot: enum stale of shapes.c */
    xpl_u32_vec todo;     /* spots */
    xpl_u32_vec order;    /* spots, in the order in which they were looked at */
    bool has_cycle;       /* from one of these its thread comes back there */
} xpl_shapes;

/* Looks at the forest again, after a run was added to it. */
void xpl_shapes_take(xpl_shapes *s, xpl_forest *f, const trc *t);
/* Looks at all of it again, after blocks were found. */
void xpl_shapes_renew(xpl_shapes *s);
/* How much is known that is no node: it never gets less. */
static inline size_t xpl_shapes_n_known(const xpl_shapes *s)
{
    return s->nexts.len + s->idle_of.len;
}
void xpl_shapes_fini(xpl_shapes *s);

/* The spot as states are compared that differ in which of several threads is where. What is behind it is known. */
void xpl_alike_find(xpl_shapes *s, uint32_t spot);
/* No other spot is like this one. */
void xpl_alike_unknown(xpl_shapes *s, uint32_t ix);
/* The thread, by slot, that has read the variable; XPL_NONE: it is an input. */
uint32_t xpl_reader_of(const xpl_shapes *s, uint32_t variable);
/* The order in which a thread's values are compared: own reads first, by their number. */
uint64_t xpl_variable_rank(const xpl_shapes *s, uint32_t variable, uint32_t slot);
void xpl_alikes_fini(xpl_alikes *a);

/* Adds the blocks that are touched on the way to the spot, or by the step which leaves it, to two sets: touched, changed. */
void xpl_blocks_add_things(const xpl_shapes *s, uint64_t *to, uint32_t spot, bool leaves);
/* What is done to blocks on the way to the spot; zero: nothing. */
td_id xpl_blocks_shape(const xpl_shapes *s, uint32_t spot);
void xpl_blocks_fini(xpl_blocks *b);

/* Where the thread continues that is there. */
static inline uint32_t xpl_spot_landing(const xpl_forest *f, uint32_t spot)
{
    return spot & XPL_START ? spot : xpl_forest_landing(f, spot);
}
static inline uint32_t xpl_spot_ix(const xpl_shapes *s, uint32_t spot)
{
    return spot & XPL_START ? s->ix_of_tree.at[spot & ~XPL_START]
                            : s->ix_of_node.at[xpl_forest_landing(s->f, spot)];
}
static inline uint32_t xpl_spot_tree(const xpl_shapes *s, uint32_t spot)
{
    return spot & XPL_START ? spot & ~XPL_START : s->f->nodes.at[spot].tree;
}
static inline const xpl_pending *xpl_pending_at(const xpl_shapes *s, uint32_t spot)
{
    return &s->pending.at[xpl_spot_ix(s, spot)];
}
static inline uint32_t xpl_first_behind(const xpl_forest *f, uint32_t spot)
{
    return spot & XPL_START ? f->trees.at[spot & ~XPL_START].first
                            : f->nodes.at[xpl_forest_landing(f, spot)].first;
}
static inline uint32_t xpl_thing_of_place(uint32_t place)
{
    return 2 * place;
}
static inline uint32_t xpl_thing_of_object(uint32_t object)
{
    return 2 * object + 1;
}
/* Two sets, of n_words each: things that are touched, and that are changed. */
static inline const uint64_t *xpl_later(const xpl_shapes *s, uint32_t spot, uint32_t cut)
{
    size_t ix = (size_t)xpl_spot_ix(s, spot) * s->n_cuts + cut;
    return s->later.at + ix * 2 * s->n_words;
}
static inline const uint64_t *xpl_now(const xpl_shapes *s, uint32_t spot)
{
    return s->now.at + (size_t)xpl_spot_ix(s, spot) * 2 * s->n_words;
}
static inline uint32_t xpl_cut_of_slot(uint32_t slot)
{
    return 1 + slot;
}

/* ---- states.c: a state of the product ---- */

enum {
    XPL_UNDO_AT,
    XPL_UNDO_NUMBER,
    XPL_UNDO_CREATED,
    XPL_UNDO_ENV,
    XPL_UNDO_MEMORY,
    XPL_UNDO_RESULT,
    XPL_UNDO_OBJECT,
    XPL_UNDO_CHOSEN
};

/* What a change has overwritten. */
typedef struct xpl_product xpl_product;

typedef struct xpl_undo {
    uint8_t what; /* XPL_UNDO_* */
    uint32_t ix;
    uint64_t old;
} xpl_undo;
TD_VEC(xpl_undo, xpl_undo_vec);

typedef struct xpl_state {
    xpl_u32_vec at;     /* by slot: spot */
    xpl_u32_vec number; /* by slot: of the thread in a schedule */
    uint64_t n_created;
    exp_value_vec env;    /* by variable */
    xpl_word_vec memory;  /* by place */
    xpl_word_vec results; /* by slot */
    xpl_word_vec objects; /* XPL_OBJECT_WORDS each */
    xpl_u32_vec chosen;   /* by variable: 1 if it is an input that has a value */
    xpl_undo_vec undo;
    xpl_word_vec scratch, sets;
} xpl_state;

typedef enum xpl_stepped {
    XPL_STEPPED,
    XPL_UNSHOWN /* the thread goes where no run went; the state is as it was */
} xpl_stepped;

static inline void xpl_state_note(xpl_state *s, uint8_t what, uint32_t ix, uint64_t old)
{
    xpl_undo_vec_push(&s->undo, (xpl_undo){what, ix, old});
}
/* There is room for all that the forest has; what is new has its first value. */
void xpl_state_widen(xpl_product *x);
/* Main starts. */
xpl_stepped xpl_state_start(xpl_product *x);
/* The thread can do what it waits to do, and it is not another round of a loop that waits. */
bool xpl_state_can(xpl_product *x, uint32_t slot);
/* The thread waits in a loop. Then is_stale says that it would leave the loop by now, had it read
 * later what it read before. */
bool xpl_state_idles(xpl_product *x, uint32_t slot, bool *is_stale);
/* It does; it need not be able to. */
xpl_stepped xpl_state_step(xpl_product *x, uint32_t slot);
/* A thread that is about to decide by an input without a value, and the input; XPL_NONE: there is none. */
uint32_t xpl_state_chooser(const xpl_product *x, uint32_t *input);
/* The input has this value, and the thread decides. */
xpl_stepped xpl_state_choose(xpl_product *x, uint32_t slot, uint32_t input,
                             uint64_t value);
void xpl_state_back(xpl_state *s, size_t n_undo);
td_id xpl_state_key(xpl_product *x);
void xpl_state_fini(xpl_state *s);

/* ---- primitives.c: locks and other objects ---- */

static inline uint64_t xpl_object_word(const xpl_state *s, uint32_t object, uint32_t word)
{
    return s->objects.at[(size_t)object * XPL_OBJECT_WORDS + word];
}
/* What the object knows of the thread: that it holds it, or waits there; and what it knows of none. */
uint64_t xpl_object_relation(const xpl_product *x, uint32_t object, uint32_t slot);
void xpl_object_put_rest(const xpl_product *x, uint32_t object, xpl_word_vec *v);
/* What the thread asks for has to wait. */
bool xpl_object_waits(const xpl_product *x, uint32_t slot, const xpl_pending *p);
/* The node behind the spot that shows how it turns out; XPL_NONE: no run has shown it. */
uint32_t xpl_object_outcome(const xpl_product *x, uint32_t slot, uint32_t first);
void xpl_object_do(xpl_product *x, uint32_t slot, const xpl_node *n);
/* The thread that has to go on so that the one in the slot can; XPL_NONE: it may be any. */
uint32_t xpl_object_holder(const xpl_state *s, const xpl_pending *p);

/* Adds what is the same of two states if threads can be exchanged so that one becomes the other. things: what
 * is touched later. */
void xpl_alike_put_threads(xpl_product *x, const uint64_t *things, xpl_word_vec *v);

/* ---- idle.c: rounds of loops that wait ---- */

/* The thread, behind the node, is back at the header of a loop that it comes to by reading only. */
bool xpl_state_is_round(xpl_product *x, uint32_t node);
/* The last operation of a round that ends with the node, and the one before an operation; XPL_NONE. */
uint32_t xpl_round_last(const xpl_forest *f, uint32_t node);
uint32_t xpl_round_before(const xpl_forest *f, uint32_t operation);
/* Reads of the round but the last: one would find something else now. */
bool xpl_state_is_stale(const xpl_product *x, uint32_t node);

/* ---- persistent.c: which threads have to be tried ---- */

/* Writes slots, at most XPL_MAX_SLOTS; how many. Whatever else threads can do first, it depends on
 * none of what these do next. 0: no thread can continue. *rest: bits of the others that can continue. */
uint32_t xpl_persistent(xpl_product *x, uint32_t *out, uint64_t *rest);

/* ---- claims.c: data races, freed memory, misuse ---- */

/* Something a thread does after the node, and before its next one. */
typedef struct xpl_reach {
    uint32_t tree, node; /* XPL_NONE: it has no node before it */
    uint64_t start, end; /* bytes */
} xpl_reach;
TD_VEC(xpl_reach, xpl_reach_vec);

typedef struct xpl_claims {
    td_id misuse;       /* blocks that the step at hand frees beside a user; zero: none */
    bool is_use;        /* the job that is open is for that */
    uint64_t n_unfreed; /* of these that no run has shown */
    xpl_map plain;      /* sites whose accesses are operations, and plain */
    td_id_set tried;    /* pairs of sites for which a run was made */
    uint32_t site, other_site; /* ... the last one */
    bool is_race;              /* the job that is open is for them ... */
    uint32_t slots[2];         /* ... these threads come next */
    td_id_set known;           /* frees and uses */
    xpl_reach_vec frees, uses;
    xpl_reach_vec spans; /* of uses that are too many to be kept: one for each tree */
    uint64_t n_open;     /* operations that are not ordered after what they find */
    uint64_t n_unshown;  /* conflicting accesses that were next, and no race was seen */
} xpl_claims;

/* How much keeps the search from saying that there is none of these; all 0: nothing. */
typedef struct xpl_unclaimed {
    uint64_t races, memory, misuse;
} xpl_unclaimed;

/* A run that is in the forest. */
void xpl_claims_take(xpl_product *x, const trc *t);
xpl_unclaimed xpl_claims_missing(const xpl_product *x);
/* Two threads whose next steps are conflicting accesses, of sites that were not tried yet. */
bool xpl_race_is_next(xpl_product *x, uint32_t slots[2]);
/* The run in which these came next. */
void xpl_race_was_run(xpl_product *x, const trc *t);
void xpl_claims_fini(xpl_claims *c);

/* apart.c: bytes of the operation; and whether creates and joins order the two. */
xpl_reach xpl_reach_of(const xpl_product *x, uint32_t node);
bool xpl_is_apart(const xpl_product *x, const xpl_reach *a, const xpl_reach *b);
bool xpl_is_joined_before(const xpl_product *x, uint32_t tree, uint32_t node);
/* What the thread of a does up to what follows the node comes before it creates the thread of b, or one
 * that does. */
bool xpl_is_before_create(const xpl_product *x, const xpl_reach *a, const xpl_reach *b);

/* freed_blocks.c: the thread in the slot has come to the spot by a step, or starts there. */
void xpl_blocks_step(xpl_product *x, uint32_t slot, uint32_t spot);
/* The step at hand misuses a block, and no run was made for that. */
bool xpl_misuse_is_new(xpl_product *x);
void xpl_misuse_was_run(xpl_product *x, const trc *t);
/* Follows blocks that are freed beside their users. True: the search has to begin again. */
bool xpl_blocks_find(xpl_product *x);
/* Some block is freed beside a thread that uses it, and was not followed. */
bool xpl_has_open_free(const xpl_product *x);

/* ---- dead_states.c: states from which nothing changes ---- */

typedef struct xpl_edge {
    uint32_t from, to; /* numbers of states */
} xpl_edge;
TD_VEC(xpl_edge, xpl_edge_vec);

typedef struct xpl_cycles {
    xpl_meetings numbers; /* by key: number of the state, plus 1 */
    xpl_edge_vec edges;   /* steps that change nothing */
    xpl_u32_vec seen;     /* by number: the last pass that came there */
    xpl_u32_vec is_alive; /* by number: an end or a change can follow */
} xpl_cycles;

uint32_t xpl_cycles_state(xpl_cycles *c, td_id key);
void xpl_cycles_step(xpl_cycles *c, uint32_t from, uint32_t to);
/* Completes is_alive. True: some states are not. */
bool xpl_cycles_find_dead(xpl_cycles *c);
void xpl_cycles_clear(xpl_cycles *c);
void xpl_cycles_fini(xpl_cycles *c);

/* ---- product.c ---- */

enum { XPL_CHOICE = 256 };

typedef struct xpl_frame {
    size_t n_undo, n_path;
    uint64_t n_grown; /* when it was entered */
    td_id key;
    uint32_t slots
        [XPL_MAX_SLOTS]; /* of an input: the slot, and XPL_CHOICE times (value + 1) */
    uint32_t n, next;
    uint64_t rest;   /* bits of other slots that could be tried */
    uint32_t number; /* of the state, if there are cycles */
} xpl_frame;
TD_VEC(xpl_frame, xpl_frame_vec);

struct xpl_product {
    xpl head;
    xpl_opts opts;
    pth *path;
    xpl_forest forest;
    xpl_shapes shapes;
    xpl_formulas formulas;
    xpl_state state;
    xpl_claims claims;
    bool claims_all;  /* its end is to say what that of the search for states says */
    bool folds;       /* ways of a thread through a loop meet at its header ... */
    bool has_slots;   /* ... whatever its rounds have changed */
    bool is_arriving; /* the state at hand was not looked at yet */
    xpl_frame_vec frames;
    xpl_u32_vec picks; /* numbers of threads, one for each step to the state at hand */
    td_id_set done;    /* keys: (Q2) */
    xpl_cycles cycles; /* states of this pass, if there are cycles */
    td_id_set stuck;   /* ways in which all threads wait that were run */
    trc_step_vec steps;
    td_text says;
    uint32_t doing;        /* what is to be done: an entry of a frame; XPL_NONE */
    trc_chosen_vec inputs; /* of a job */
    exp_value_vec values;  /* of inputs, in the last run */
    bool is_asked;         /* a run was made for that step */
    size_t n_picks;        /* before that step */
    bool has_run;          /* some run is in the forest */
    bool is_started;       /* a pass is under way */
    bool is_open, is_tired, is_over;
    bool is_trying;  /* a step is made to see where it leads */
    bool has_closed; /* the step that was made last closes a cycle of its thread ... */
    bool has_effect; /* ... changes something */
    bool
        is_last; /* nothing new is expected of this pass: all states are to be seen in it */
    bool hunts;        /* ... those that are not alive are to be run */
    bool is_livelock;  /* the job that is open is for such a state */
    bool is_plain;     /* the run is to show a livelock: what it reads is not followed */
    uint64_t n_grown;  /* runs that showed something new */
    uint64_t grown_at; /* ... when the pass began */
    uint64_t n_jobs, n_states, n_steps, n_passes;
    uint64_t n_missed, n_lost, n_deep, n_objects, n_threads;
    uint64_t n_unproved; /* livelocks that no run has shown */
};
