/* SPDX-License-Identifier: Apache-2.0 */
/* model/model.h - what operations mean, once for the runtime and the tool.
 *
 * Purpose     Answers queries about the kinds of operations of wire/ops.def: dependence, waiting, outcomes.
 *             Other code uses these predicates instead of comparing kinds, so that a new kind needs
 *             only a row of the table.
 * Words       kind: enum wire_kind. Those that are not operations (notes, kinds that a module defines
 *             for itself) are accepted: they have no effect and do nothing.
 *             to fail: to have another outcome than the requested one (mdl_failed_kind).
 * Invariants  (K1) mdl_asked_kind(mdl_failed_kind(k)) == k for what can fail;
 *             (K2) what only looks has no exclusive effect.
 *             tests/unit/test_model.c checks these.
 * Threads     None. No allocation: the runtime is linked into the program under test.
 * Cost        O(1): a row of a table.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "wire/wire.h"

/* The columns of wire/ops.def. */
typedef enum mdl_effect { MDL_EFFECT_N, MDL_EFFECT_S, MDL_EFFECT_E } mdl_effect;
typedef enum mdl_when {
    MDL_WHEN_A,
    MDL_WHEN_O,
    MDL_WHEN_R,
    MDL_WHEN_W,
    MDL_WHEN_J,
} mdl_when;
typedef enum mdl_drain { MDL_DRAIN_N, MDL_DRAIN_O, MDL_DRAIN_Y } mdl_drain;

typedef enum mdl_learn {
    MDL_LEARN_N,
    MDL_LEARN_A,
    MDL_LEARN_K,
    MDL_LEARN_B,
    MDL_LEARN_V,
    MDL_LEARN_M,
    MDL_LEARN_T,
    MDL_LEARN_F,
} mdl_learn;
typedef enum mdl_leave {
    MDL_LEAVE_N,
    MDL_LEAVE_A,
    MDL_LEAVE_G,
    MDL_LEAVE_K,
    MDL_LEAVE_R,
    MDL_LEAVE_M,
    MDL_LEAVE_T,
    MDL_LEAVE_F,
} mdl_leave;

typedef struct mdl_kind_row {
    uint8_t effect;   /* mdl_effect */
    uint8_t when;     /* mdl_when */
    uint8_t type;     /* enum wire_type */
    uint8_t does;     /* enum wire_does */
    uint8_t asked;    /* kind */
    uint8_t fails;    /* kind */
    uint8_t fails_if; /* enum wire_fails_if */
    uint8_t drains;   /* mdl_drain */
    bool is_access;   /* the object is bytes */
    bool looks, digest;
    uint8_t learns;   /* mdl_learn */
    uint8_t leaves;   /* mdl_leave */
    uint8_t spare[3]; /* an index is a shift */
} mdl_kind_row;

/* Indexed by kind, for every value of a byte. */
extern const mdl_kind_row mdl_kinds[UINT8_MAX + 1];

/* ---- classification ---- */

static inline bool mdl_is_op(uint8_t kind)
{
    return kind > WIRE_NONE && kind < WIRE_N_OPS;
}
/* For people. */
const char *mdl_kind_text(uint8_t kind);

static inline mdl_effect mdl_effect_of(uint8_t kind)
{
    return (mdl_effect)mdl_kinds[kind].effect;
}
static inline enum wire_type mdl_type_of(uint8_t kind)
{
    return (enum wire_type)mdl_kinds[kind].type;
}
static inline enum wire_does mdl_does(uint8_t kind)
{
    return (enum wire_does)mdl_kinds[kind].does;
}

/* True if the object of such an operation is a range of bytes. */
static inline bool mdl_is_access(uint8_t kind)
{
    return mdl_kinds[kind].is_access;
}
/* True if it has an object, which is not memory. */
static inline bool mdl_has_object(uint8_t kind)
{
    return mdl_effect_of(kind) != MDL_EFFECT_N && !mdl_is_access(kind);
}
/* True if the operation accesses the first bytes of an object of the threads library. Other such operations
 * do not race with it, but plain accesses do. Initialising or destroying the object is a plain write of all
 * of it. A thread that was woken no longer accesses the object. Handles and names are objects that are not
 * in memory. */
