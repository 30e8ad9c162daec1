/* SPDX-License-Identifier: Apache-2.0 */
/* splay: two threads insert into, search and remove from one splay tree.
 *
 * After the paper's test driver of a tree library: Table 1 has 3 threads, no inputs, no bug. Each
 * operation holds the lock; what a thread finds depends on what the other one did before. The
 * assertions (the order of the keys, the searched key at the root) hold; FIXED is the same. */
#include "subject.h"

enum { N_NODES = 8 };

typedef struct node {
    GUARDED int key;
    struct node *GUARDED kid[2]; /* smaller, greater */
} node;

static pthread_mutex_t tree_lock = PTHREAD_MUTEX_INITIALIZER;
static node pool[N_NODES];
static GUARDED int n_taken;
static node *GUARDED root;

static node *rotate(node *n, int side)
{
    node *up = n->kid[!side];
    n->kid[!side] = up->kid[side];
    up->kid[side] = n;
    return up;
}

/* The tree below n with key at its root, or with the last node on the way to it. */
static node *splay(node *n, int key)
{
    if (n == NULL || n->key == key)
        return n;
    int side = key > n->key;
    node *k = n->kid[side];
    if (k == NULL)
        return n;
    if (k->key != key) {
        int below = key > k->key;
        k->kid[below] = splay(k->kid[below], key);
        if (below == side)
            n = rotate(n, !side);
        else if (k->kid[below] != NULL)
            n->kid[side] = rotate(k, !below);
    }
    return n->kid[side] == NULL ? n : rotate(n, !side);
}

static void insert(int key)
{
    lock(&tree_lock);
    root = splay(root, key);
    if (root == NULL || root->key != key) {
        node *n = &pool[n_taken], *old = root;
        n_taken = n_taken + 1;
        n->key = key;
        if (old != NULL) {
            int side = key < old->key; /* where the old root goes */
            n->kid[side] = old;
            n->kid[!side] = old->kid[!side];
            old->kid[!side] = NULL;
        }
        root = n;
    }
    unlock(&tree_lock);
}

static int find(int key)
{
    lock(&tree_lock);
    root = splay(root, key);
    int is_there = root != NULL && root->key == key;
    unlock(&tree_lock);
    return is_there;
}

static void remove_key(int key)
{
    lock(&tree_lock);
    root = splay(root, key);
    if (root != NULL && root->key == key) {
        node *low = root->kid[0], *high = root->kid[1];
        if (low == NULL) {
            root = high;
        } else {
            root = splay(low, key);
            assert(root->kid[1] == NULL);
            root->kid[1] = high;
        }
    }
    unlock(&tree_lock);
}

/* Keys below n lie between low and high, both exclusive. */
static int is_ordered(const node *n, int low, int high)
{
    if (n == NULL)
        return 1;
    return n->key > low && n->key < high && is_ordered(n->kid[0], low, n->key) &&
           is_ordered(n->kid[1], n->key, high);
}

static void check(void)
{
    lock(&tree_lock);
    assert(is_ordered(root, 0, 100));
    unlock(&tree_lock);
}

static void *one(void *arg)
{
    insert(30);
    insert(10);
    if (find(20))
        remove_key(30);
    check();
    return arg;
}

static void *two(void *arg)
{
    insert(20);
    if (find(10))
        remove_key(20);
    insert(40);
    return arg;
}

int main(void)
{
    pthread_t t[2] = {start(one, 1), start(two, 2)};
    join_all(t, 2);
    check();
    return 0;
}
