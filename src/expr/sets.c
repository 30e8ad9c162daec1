/* SPDX-License-Identifier: Apache-2.0 */
/* Sets of inputs as hash-consed Patricia trees (Okasaki and Gill, Fast mergeable integer
 * maps, 1998): a union costs what differs, and a chain of n nodes over n inputs
 * O(n log n) memory altogether. */
#include "expr/expr_int.h"

static uint64_t hash_fields(const exp_set_node *n)
{
    uint64_t h = exp_mix(n->mask, (uint64_t)n->key << 32 | n->bit);
    return exp_mix(h, (uint64_t)n->left << 32 | n->right);
}

static uint64_t hash_of(const exp_dag *d, uint32_t ix)
{
    return hash_fields(&d->set_nodes.at[ix]);
}

static uint32_t intern(exp_dag *d, exp_set_node n)
{
    exp_table *t = &d->set_table;
    exp_table_grow(t, d, hash_of);
    size_t i = hash_fields(&n) & (t->cap - 1);
    for (; t->slots[i] != 0; i = (i + 1) & (t->cap - 1))
        if (memcmp(&d->set_nodes.at[t->slots[i]], &n, sizeof n) == 0)
            return t->slots[i];
    uint32_t ix = (uint32_t)d->set_nodes.len;
    exp_set_node_vec_push(&d->set_nodes, n);
    t->slots[i] = ix;
    t->len++;
    return ix;
}

void exp_sets_init(exp_dag *d)
{
    exp_set_node_vec_push(&d->set_nodes, (exp_set_node){0});
    d->union_memo = td_alloc(EXP_UNION_MEMO * sizeof *d->union_memo);
}

exp_set exp_set_single(exp_dag *d, uint32_t number)
{
    exp_set_node n = {.mask = UINT64_C(1) << (number % 64), .key = number / 64};
    return (exp_set){intern(d, n)};
}

/* The bits of key above bit. */
static uint32_t above(uint32_t key, uint32_t bit)
{
    return key & ~(bit | (bit - 1));
}

/* Joins two trees whose keys differ. */
static uint32_t branch(exp_dag *d, uint32_t a, uint32_t b)
{
    uint32_t key_a = d->set_nodes.at[a].key, key_b = d->set_nodes.at[b].key;
    TD_DASSERT(key_a != key_b);
    uint32_t bit = 1u << (31 - __builtin_clz(key_a ^ key_b));
    exp_set_node n = {.key = above(key_a, bit), .bit = bit};
    n.left = key_a & bit ? b : a;
    n.right = key_a & bit ? a : b;
    return intern(d, n);
}

static uint32_t merge(exp_dag *d, uint32_t a, uint32_t b);

/* The union of branch a and a tree b whose keys all lie below a. */
static uint32_t merge_below(exp_dag *d, uint32_t a, uint32_t b)
{
    exp_set_node n = d->set_nodes.at[a];
    if (d->set_nodes.at[b].key & n.bit)
        n.right = merge(d, n.right, b);
    else
        n.left = merge(d, n.left, b);
    return intern(d, n);
}

/* Recursion is as deep as a key has bits. */
static uint32_t merge(exp_dag *d, uint32_t a, uint32_t b)
{
    if (a == b || b == 0)
        return a;
    if (a == 0)
        return b;
    exp_set_node x = d->set_nodes.at[a], y = d->set_nodes.at[b];
    if (x.mask && y.mask && x.key == y.key) {
        x.mask |= y.mask;
        return intern(d, x);
    }
    if (x.bit == y.bit && x.key == y.key) {
        x.left = merge(d, x.left, y.left);
        x.right = merge(d, x.right, y.right);
        return intern(d, x);
    }
    if (x.bit > y.bit && above(y.key, x.bit) == x.key)
        return merge_below(d, a, b);
    if (y.bit > x.bit && above(x.key, y.bit) == y.key)
        return merge_below(d, b, a);
    return branch(d, a, b);
}

exp_set exp_set_union(exp_dag *d, exp_set a, exp_set b)
{
    if (a.ix == b.ix || b.ix == 0)
        return a;
    if (a.ix == 0)
        return b;
    uint64_t h = exp_mix(a.ix, b.ix);
    exp_union_memo *memo = &d->union_memo[h & (EXP_UNION_MEMO - 1)];
    if (memo->a != a.ix || memo->b != b.ix)
        *memo = (exp_union_memo){a.ix, b.ix, merge(d, a.ix, b.ix)};
    return (exp_set){memo->result};
}

bool exp_set_has(const exp_dag *d, exp_set s, uint32_t number)
{
    uint32_t ix = s.ix, key = number / 64;
    while (ix != 0) {
        const exp_set_node *n = &d->set_nodes.at[ix];
        if (n->mask)
            return n->key == key && (n->mask >> (number % 64) & 1);
        if (above(key, n->bit) != n->key)
            return false;
        ix = key & n->bit ? n->right : n->left;
    }
    return false;
}

bool exp_set_overlap(const exp_dag *d, exp_set a, exp_set b)
{
    if (a.ix == b.ix)
        return a.ix != 0;
    if (a.ix == 0 || b.ix == 0)
        return false;
    const exp_set_node *x = &d->set_nodes.at[a.ix], *y = &d->set_nodes.at[b.ix];
    if (x->mask && y->mask)
        return x->key == y->key && (x->mask & y->mask);
    if (x->bit < y->bit)
        return exp_set_overlap(d, b, a);
    if (x->bit == y->bit)
        return x->key == y->key &&
               (exp_set_overlap(d, (exp_set){x->left}, (exp_set){y->left}) ||
                exp_set_overlap(d, (exp_set){x->right}, (exp_set){y->right}));
    if (above(y->key, x->bit) != x->key)
        return false;
    return exp_set_overlap(d, (exp_set){y->key & x->bit ? x->right : x->left}, b);
}

void exp_set_list(const exp_dag *d, exp_set s, exp_u32_vec *out)
{
    if (s.ix == 0)
        return;
    exp_set_node n = d->set_nodes.at[s.ix];
    if (!n.mask) {
        exp_set_list(d, (exp_set){n.left}, out);
        exp_set_list(d, (exp_set){n.right}, out);
        return;
    }
    for (uint64_t left = n.mask; left != 0; left &= left - 1)
        exp_u32_vec_push(out, n.key * 64 + (uint32_t)__builtin_ctzll(left));
}