#define MDL_OBJECT_BYTES 4u
static inline bool mdl_touches_object(uint8_t kind, uint64_t object)
{
    enum wire_type type = mdl_type_of(kind);
    bool is_object = type == WIRE_TYPE_ANY || type == WIRE_TYPE_MUTEX ||
                     type == WIRE_TYPE_RWLOCK || type == WIRE_TYPE_SEM ||
                     type == WIRE_TYPE_COND || type == WIRE_TYPE_BARRIER ||
                     type == WIRE_TYPE_ONCE;
    return is_object && mdl_kinds[kind].when != MDL_WHEN_W && object >= 4096 &&
           object % MDL_OBJECT_BYTES == 0;
}
/* True if an operation of this kind can misuse its object. */
static inline bool mdl_can_be_misused(uint8_t kind)
{
    return mdl_has_object(kind);
}

/* The kinds that make threads, and the branches of a run. */
static inline bool mdl_creates(uint8_t kind)
{
    return kind == WIRE_CREATE;
}
static inline bool mdl_joins(uint8_t kind)
{
    return kind == WIRE_JOIN;
}
static inline bool mdl_ends(uint8_t kind)
{
    return kind == WIRE_END;
}
static inline bool mdl_exits(uint8_t kind)
{
    return kind == WIRE_EXIT;
}
static inline bool mdl_decides(uint8_t kind)
{
    return kind == WIRE_DECIDE;
}
static inline bool mdl_cancels(uint8_t kind)
{
    return kind == WIRE_CANCEL;
}
/* The operation was undone (NOTE_SPIN); its thread has failed and is stopped. */
static inline bool mdl_spins(uint8_t kind)
{
    return kind == WIRE_SPIN;
}
static inline bool mdl_stands(uint8_t kind)
{
    return kind == WIRE_FAIL;
}

/* ---- effect ---- */

/* True if its thread then holds the object: alone, or with other readers. */
static inline bool mdl_takes_alone(uint8_t kind)
{
    return mdl_does(kind) == WIRE_DOES_TAKE;
}
static inline bool mdl_takes_to_read(uint8_t kind)
{
    return mdl_does(kind) == WIRE_DOES_TAKE_READ;
}
static inline bool mdl_takes(uint8_t kind)
{
    return mdl_takes_alone(kind) || mdl_takes_to_read(kind);
}
/* After it its thread no longer holds the object, or once less. */
static inline bool mdl_gives_alone(uint8_t kind)
{
    return mdl_does(kind) == WIRE_DOES_GIVE || mdl_does(kind) == WIRE_DOES_FINISH;
}
static inline bool mdl_gives(uint8_t kind)
{
    return mdl_gives_alone(kind) || mdl_does(kind) == WIRE_DOES_GIVE_READ;
}

/* True for locks of the program: mutexes and rwlocks, but not pthread_once. */
static inline bool mdl_is_lock(uint8_t kind)
{
    return mdl_type_of(kind) == WIRE_TYPE_MUTEX || mdl_type_of(kind) == WIRE_TYPE_RWLOCK;
}
static inline bool mdl_locks(uint8_t kind)
{
    return mdl_takes(kind) && mdl_is_lock(kind);
}
static inline bool mdl_unlocks(uint8_t kind)
{
    return mdl_gives(kind) && mdl_is_lock(kind);
}
/* ... alone. */
static inline bool mdl_locks_alone(uint8_t kind)
{
    return mdl_takes_alone(kind) && mdl_is_lock(kind);
}
static inline bool mdl_unlocks_alone(uint8_t kind)
{
    return mdl_gives_alone(kind) && mdl_is_lock(kind);
}
/* True if it locks a mutex. */
static inline bool mdl_locks_mutex(uint8_t kind)
{
    return mdl_takes(kind) && mdl_type_of(kind) == WIRE_TYPE_MUTEX;
}
static inline bool mdl_unlocks_mutex(uint8_t kind)
{
    return mdl_gives(kind) && mdl_type_of(kind) == WIRE_TYPE_MUTEX;
}

/* A cancellation, or a signal: another thread notices it. */
static inline bool mdl_sends(uint8_t kind)
{
    return mdl_does(kind) == WIRE_DOES_SEND;
}
/* It sets the object up or takes it down. */
static inline bool mdl_resets(uint8_t kind)
{
    return mdl_does(kind) == WIRE_DOES_RESET;
}

