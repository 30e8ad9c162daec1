/* SPDX-License-Identifier: Apache-2.0 */
/* Red-black trees of std::map and std::set. The header of a tree is a node as well: its parent is the
 * root, its left and right are the first and the last node; the root's parent is the header, which is
 * red. */
#include "runtime/cxx/cxx_int.h"

enum { RED, BLACK };
enum { LEFT, RIGHT };

typedef struct node node;
struct node {
    int colour;
    node *parent;
    node *side[2];
};

static node *outermost(node *n, int side)
{
    while (n->side[side])
        n = n->side[side];
    return n;
}

/* Returns the next node on that side in order, or the header. */
static node *step(node *n, int side)
{
    if (n->side[side])
        return outermost(n->side[side], !side);
    node *up = n->parent;
    while (n == up->side[side]) {
        n = up;
        up = up->parent;
    }
    return n->side[side] == up ? n : up; /* from the root of a tree with one node */
}

static bool is_header(const node *n)
{
    return n->colour == RED && n->parent && n->parent->parent == n;
}

node *increment(node *n) CXX_NAME("_ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base");
node *increment(node *n)
{
    return step(n, RIGHT);
}

node *increment_const(node *n)
    CXX_NAME("_ZSt18_Rb_tree_incrementPKSt18_Rb_tree_node_base");
node *increment_const(node *n)
{
    return step(n, RIGHT);
}

static node *step_back(node *n)
{
    return is_header(n) ? n->side[RIGHT] : step(n, LEFT);
}

node *decrement(node *n) CXX_NAME("_ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base");
node *decrement(node *n)
{
    return step_back(n);
}

node *decrement_const(node *n)
    CXX_NAME("_ZSt18_Rb_tree_decrementPKSt18_Rb_tree_node_base");
node *decrement_const(node *n)
{
    return step_back(n);
}

/* ---- changes ---- */

/* Replaces a node by another one, or by none. */
static void replace(node *header, const node *old, node *n)
{
    node *up = old->parent;
    if (header->parent == old)
        header->parent = n;
    else
        up->side[up->side[RIGHT] == old] = n;
    if (n)
        n->parent = up;
}

/* The child on the other side comes up, the node goes down to this side. */
static void rotate(node *header, node *n, int side)
{
    node *up = n->side[!side];
    n->side[!side] = up->side[side];
    if (up->side[side])
        up->side[side]->parent = n;
    replace(header, n, up);
    up->side[side] = n;
    n->parent = up;
}

static bool is_red(const node *n)
{
    return n && n->colour == RED;
}

/* A red node may have got a red parent. */
static void repair_inserted(node *header, node *n)
{
    while (n != header->parent && is_red(n->parent)) {
        node *up = n->parent, *above = up->parent;
        int side = above->side[RIGHT] == up;
        node *other = above->side[!side];
        if (is_red(other)) {
            up->colour = other->colour = BLACK;
            above->colour = RED;
            n = above;
            continue;
        }
        if (n == up->side[!side]) {
            rotate(header, up, side);
            up = n;
        }
        up->colour = BLACK;
        above->colour = RED;
        rotate(header, above, !side);
        break;
    }
    header->parent->colour = BLACK;
}

void insert(bool is_left, node *n, node *at, node *header)
    CXX_NAME("_ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_");
void insert(bool is_left, node *n, node *at, node *header)
{
    int side = is_left ? LEFT : RIGHT;
    *n = (node){.colour = RED, .parent = at};
    if (at == header)
        header->parent = header->side[LEFT] = header->side[RIGHT] = n;
    else {
        at->side[side] = n;
        if (header->side[side] == at)
            header->side[side] = n;
    }
    repair_inserted(header, n);
}

/* Below up, on that side, there is one black node too few. */
static void repair_erased(node *header, node *up, node *n)
{
    while (n != header->parent && !is_red(n)) {
        int side = up->side[RIGHT] == n;
        node *other = up->side[!side];
        if (is_red(other)) {
            other->colour = BLACK;
            up->colour = RED;
            rotate(header, up, side);
            other = up->side[!side];
        }
        if (!is_red(other->side[LEFT]) && !is_red(other->side[RIGHT])) {
            other->colour = RED;
            n = up;
            up = up->parent;
            continue;
        }
        if (!is_red(other->side[!side])) {
            other->side[side]->colour = BLACK;
            other->colour = RED;
            rotate(header, other, !side);
            other = up->side[!side];
        }
        other->colour = up->colour;
        up->colour = BLACK;
        other->side[!side]->colour = BLACK;
        rotate(header, up, side);
        return;
    }
    if (n)
        n->colour = BLACK;
}

/* The first and the last one are known. */
static void forget_ends(node *header, node *n)
{
    for (int side = LEFT; side <= RIGHT; side++)
        if (header->side[side] == n)
            header->side[side] =
                n->side[!side] ? outermost(n->side[!side], side) : n->parent;
}

/* Takes the node out and returns it. */
node *erase(node *n, node *header)
    CXX_NAME("_ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_");
node *erase(node *n, node *header)
{
    node *next = n, *child, *up;
    forget_ends(header, n);
    if (n->side[LEFT] && n->side[RIGHT])
        next = outermost(n->side[RIGHT], LEFT);
    child = next->side[next->side[LEFT] ? LEFT : RIGHT];
    up = next->parent;
    int gone = next->colour;
    replace(header, next, child);
    if (next != n) { /* the next one takes its place */
        up = up == n ? next : up;
        next->colour = n->colour;
        for (int side = LEFT; side <= RIGHT; side++) {
            next->side[side] = n->side[side];
            if (next->side[side])
                next->side[side]->parent = next;
        }
        replace(header, n, next);
    }
    if (gone == BLACK)
        repair_erased(header, up, child);
    return n;
}
