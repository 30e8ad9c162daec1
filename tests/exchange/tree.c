/* SPDX-License-Identifier: Apache-2.0 */
#include "exchange/tree.h"

#include <stdio.h>
#include <string.h>

/* A node of level 0 has children in so many cases: 4 * 0.2475 = 0.99 on the average, so that a tree
 * is finite and sizes differ a lot. */
enum { FAN_OUT = 4, CASES_OF_10000 = 2475, FINDING_EVERY = 4001, LEVELS = 15 };

static uint64_t mix(uint64_t seed, uint64_t k)
{
    td_rng r = {seed ^ (k * UINT64_C(0xd1342543de82ef95))};
    return td_rng_next(&r);
}

static tree_node child(uint64_t seed, uint64_t k, unsigned level)
{
    return (tree_node){(mix(seed, k + 1) & ~(uint64_t)LEVELS) | level};
}

void tree_root(uint64_t seed, uint32_t n, unsigned level, tree_node_vec *out)
{
    for (uint32_t i = 0; i < n; i++)
        tree_node_vec_push(out, child(seed, i, level));
}

static unsigned n_children(tree_node n)
{
    uint64_t random = mix(n.seed, 77);
    if ((n.seed & LEVELS) > 0)
        return 1 + (unsigned)(random % 31);
    return random % 10000 < CASES_OF_10000 ? FAN_OUT : 0;
}

bool tree_visit(tree_node n, tree_node_vec *stack, tree_count *count)
{
    unsigned n_below = n_children(n), level = (unsigned)(n.seed & LEVELS);
    bool has_finding = mix(n.seed, 99) % FINDING_EVERY == 0;
    td_id id = td_id_hash(&n.seed, sizeof n.seed);
    count->nodes++;
    count->digest = td_id_sum(count->digest, id);
    for (unsigned i = 0; i < n_below; i++)
        tree_node_vec_push(stack, child(n.seed, i, level > 0 ? level - 1 : 0));
    if (n_below == 0) {
        count->leaves++;
        count->leaf_digest = td_id_sum(count->leaf_digest, id);
    }
    if (has_finding) {
        char text[24];
        tree_finding(n, text);
        count->findings++;
        count->finding_digest =
            td_id_sum(count->finding_digest, td_id_hash(text, strlen(text)));
    }
    return has_finding;
}

void tree_finding(tree_node n, char out[24])
{
    snprintf(out, 24, "t-%016llx", (unsigned long long)n.seed);
}

void tree_count_all(const tree_node_vec *nodes, tree_count *count)
{
    tree_node_vec stack = {0};
    tree_node_vec_append(&stack, nodes->at, nodes->len);
    while (stack.len > 0)
        tree_visit(tree_node_vec_pop(&stack), &stack, count);
    tree_node_vec_fini(&stack);
}

sto_bytes tree_pack(const tree_node_vec *stack, size_t k, size_t n)
{
    sto_bytes b = {.at = td_alloc(8 * stack->len + 1)};
    for (size_t i = k; i < stack->len; i += n, b.len += 8)
        memcpy(b.at + b.len, &stack->at[i].seed, 8);
    return b;
}

bool tree_unpack(sto_bytes b, tree_node_vec *out)
{
    for (size_t i = 0; i + 8 <= b.len; i += 8) {
        tree_node n;
        memcpy(&n.seed, b.at + i, 8);
        tree_node_vec_push(out, n);
    }
    return b.len % 8 == 0;
}
