/* SPDX-License-Identifier: Apache-2.0 */
/* runtime/core/round_state.h - what threads read and store in rounds of loops (spin.c, left_out.c). */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "wire/hooks.h"
#include "wire/layout.h"

/* What a thread that goes round a loop has read. */
typedef struct rt_read {
    uint64_t object, value; /* of other objects than memory: what stands for its state */
    uint64_t result;
    uint8_t size; /* 0: not memory */
    uint8_t kind; /* as it was asked for */
} rt_read;

/* Up to 16 bytes before they were written. */
typedef struct rt_write {
    uint64_t address;
    uint32_t size;
    bool depends; /* on what was read, with WIRE_JOB_ROUNDS: what was there */
    uint64_t was[2];
} rt_write;

/* A place that holds a time: the clock was asked to fill it, or a wait gives up then. */
typedef struct rt_time {
    uint64_t address;
    int64_t seconds; /* it was then, as a wait was told; 0 if the clock fills it */
    bool is_filled;
} rt_time;

/* Kept of them, each a power of two. */
#define RT_MAX_READS 256u
#define RT_MAX_WRITES 64u
#define RT_RENEWED 16u /* rt_spin.n_renewed, at first */
#define RT_MAX_ACCESSES 64u
#define RT_MAX_TIMES 16u

/* Bytes that a thread has written with plain accesses in a loop (fold.c). */
#define RT_CELL_BYTES 16u
#define RT_CELLS_OF_WRITE 8u /* a larger write is not kept */
#define RT_MAX_CELLS 256u
typedef struct rt_cell {
    uint64_t address;
    uint32_t size;
    bool depended; /* on what was read: what was there when the loop was entered */
    uint64_t was[2];
} rt_cell;

/* A state of a thread at a header, as it was recorded last. */
typedef struct rt_told {
    uint64_t hash;   /* 0: none */
    uint64_t values; /* hash of what the loop carried */
    uint64_t n_odd;  /* of rt_fold, then */
} rt_told;

#define RT_MAX_TOLD 16u
#define RT_MANY_TOLD 64u /* then a value that the loop carries perhaps never comes back */
/* A loop that the thread is in. */
typedef struct rt_folded {
    wire_loop *loop;
    uint64_t n_apart; /* when it was entered */
    uint32_t first;   /* of the cells written since */
    uint32_t n_told;
    rt_told told[RT_MAX_TOLD];
    uint32_t n_phis; /* when it was entered */
    plan_phi phis[WIRE_MAX_PHIS];
} rt_folded;

/* Something in the state of a thread at a header that depends on what was read: a PHI or a cell. */
typedef struct rt_slot {
    uint64_t at; /* its place */
    uint32_t size, label;
    uint64_t value;
    plan_phi *phi; /* NULL: the place is the cell */
} rt_slot;

#define RT_MAX_SLOTS 16u
#define RT_MAX_FOLDED 32u
typedef struct rt_fold {
    rt_slot slots[RT_MAX_SLOTS]; /* at the header that is passed */
    uint32_t n_slots;
    rt_cell cells[RT_MAX_CELLS];
    rt_folded loops[RT_MAX_FOLDED]; /* the innermost one last */
    uint32_t n_cells, n_loops;
    uint64_t n_apart; /* changes of what is neither a cell nor an operation */
    uint64_t n_odd;   /* threads that it has created or joined */
} rt_fold;

/* A place that a thread has stored to in a round of a loop. */
typedef struct rt_stored {
    uint64_t address;
    uint32_t size;
    bool is_over; /* it was written over in the next round */
} rt_stored;

#define RT_MAX_STORES 4u

/* Stores of the rounds of a loop (left_out.c). */
typedef struct rt_stores {
    const wire_loop *loop; /* whose header was passed last; NULL: none */
    uint64_t n_plain_ops;  /* operations since then that only read memory, or store */
    uint64_t n_stores;     /* of these: that store */
    uint32_t n_now;        /* places that these stored to */
    uint32_t n_before; /* ... that the round before stored to, if it did nothing else */
    uint32_t n_left;   /* ... and that were not written over yet */
    bool is_spoilt;    /* the round did something else, or its stores were noticed */
    bool is_cut;       /* the thread is to stop before its next operation */
    bool is_stopped;   /* it has */
    rt_stored now[RT_MAX_STORES], before[RT_MAX_STORES];
} rt_stores;