/* An atomic access, or a plain one of a promoted site, that reads; that writes. */
static inline bool mdl_updates(uint8_t kind)
{
    return mdl_does(kind) == WIRE_DOES_UPDATE;
}
static inline bool mdl_reads(uint8_t kind)
{
    return mdl_does(kind) == WIRE_DOES_READ || mdl_updates(kind);
}
static inline bool mdl_writes(uint8_t kind)
{
    return mdl_does(kind) == WIRE_DOES_WRITE || mdl_updates(kind);
}
/* A compare-exchange that succeeded; one at all. */
static inline bool mdl_exchanges(uint8_t kind)
{
    return kind == WIRE_CAS;
}
static inline bool mdl_is_fence(uint8_t kind)
{
    return kind == WIRE_FENCE;
}

static inline bool mdl_is_exchange(uint8_t kind)
{
    return mdl_kinds[kind].asked == WIRE_CAS;
}

/* True if its thread arrives at a barrier. */
static inline bool mdl_arrives(uint8_t kind)
{
    return mdl_does(kind) == WIRE_DOES_ARRIVE;
}

/* Atomic sections. */
static inline bool mdl_enters_section(uint8_t kind)
{
    return kind == WIRE_ATOMIC_BEGIN;
}
static inline bool mdl_leaves_section(uint8_t kind)
{
    return kind == WIRE_ATOMIC_END;
}

/* It only looks: the object is as it was. */
static inline bool mdl_only_looks(uint8_t kind)
{
    return mdl_kinds[kind].looks;
}
/* True if everything that its thread wrote before is visible to all threads once it is done with that memory
 * order. */
static inline bool mdl_drains(uint8_t kind, uint8_t order)
{
    mdl_drain d = (mdl_drain)mdl_kinds[kind].drains;
    return d == MDL_DRAIN_Y || (d == MDL_DRAIN_O && order == __ATOMIC_SEQ_CST);
}
/* True if an event of this kind counts in the digest (joins and ends, of threads or the
 * process, do not). */
static inline bool mdl_in_digest(uint8_t kind)
{
    return mdl_kinds[kind].digest;
}

/* ---- waiting ---- */

/* When an operation can be done. */
static inline mdl_when mdl_when_of(uint8_t kind)
{
    return (mdl_when)mdl_kinds[kind].when;
}
/* It may have to wait. */
static inline bool mdl_may_wait(uint8_t kind)
{
    return mdl_when_of(kind) != MDL_WHEN_A;
}
/* True if it waits to hold the object. It waits for the known holder, which may be a reader if it wants
 * exclusive access. */
static inline bool mdl_waits_to_hold(uint8_t kind)
{
    return mdl_takes(kind) && mdl_may_wait(kind);
}
static inline bool mdl_waits_for_mutex(uint8_t kind)
{
    return mdl_waits_to_hold(kind) && mdl_type_of(kind) == WIRE_TYPE_MUTEX;
}
/* True if it also waits until no thread reads the object. */
static inline bool mdl_waits_for_readers(uint8_t kind)
{
    return mdl_when_of(kind) == MDL_WHEN_R;
}
/* True if it waits and any thread may be the one that lets it continue. */
static inline bool mdl_waits_for_anybody(uint8_t kind)
{
    return mdl_when_of(kind) == MDL_WHEN_W || mdl_waits_for_readers(kind) ||
           (mdl_does(kind) == WIRE_DOES_DOWN && mdl_may_wait(kind));
}

/* ---- outcomes ---- */

