/* SPDX-License-Identifier: Apache-2.0 */
/* trace/depend.h - what a kind of operation means: dependence, waiting, outcomes.
 *
 * Purpose     Answers for the whole tool what wire/ops.def says of a kind. Nobody above trace
 *             compares kinds where one of these predicates says what is meant, so that a new kind
 *             is a row of the table.
 * Words       kind: enum wire_kind. Those that are not operations (notes, what a module counts as
 *             kinds of its own) may be asked for: they have no effect and do nothing.
 *             to fail: to turn out otherwise than asked for (trc_failed_kind).
 * Invariants  (K1) trc_asked_kind(trc_failed_kind(k)) == k for what can fail;
 *             (K2) what only looks has no exclusive effect.
 *             tests/unit/test_depend.c checks these, and that the runtime says the same.
 * Threads     None.
 * Cost        O(1): a look into a table.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "wire/wire.h"

/* The columns of wire/ops.def. */
typedef enum trc_effect { TRC_EFFECT_N, TRC_EFFECT_S, TRC_EFFECT_E } trc_effect;
typedef enum trc_when {
    TRC_WHEN_A,
    TRC_WHEN_O,
    TRC_WHEN_R,
    TRC_WHEN_W,
    TRC_WHEN_J,
} trc_when;
typedef enum trc_drain { TRC_DRAIN_N, TRC_DRAIN_O, TRC_DRAIN_Y } trc_drain;

typedef struct trc_kind_row {
    const char *text; /* NULL: no operation */
    uint8_t effect;   /* trc_effect */
    uint8_t when;     /* trc_when */
    uint8_t type;     /* enum wire_type */
    uint8_t does;     /* enum wire_does */
    uint8_t asked;    /* kind */
    uint8_t fails;    /* kind */
    uint8_t fails_if; /* enum wire_fails_if */
    uint8_t drains;   /* trc_drain */
    bool is_access;   /* the object is bytes */
    bool looks, digest;
} trc_kind_row;

/* By kind, of all that a byte can name. */
extern const trc_kind_row trc_kinds[UINT8_MAX + 1];

/* ---- what it is ---- */

static inline bool trc_is_op(uint8_t kind)
{
    return kind > WIRE_NONE && kind < WIRE_N_OPS;
}
/* For people. */
const char *trc_kind_text(uint8_t kind);

static inline trc_effect trc_effect_of(uint8_t kind)
{
    return (trc_effect)trc_kinds[kind].effect;
}
static inline enum wire_type trc_type_of(uint8_t kind)
{
    return (enum wire_type)trc_kinds[kind].type;
}
static inline enum wire_does trc_does(uint8_t kind)
{
    return (enum wire_does)trc_kinds[kind].does;
}

/* True if the object of such an operation is a range of bytes. */
static inline bool trc_is_access(uint8_t kind)
{
    return trc_kinds[kind].is_access;
}
/* True if it has an object, which is not memory. */
static inline bool trc_has_object(uint8_t kind)
{
    return trc_effect_of(kind) != TRC_EFFECT_N && !trc_is_access(kind);
}
/* True if such an operation can be misuse of what it is done to. */
static inline bool trc_can_be_misused(uint8_t kind)
{
    return trc_has_object(kind);
}

/* The kinds that make threads, and the branches of a run. */
static inline bool trc_creates(uint8_t kind)
{
    return kind == WIRE_CREATE;
}
static inline bool trc_joins(uint8_t kind)
{
    return kind == WIRE_JOIN;
}
static inline bool trc_ends(uint8_t kind)
{
    return kind == WIRE_END;
}
static inline bool trc_exits(uint8_t kind)
{
    return kind == WIRE_EXIT;
}
static inline bool trc_decides(uint8_t kind)
{
    return kind == WIRE_DECIDE;
}
static inline bool trc_cancels(uint8_t kind)
{
    return kind == WIRE_CANCEL;
}
/* It was undone (NOTE_SPIN); its thread has failed and stands there. */
static inline bool trc_spins(uint8_t kind)
{
    return kind == WIRE_SPIN;
}
static inline bool trc_stands(uint8_t kind)
{
    return kind == WIRE_FAIL;
}

/* ---- what it does ---- */

