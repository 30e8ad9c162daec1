/* SPDX-License-Identifier: Apache-2.0 */
/* runtime/core/above.h - the functions of higher folders that core calls.
 *
 * Purpose     Core includes nothing of symbolic, memory, posix and process. It calls them through
 *             rt->above, a const table (process/above.c) that is set before the first run.
 * Invariants  (A1) every member is set, except grant for types of objects that core grants itself.
 */
#pragma once

#include "runtime/core/core.h"

/* Operations on objects of a type (enum wire_type). */
typedef struct rt_type_calls {
    /* Executes the pending operation of t; returns its outcome. */
    uint8_t (*grant)(rt_thread *t, uint64_t *value);
    /* True if the pending operation of t need not wait any longer. NULL: the object's queue decides. */
    bool (*ready)(const rt_thread *t);
    /* Emits NOTE_WOKEN for threads that are not in the object's queue. NULL: there are none. */
    void (*tell)(const rt_object *o);
} rt_type_calls;

/* A run that ends. */
typedef struct rt_end {
    enum wire_done how;
    bool is_stuck; /* a thread waits forever */
    bool is_cut;   /* a thread could have continued */
} rt_end;

typedef void rt_end_call(rt_end *end);

struct rt_above {
    const rt_type_calls *types; /* indexed by enum wire_type */
    /* Called in this order when a run ends; records are still written. */
    rt_end_call *const *ends;
    uint32_t n_ends;

    /* process */
    void (*main_entry)(void);
    void (*thread_entry)(void);
    /* One of the pool, in itself: it handles its signals there. */
    void (*real_thread_starts)(void *signal_stack);
    void (*image_added)(void);
    bool (*is_taken_over)(uint64_t function);

    /* memory */
    void (*thread_made)(rt_thread *t);
    void (*forget)(uint64_t start, uint64_t end); /* it is other memory from now on */
    /* An access of so many bytes by the site is an operation. */
    bool (*is_promoted)(uint32_t site, uint64_t size);
    /* Self operates on these bytes. */
    void (*watch)(uint64_t p, uint64_t size, bool is_write, uint32_t site);
    /* Self has operated on an object of the threads library: it touched its memory. */
    void (*touched_object)(const rt_op *op, uint8_t kind);
    /* Another thread has touched self's stack, which ends at sp now. */
    void (*watch_operation)(uint64_t sp);

    /* posix: self is about to wait for its pending operation; with RT_USES_SIGNALS */
    void (*before_operation)(rt_thread *self);

    /* symbolic: each only in runs that need it */
    void (*reads_other)(void); /* with rt->flow: self executes an operation */
    void (*flush_reads)(void); /* with rt->reads */
    void (*granted)(rt_thread *t,
                    uint8_t kind); /* with rt->reads: after each operation */
    bool (*by_inputs)(uint64_t p, uint64_t size); /* with rt->symbolic */
    /* With rt->symbolic: the label of `size` bytes at p, at most 8, that have this value; 0: none. */
    uint32_t (*label_at)(uint64_t p, uint32_t size, uint64_t value);
    void (*label_put)(uint64_t p, uint32_t size, uint32_t label);
    /* With rt->reads: the operation just done has written the value with this label; the label of what it has
     * read, of so many bits. */
    void (*slot_written)(uint32_t label, uint64_t value);
    uint32_t (*slot_read)(uint32_t bits);
};

/* Threads send signals to others that have handlers. */
#define RT_USES_SIGNALS ((uint32_t)(WIRE_USES_KILL | WIRE_USES_HANDLER))

/* Parts of core in the table. */
rt_end_call rt_flush_end, rt_waits_end;
