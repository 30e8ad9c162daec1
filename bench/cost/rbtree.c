/* SPDX-License-Identifier: Apache-2.0 */
/* A left-leaning red-black tree: inserts, lookups and a walk in order. */
#include "kernel.h"

#define N_NODES 30000u

typedef struct node {
    struct node *child[2]; /* smaller, larger */
    uint32_t key;
    uint32_t red;
} node;

static node pool[N_NODES];
static uint32_t n_used;

static uint32_t is_red(const node *n)
{
    return n && n->red;
}

/* Makes the child on one side the parent; colours change places. */
static node *rotate(node *n, int side)
{
    node *up = n->child[side];
    n->child[side] = up->child[!side];
    up->child[!side] = n;
    up->red = n->red;
    n->red = 1;
    return up;
}

static node *repair(node *n)
{
    if (is_red(n->child[1]) && !is_red(n->child[0]))
        n = rotate(n, 1);
    if (is_red(n->child[0]) && is_red(n->child[0]->child[0]))
        n = rotate(n, 0);
    if (is_red(n->child[0]) && is_red(n->child[1])) {
        n->red = 1;
        n->child[0]->red = 0;
        n->child[1]->red = 0;
    }
    return n;
}

static node *insert(node *n, uint32_t key)
{
    if (n == NULL) {
        n = &pool[n_used++];
        *n = (node){.key = key, .red = 1};
        return n;
    }
    if (key == n->key)
        return n;
    int side = key > n->key;
    n->child[side] = insert(n->child[side], key);
    return repair(n);
}

static int contains(const node *n, uint32_t key)
{
    while (n && n->key != key)
        n = n->child[key > n->key];
    return n != NULL;
}

static uint64_t sum_of(const node *n)
{
    return n ? sum_of(n->child[0]) * 3 + n->key + sum_of(n->child[1]) : 0;
}

static uint64_t kernel(uint32_t round)
{
    uint64_t state = round, found = 0;
    node *root = NULL;
    n_used = 0;
    for (uint32_t i = 0; i < N_NODES; i++) {
        root = insert(root, kernel_random(&state) % (2 * N_NODES));
        root->red = 0;
    }
    for (uint32_t i = 0; i < 4 * N_NODES; i++)
        found += (uint64_t)contains(root, kernel_random(&state) % (2 * N_NODES));
    return sum_of(root) + found;
}

KERNEL_MAIN(5)