/* After it its thread holds the object: alone, or with other readers. */
static inline bool trc_takes_alone(uint8_t kind)
{
    return trc_does(kind) == WIRE_DOES_TAKE;
}
static inline bool trc_takes_to_read(uint8_t kind)
{
    return trc_does(kind) == WIRE_DOES_TAKE_READ;
}
static inline bool trc_takes(uint8_t kind)
{
    return trc_takes_alone(kind) || trc_takes_to_read(kind);
}
/* After it its thread no longer holds the object, or once less. */
static inline bool trc_gives_alone(uint8_t kind)
{
    return trc_does(kind) == WIRE_DOES_GIVE || trc_does(kind) == WIRE_DOES_FINISH;
}
static inline bool trc_gives(uint8_t kind)
{
    return trc_gives_alone(kind) || trc_does(kind) == WIRE_DOES_GIVE_READ;
}

/* The same of what is a lock to a program: no pthread_once. */
static inline bool trc_is_lock(uint8_t kind)
{
    return trc_type_of(kind) == WIRE_TYPE_MUTEX || trc_type_of(kind) == WIRE_TYPE_RWLOCK;
}
static inline bool trc_locks(uint8_t kind)
{
    return trc_takes(kind) && trc_is_lock(kind);
}
static inline bool trc_unlocks(uint8_t kind)
{
    return trc_gives(kind) && trc_is_lock(kind);
}
/* ... alone. */
static inline bool trc_locks_alone(uint8_t kind)
{
    return trc_takes_alone(kind) && trc_is_lock(kind);
}
static inline bool trc_unlocks_alone(uint8_t kind)
{
    return trc_gives_alone(kind) && trc_is_lock(kind);
}
/* Of a mutex. */
static inline bool trc_locks_mutex(uint8_t kind)
{
    return trc_takes(kind) && trc_type_of(kind) == WIRE_TYPE_MUTEX;
}
static inline bool trc_unlocks_mutex(uint8_t kind)
{
    return trc_gives(kind) && trc_type_of(kind) == WIRE_TYPE_MUTEX;
}

/* A cancellation, or a signal: another thread notices it. */
static inline bool trc_sends(uint8_t kind)
{
    return trc_does(kind) == WIRE_DOES_SEND;
}
/* It sets the object up or takes it down. */
static inline bool trc_resets(uint8_t kind)
{
    return trc_does(kind) == WIRE_DOES_RESET;
}

/* An atomic access, or a plain one of a promoted site, that reads; that writes. */
static inline bool trc_updates(uint8_t kind)
{
    return trc_does(kind) == WIRE_DOES_UPDATE;
}
static inline bool trc_reads(uint8_t kind)
{
    return trc_does(kind) == WIRE_DOES_READ || trc_updates(kind);
}
static inline bool trc_writes(uint8_t kind)
{
    return trc_does(kind) == WIRE_DOES_WRITE || trc_updates(kind);
}
/* A compare-exchange that succeeded; one at all. */
static inline bool trc_exchanges(uint8_t kind)
{
    return kind == WIRE_CAS;
}
static inline bool trc_is_fence(uint8_t kind)
{
    return kind == WIRE_FENCE;
}

static inline bool trc_is_exchange(uint8_t kind)
{
    return trc_kinds[kind].asked == WIRE_CAS;
}

/* It comes to a barrier. */
static inline bool trc_arrives(uint8_t kind)
{
    return trc_does(kind) == WIRE_DOES_ARRIVE;
}

/* Atomic sections. */
static inline bool trc_enters_section(uint8_t kind)
{
    return kind == WIRE_ATOMIC_BEGIN;
}
static inline bool trc_leaves_section(uint8_t kind)
{
    return kind == WIRE_ATOMIC_END;
}

/* It only looks: the object is as it was. */
static inline bool trc_only_looks(uint8_t kind)
{
    return trc_kinds[kind].looks;
}
/* What its thread wrote before is visible to all others once it is done; O: with the memory
 * order seq_cst. */
static inline trc_drain trc_drains(uint8_t kind)
{
    return (trc_drain)trc_kinds[kind].drains;
}
/* True if an event of this kind counts in the digest (joins and ends, of threads or the
 * process, do not). */
static inline bool trc_in_digest(uint8_t kind)
{
    return trc_kinds[kind].digest;
}

/* ---- waiting ---- */

/* When an operation can be done. */
static inline trc_when trc_when_of(uint8_t kind)
{
    return (trc_when)trc_kinds[kind].when;
}
/* It may have to wait. */
static inline bool trc_may_wait(uint8_t kind)
{
    return trc_when_of(kind) != TRC_WHEN_A;
}
/* It waits to hold the object. Whom it waits for is known: who holds it. Of one who waits to be
 * alone, that may be a reader. */
