/* SPDX-License-Identifier: Apache-2.0 */
/* runtime/symbolic/nodes.h - the nodes of a run, for the files of this folder.
 *
 * Purpose     A node is made where an operand of an operation has a label; it keeps the concrete
 *             value as well. The label of a byte of memory is the node and the number of the byte in its value.
 * Words       label: the number of a node, 0: none; for a byte of memory also the number of the byte.
 * Invariants  (N1) operands of a node have smaller numbers than the node;
 *             (N2) a node is recorded after its operands, and gets a new number then.
 * Reading     Chen et al., SYMSAN, USENIX Security 2022.
 */
#pragma once

#include "runtime/core/state.h"
#include "wire/sym.h"

/* What a node depends on, and whether its reads have been recorded. */
enum { OF_INPUTS = 1, OF_READS = 2, USED = 4 };

/* A read of memory (reads.c), never recorded: a is the label of the stored value; immediates: address, and
 * operations before it above its site. */
enum { OP_READ = 255 };

typedef struct node {
    uint8_t op, bits, offset, flags; /* enum wire_sym_op; EXTRACT: first bit */
    uint32_t a, b, c;                /* labels; 0: the immediate */
    uint64_t immediate[2];
    uint64_t value[2]; /* low and high half */
    uint32_t recorded; /* its number in the record, 0: not recorded yet */
    uint32_t thread;   /* thread of a read */
} node;

#define MAX_PAGES (1u << 16) /* a power of two */
#define PAGE UINT64_C(4096)

typedef struct symbols {
    uint32_t n_nodes; /* [0] is not used */
    uint32_t n_recorded;
    uint32_t n_used;  /* nodes before this one have all been used */
    uint32_t n_pages; /* pages of the label plane that may hold labels */
    bool full, pages_full;
    uint64_t last_page;
    uint64_t pages[MAX_PAGES]; /* list */
    /* Number of the run since page_set was emptied, from 1. */
    uint64_t round;
    uint64_t page_set[2 * MAX_PAGES]; /* open hash table: page number */
    uint32_t stack[WIRE_SYM_MAX_NODES + 3];
} symbols;

#define SYM ((symbols *)RT_SYMBOLS)
#define NODES ((node *)RT_NODES)

#define TEXT_LABEL (WIRE_SYM_MAX_NODES << 4) /* no node has this number */

static inline uint64_t mask_of(uint32_t bits)
{
    return bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
}

static inline uint64_t mask_high(uint32_t bits)
{
    return bits <= 64 ? 0 : mask_of(bits - 64);
}

/* The node of a label that the program passed: it may have written over it. */
static inline const node *node_at(uint32_t label)
{
    return label < SYM->n_nodes ? &NODES[label] : &NODES[0];
}

/* A label of that width, or 0: what came from elsewhere need not be what it is used as. */
static inline uint32_t of_width(uint32_t label, uint32_t bits)
{
    return label && node_at(label)->bits == bits ? label : 0;
}

static inline bool by_inputs(uint32_t label)
{
    return (node_at(label)->flags & OF_INPUTS) != 0;
}

static inline uint32_t *labels_at(uint64_t p)
{
    return (uint32_t *)PLAN_LABEL(p);
}

/* ---- nodes.c: all return 0 if there is no space ---- */

/* A new node without operands. */
uint32_t rt_node_new(uint8_t op, uint32_t bits, uint64_t low, uint64_t high);
/* Its operands are known now. */
void rt_node_inherit(node *n);
/* what: WIRE_SYM(); values: low and high half of a, b and the result. 0 also where no operand has a
 * label of that width. */
uint32_t rt_node_binary(uint32_t what, uint32_t la, uint32_t lb,
                        const uint64_t values[6]);
uint32_t rt_node_unary(uint8_t op, uint32_t bits, uint32_t la, uint64_t low,
                       uint64_t high);
uint32_t rt_node_extract(uint32_t la, uint32_t first, uint32_t bits);
/* The label of a value that is used with another width. */
uint32_t rt_node_fit(uint32_t label, uint32_t bits);
/* Joins two labels: high has the upper bits of value, low the lower ones; one of them may be 0. */
uint32_t rt_node_join(uint32_t high, uint32_t low, uint32_t high_bits, uint32_t low_bits,
                      unsigned __int128 value);

/* ---- labels.c ---- */

bool rt_labels_any(const uint32_t *labels, uint64_t n);
/* Bytes are looked at or copied: digits of a number get their own labels first. */
void rt_labels_spell(uint64_t p, uint64_t size);
/* Drops labels of bytes that uninstrumented code has changed. */
void rt_labels_validate(uint32_t *labels, uint32_t size, const uint8_t *bytes);

/* ---- decisions.c ---- */

/* Records the node and those it needs, operands first; returns its number in the record. */
uint32_t rt_node_tell(uint32_t label);
/* Call when some unknown value reached code that does not track labels. */
void rt_use_all(void);
/* The thread continues by the value (enum wire_decide). */
void rt_decide(uint32_t label, uint64_t value, enum wire_decide how, uint32_t site);
/* The last operation, a compare-exchange, succeeded or failed by this condition. */
void rt_outcome(uint32_t label);
/* Call when a branch outcome is taken; records each once per thread. */
void rt_cover(uint64_t side, uint32_t site);

/* ---- shared_reads.c ---- */

/* The value that the last operation read is taken; its label. */
uint32_t rt_read_taken(void);
/* What the last operation writes has this label. */
void rt_wrote(uint32_t label);
