/* SPDX-License-Identifier: Apache-2.0 */
/* tree.h - an unbalanced tree whose nodes are counted exactly.
 *
 * Purpose     Stands in for an exploration: an item is a list of nodes, and means the nodes and all
 *             below them. Whoever works on one visits some, and what is left is another list.
 * Words       node: a number; its children are found from it alone. level: its last four bits.
 *             A node of level 0 has four children or none, and some 100 nodes below it on the average,
 *             few have very many; others have 1 to 31 of the next lower level.
 * Invariants  Subtrees of different nodes have nothing in common.
 */
#pragma once

#include "base/id.h"
#include "base/rng.h"
#include "store/exchange/exchange.h"

typedef struct tree_node {
    uint64_t seed;
} tree_node;
TD_VEC(tree_node, tree_node_vec);

/* What was met: all nodes, leaves, nodes with a finding. */
typedef struct tree_count {
    uint64_t nodes, leaves, findings;
    td_id digest, leaf_digest, finding_digest;
} tree_count;

/* So many nodes of a level below 16. */
void tree_root(uint64_t seed, uint32_t n, unsigned level, tree_node_vec *out);

/* Visits a node: counts it, and its children come onto the stack. True: it has a finding. */
bool tree_visit(tree_node n, tree_node_vec *stack, tree_count *count);
/* The node's finding, a text of at most 24 bytes. */
void tree_finding(tree_node n, char out[24]);
/* The nodes and all below them. */
void tree_count_all(const tree_node_vec *nodes, tree_count *count);

/* Each n-th node of the stack, from the k-th on, as bytes. Caller frees. */
sto_bytes tree_pack(const tree_node_vec *stack, size_t k, size_t n);
/* False: not what tree_pack made. */
bool tree_unpack(sto_bytes b, tree_node_vec *out);