/* Returns the requested operation for this outcome. */
static inline uint8_t mdl_asked_kind(uint8_t kind)
{
    return mdl_is_op(kind) ? mdl_kinds[kind].asked : kind;
}
/* Returns the outcome of this request if it fails; WIRE_NONE: it cannot fail. */
static inline uint8_t mdl_failed_kind(uint8_t kind)
{
    return mdl_kinds[kind].fails;
}
static inline enum wire_fails_if mdl_fails_if(uint8_t kind)
{
    return (enum wire_fails_if)mdl_kinds[kind].fails_if;
}
/* It is what another kind turns out to be if it fails. */
static inline bool mdl_has_failed(uint8_t kind)
{
    return mdl_asked_kind(kind) != kind;
}
/* Returns the other outcome of the same request; WIRE_NONE: there is only one. */
static inline uint8_t mdl_other_outcome(uint8_t kind)
{
    return mdl_has_failed(kind) ? mdl_kinds[kind].asked : mdl_kinds[kind].fails;
}
/* True if it failed because the object is closed. */
static inline bool mdl_found_closed(uint8_t kind)
{
    enum wire_fails_if how = mdl_fails_if(mdl_asked_kind(kind));
    return mdl_has_failed(kind) && mdl_has_object(kind) &&
           (how == WIRE_FAILS_UNKNOWN || how == WIRE_FAILS_CLOSED);
}
/* It is exclusive, however it turns out. */
static inline bool mdl_always_changes(uint8_t kind)
{
    uint8_t failed = mdl_failed_kind(kind);
    return mdl_effect_of(kind) == MDL_EFFECT_E &&
           (failed == WIRE_NONE || mdl_effect_of(failed) == MDL_EFFECT_E);
}
/* True if its outcome depends on the readers of the object, or it waits for them. */
static inline bool mdl_depends_on_readers(uint8_t kind)
{
    return mdl_waits_for_readers(kind) ||
           mdl_fails_if(mdl_asked_kind(kind)) == WIRE_FAILS_READ;
}

/* ---- what becomes of it in a state of its object ---- */

/* The state of the object when a thread requests an operation. */
typedef struct mdl_found {
    bool is_closed; /* closed for that thread */
    bool is_read;   /* some thread holds it to read */
    bool is_over;   /* it was finished (WIRE_DOES_FINISH) */
    bool is_woken;  /* the thread was woken there */
    bool has_ended; /* the thread to be joined */
} mdl_found;

/* The operation has to wait. */
bool mdl_waits(uint8_t kind, const mdl_found *f);
/* True if the request fails. False for accesses whose outcome is not known. */
bool mdl_fails(uint8_t kind, const mdl_found *f);
/* True if the request can be executed now with this outcome. */
bool mdl_can_be(uint8_t kind, const mdl_found *f);

/* ---- what passes between threads ---- */

/* An executed operation. */
typedef struct mdl_done {
    uint8_t kind, flags; /* WIRE_F_* */
    uint64_t object, value;
} mdl_done;

/* Bits for the clocks that a thread acquires by an operation, or releases to its object. An object has two
 * clocks: one for everyone, and one kept apart. A thread acquires before it releases. */
#define MDL_ALL 1u
#define MDL_APART 2u
#define MDL_ROUND 4u /* release: moves the object's common clock to the one kept apart */
#define MDL_FLOWS 8u /* through the data handed over, not through the object itself */

typedef struct mdl_passes {
    uint8_t learns, leaves; /* MDL_* */
} mdl_passes;

/* Not defined for atomics, fences, and the starts and ends of threads (M, T). */
mdl_passes mdl_passes_of(const mdl_done *d);

/* True if other threads determine when it can be executed, or its outcome, and yet it acquires no clock: the
 * determining operation does not happen before it. Not for accesses, where the memory order decides. */
static inline bool mdl_finds_unordered(uint8_t kind)
{
    bool depends = mdl_may_wait(kind) || mdl_other_outcome(kind) || mdl_only_looks(kind);
    return depends && mdl_kinds[kind].learns == MDL_LEARN_N;
}

/* ---- dependence ---- */

/* An operation that was executed, or that a thread waits to do. */
typedef struct mdl_wanted {
    uint8_t kind, size;
    uint64_t object;
} mdl_wanted;

/* True if two operations of these kinds depend on each other where they meet. */
bool mdl_kinds_depend(uint8_t a, uint8_t b);
/* True if they act on the same bytes or the same object. */
bool mdl_meet(const mdl_wanted *a, const mdl_wanted *b);
/* True unless both orders of the two are the same. */
bool mdl_both_depend(const mdl_wanted *a, const mdl_wanted *b);
/* True if nothing before a matters to b: a is exclusive and covers the whole object of b. The two must meet
 * (mdl_meet). */
bool mdl_covers(const mdl_wanted *a, const mdl_wanted *b);
