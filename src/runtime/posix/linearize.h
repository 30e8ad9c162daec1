/* SPDX-License-Identifier: Apache-2.0 */
/* runtime/posix/linearize.h - decides whether a history is linearizable.
 *
 * Purpose     Takes the begins and ends of the operations of one structure as they happen, and
 *             decides at each end whether some order of the operations, in which each takes place
 *             between its begin and its end, gives all results by the specification.
 * Words       open: an operation that has begun and not ended.  taken: an open operation that
 *             already has its place in the order, with the result it must return.
 *             world: one explanation of all ended operations: which open operations
 *             are taken, what they must return, and the state of the specification.
 * How         The worlds are kept from end to end. An operation is given its place at the last
 *             moment: at its own end, or just before another that ends. So at the end of x, the
 *             worlds where x is taken must agree with its result; in the others every sequence
 *             of open operations is tried before x, each world once (a table of worlds). This
 *             loses no order: where x has its place before its end and y between the two, y can
 *             as well be given its place then.
 * Invariants  (L1) there is a world, until lin_end says LIN_NOT_EXPLAINED;
 *             (L2) an open operation has one of LIN_OPEN places, its bit in world.taken.
 * Ownership   All memory is the caller's, who frees it all at once.
 * Threads     None.
 * Cost        Worlds times open operations an end; one step of the specification where nothing
 *             overlaps. At most LIN_WORLDS worlds.
 * Reading     Wing, Gong, Testing and verifying concurrent objects, 1993; Lowe, Testing for
 *             linearizability, 2017.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wire/spec.h"

#define LIN_OPEN 64u          /* operations open at the same time */
#define LIN_WORLDS 65536u     /* kept at the same time ... */
#define LIN_BYTES (64u << 20) /* ... and their bytes */
#define LIN_MAX_STATE 65536u  /* bytes of a specification's state */
#define LIN_SAYINGS 3u /* results shown for an operation that cannot be explained */
#define LIN_NONE UINT32_MAX

typedef struct lin_op {
    struct lin_op *next; /* that began after it */
    wire_call call;
    uint64_t result;
    bool has_result;
    uint32_t thread, site;
    uint32_t number;     /* 0.. */
    uint32_t begin, end; /* positions among all begins and ends, 1..; end 0: open */
} lin_op;

/* An operation in its place, and those before it. */
typedef struct lin_trail {
    const struct lin_trail *before; /* NULL: it is the first */
    const lin_op *op;
} lin_trail;

/* What the operation that cannot be explained does in an order that explains the others. */
typedef struct lin_saying {
    const lin_trail *order; /* with the operation */
    bool possible;
    uint64_t result; /* if it is possible */
} lin_saying;

typedef struct lin_worlds {
    uint8_t *at;
    uint32_t n, cap;
    uint32_t *table; /* open addressing: number of a world + 1; 0: free */
    uint32_t n_table;
} lin_worlds;

typedef struct lin_host {
    void *(*alloc)(size_t size); /* zeroed; never NULL */
    /* Calls init or step of the specification. */
    void (*init)(const wire_spec *spec, void *state);
    int (*step)(const wire_spec *spec, void *state, const wire_call *call,
                uint64_t *result);
} lin_host;

typedef struct lin {
    const lin_host *host;
    const wire_spec *spec;
    uint32_t width; /* open operations that a world has room for */
    size_t stride;  /* bytes of a world */
    lin_op *first, *last;
    uint32_t n_ops;
    uint32_t n_marks;
    lin_op *open[LIN_OPEN];
    uint64_t used; /* places of open that are taken up, a bit each */
    lin_worlds now, next, reached;
    uint8_t *scratch;
    lin_saying sayings[LIN_SAYINGS];
    uint32_t n_sayings;
} lin;

typedef enum lin_verdict { LIN_EXPLAINED, LIN_NOT_EXPLAINED, LIN_TOO_MANY } lin_verdict;

/* A history without operations; h is zeroed memory. */
void lin_start(lin *h, const lin_host *host, const wire_spec *spec);
/* Returns the open operation of a thread, or NULL. */
lin_op *lin_open_of(const lin *h, uint32_t thread);
/* Begins an operation; call is copied, its texts are borrowed. NULL: too many are open. */
lin_op *lin_begin(lin *h, uint32_t thread, uint32_t site, const wire_call *call);
/* Ends an operation. After LIN_NOT_EXPLAINED, sayings show why; after LIN_TOO_MANY the history must not be
 * used. */
lin_verdict lin_end(lin *h, lin_op *op, uint64_t result, bool has_result);