static inline bool trc_waits_to_hold(uint8_t kind)
{
    return trc_takes(kind) && trc_may_wait(kind);
}
static inline bool trc_waits_for_mutex(uint8_t kind)
{
    return trc_waits_to_hold(kind) && trc_type_of(kind) == WIRE_TYPE_MUTEX;
}
/* It waits until nobody reads the object, too. */
static inline bool trc_waits_for_readers(uint8_t kind)
{
    return trc_when_of(kind) == TRC_WHEN_R;
}
/* It waits, and whom it waits for is not known: any thread may let it continue. */
static inline bool trc_waits_for_anybody(uint8_t kind)
{
    return trc_when_of(kind) == TRC_WHEN_W || trc_waits_for_readers(kind) ||
           (trc_does(kind) == WIRE_DOES_DOWN && trc_may_wait(kind));
}

/* ---- outcomes ---- */

/* What a thread asked for when this is how it turned out. */
static inline uint8_t trc_asked_kind(uint8_t kind)
{
    return trc_is_op(kind) ? trc_kinds[kind].asked : kind;
}
/* How what was asked for turns out if it fails; WIRE_NONE: it cannot. */
static inline uint8_t trc_failed_kind(uint8_t kind)
{
    return trc_kinds[kind].fails;
}
static inline enum wire_fails_if trc_fails_if(uint8_t kind)
{
    return (enum wire_fails_if)trc_kinds[kind].fails_if;
}
/* It is what another kind turns out to be if it fails. */
static inline bool trc_has_failed(uint8_t kind)
{
    return trc_asked_kind(kind) != kind;
}
/* The other outcome of what was asked for; WIRE_NONE: there is none. */
static inline uint8_t trc_other_outcome(uint8_t kind)
{
    return trc_has_failed(kind) ? trc_kinds[kind].asked : trc_kinds[kind].fails;
}
/* It failed, and so told that the object is closed. */
static inline bool trc_found_closed(uint8_t kind)
{
    enum wire_fails_if how = trc_fails_if(trc_asked_kind(kind));
    return trc_has_failed(kind) && trc_has_object(kind) &&
           (how == WIRE_FAILS_UNKNOWN || how == WIRE_FAILS_CLOSED);
}
/* It is exclusive, however it turns out. */
static inline bool trc_always_changes(uint8_t kind)
{
    uint8_t failed = trc_failed_kind(kind);
    return trc_effect_of(kind) == TRC_EFFECT_E &&
           (failed == WIRE_NONE || trc_effect_of(failed) == TRC_EFFECT_E);
}
/* How it turns out depends on who reads the object, or it waits for that. */
static inline bool trc_depends_on_readers(uint8_t kind)
{
    return trc_waits_for_readers(kind) ||
           trc_fails_if(trc_asked_kind(kind)) == WIRE_FAILS_READ;
}

/* ---- what becomes of it in a state of its object ---- */

/* What the thread that asks for an operation finds. */
typedef struct trc_found {
    bool is_closed; /* to that thread */
    bool is_read;   /* some thread holds it to read */
    bool is_over;   /* it was finished (WIRE_DOES_FINISH) */
    bool is_woken;  /* the thread was woken there */
    bool has_ended; /* the thread to be joined */
} trc_found;

/* The operation has to wait. */
bool trc_waits(uint8_t kind, const trc_found *f);
/* What was asked for fails. Of an access that is not known: false. */
bool trc_fails(uint8_t kind, const trc_found *f);
/* What was asked for can be done now and turns out to be of this kind. */
bool trc_can_be(uint8_t kind, const trc_found *f);

/* ---- dependence ---- */

/* Something that is done, or that a thread waits to do. */
typedef struct trc_wanted {
    uint8_t kind, size;
    uint64_t object;
} trc_wanted;

/* True if two operations of these kinds depend on each other where they meet. */
bool trc_kinds_depend(uint8_t a, uint8_t b);
/* They are about the same bytes or the same object. */
bool trc_meet(const trc_wanted *a, const trc_wanted *b);
/* True unless both orders of the two are the same. */
bool trc_both_depend(const trc_wanted *a, const trc_wanted *b);
/* What is before a no longer matters to b: a is exclusive, on all of the other's object.
 * They meet. */
bool trc_covers(const trc_wanted *a, const trc_wanted *b);
