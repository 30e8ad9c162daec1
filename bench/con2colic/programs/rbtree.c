/* SPDX-License-Identifier: Apache-2.0 */
/* rbtree: two threads insert into, search and remove from one red-black tree.
 *
 * After the paper's test driver of a tree library: Table 1 has 3 threads, no inputs, no bug, and most
 * branches of all that need the other thread. Red nodes lean to the left. Each operation holds the
 * lock; the assertions (order of the keys, colours, equal black heights) hold; FIXED is the same. */
#include "subject.h"

enum { N_NODES = 8 };

typedef struct node {
    GUARDED int key, is_red;
    struct node *GUARDED kid[2]; /* smaller, greater */
} node;

static pthread_mutex_t tree_lock = PTHREAD_MUTEX_INITIALIZER;
static node pool[N_NODES];
static GUARDED int n_taken;
static node *GUARDED root;

static int is_red(const node *n)
{
    return n != NULL && n->is_red;
}

static node *rotate(node *n, int side)
{
    node *up = n->kid[!side];
    n->kid[!side] = up->kid[side];
    up->kid[side] = n;
    up->is_red = n->is_red;
    n->is_red = 1;
    return up;
}

static void flip(node *n)
{
    n->is_red = !n->is_red;
    n->kid[0]->is_red = !n->kid[0]->is_red;
    n->kid[1]->is_red = !n->kid[1]->is_red;
}

static node *repair(node *n)
{
    if (is_red(n->kid[1]))
        n = rotate(n, 0);
    if (is_red(n->kid[0]) && is_red(n->kid[0]->kid[0]))
        n = rotate(n, 1);
    if (is_red(n->kid[0]) && is_red(n->kid[1]))
        flip(n);
    return n;
}

static node *insert_below(node *n, int key)
{
    if (n == NULL) {
        n = &pool[n_taken];
        n_taken = n_taken + 1;
        n->key = key;
        n->is_red = 1;
        return n;
    }
    if (n->key == key)
        return n;
    int side = key > n->key;
    n->kid[side] = insert_below(n->kid[side], key);
    return repair(n);
}

/* The kid at that side, or one of its own, gets red, so that one below can go. */
static node *lend_red(node *n, int side)
{
    flip(n);
    if (!is_red(n->kid[!side]->kid[0]))
        return n;
    if (side == 0)
        n->kid[1] = rotate(n->kid[1], 1);
    n = rotate(n, side);
    flip(n);
    return n;
}

static int must_lend(const node *n, int side)
{
    return !is_red(n->kid[side]) && !is_red(n->kid[side]->kid[0]);
}

static node *remove_least(node *n)
{
    if (n->kid[0] == NULL)
        return NULL;
    if (must_lend(n, 0))
        n = lend_red(n, 0);
    n->kid[0] = remove_least(n->kid[0]);
    return repair(n);
}

static node *remove_below(node *n, int key)
{
    if (key < n->key) {
        if (must_lend(n, 0))
            n = lend_red(n, 0);
        n->kid[0] = remove_below(n->kid[0], key);
        return repair(n);
    }
    if (is_red(n->kid[0]))
        n = rotate(n, 1);
    if (n->key == key && n->kid[1] == NULL)
        return NULL;
    if (must_lend(n, 1))
        n = lend_red(n, 1);
    if (n->key != key) {
        n->kid[1] = remove_below(n->kid[1], key);
        return repair(n);
    }
    const node *least = n->kid[1];
    while (least->kid[0] != NULL)
        least = least->kid[0];
    n->key = least->key;
    n->kid[1] = remove_least(n->kid[1]);
    return repair(n);
}

static int has_key(int key)
{
    const node *n = root;
    while (n != NULL && n->key != key)
        n = n->kid[key > n->key];
    return n != NULL;
}

/* The black height below n, -1: it breaks a rule. Keys lie between low and high, exclusive. */
static int height(const node *n, int low, int high)
{
    if (n == NULL)
        return 0;
    if (n->key <= low || n->key >= high || is_red(n->kid[1]))
        return -1;
    if (n->is_red && is_red(n->kid[0]))
        return -1;
    int h0 = height(n->kid[0], low, n->key), h1 = height(n->kid[1], n->key, high);
    return h0 < 0 || h0 != h1 ? -1 : h0 + !n->is_red;
}

static void insert(int key)
{
    lock(&tree_lock);
    root = insert_below(root, key);
    root->is_red = 0;
    assert(height(root, 0, 100) >= 0);
    unlock(&tree_lock);
}

static void remove_key(int key)
{
    lock(&tree_lock);
    if (has_key(key)) {
        if (!is_red(root->kid[0]) && !is_red(root->kid[1]))
            root->is_red = 1;
        root = remove_below(root, key);
        if (root != NULL)
            root->is_red = 0;
    }
    assert(height(root, 0, 100) >= 0);
    unlock(&tree_lock);
}

static void *one(void *arg)
{
    insert(50);
    insert(20);
    remove_key(40);
    insert(30);
    return arg;
}

static void *two(void *arg)
{
    insert(10);
    insert(40);
    remove_key(50);
    remove_key(20);
    return arg;
}

int main(void)
{
    pthread_t t[2] = {start(one, 1), start(two, 2)};
    join_all(t, 2);
    return 0;
}
