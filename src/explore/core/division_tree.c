/* SPDX-License-Identifier: Apache-2.0 */
#include "explore/core/division_tree.h"

#include <inttypes.h>
#include <string.h>

#include "explore/core/item.h"

/* What is known of an item beside its row. */
typedef struct node {
    const xpl_division *halves[2];
    uint32_t n_halves; /* more than two count as well */
    uint32_t depth;
} node;
TD_VEC(node, node_vec);

static bool refuse(td_diag *diag, const xpl_division *d, const char *what)
{
    td_diag_set(diag, TD_E_FORMAT, "item %" PRIu64 " %s", d->item, what);
    return false;
}

/* The index of an item among the first n; n if there is none. */
static size_t find(const xpl_division *at, size_t n, uint64_t item)
{
    size_t low = 0, high = n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (at[middle].item < item)
            low = middle + 1;
        else
            high = middle;
    }
    return low < n && at[low].item == item ? low : n;
}

/* Reads the literal of a half; false if it is not one literal. */
static bool literal_read(const xpl_division *d, xpl_literal *out)
{
    td_diag none = {0};
    return xpl_literal_read(d->literal, d->n_literal, out, &none) == TD_OK;
}

/* True if the literals differ in whether they have their event, and in nothing else. */
static bool are_halves(const xpl_division *a, const xpl_division *b)
{
    xpl_literal x = {0}, y = {0};
    bool is_good = literal_read(a, &x) && literal_read(b, &y) && x.has != y.has &&
                   td_id_equal(x.event, y.event) && a->n_literal == b->n_literal &&
                   memcmp(a->literal + 1, b->literal + 1, a->n_literal - 1) == 0;
    xpl_literal_fini(&x);
    xpl_literal_fini(&y);
    return is_good;
}

/* Notes of each item whose half it is. False: of none before it. */
static bool link_halves(const xpl_division *at, size_t n, node *nodes, td_diag *diag)
{
    for (size_t i = 0; i < n; i++) {
        if (i > 0 && at[i].item <= at[i - 1].item)
            return refuse(diag, &at[i], "is there twice");
        if (i == 0 && (at[i].parent != 0 || at[i].n_literal != 0))
            return refuse(diag, &at[i], "is the first, and not the whole search");
        if (i == 0)
            continue;
        size_t of = find(at, i, at[i].parent);
        if (of == i)
            return refuse(diag, &at[i], "is half of no item");
        node *parent = &nodes[of];
        nodes[i].depth = parent->depth + 1;
        if (nodes[i].depth > XPL_MAX_LITERALS)
            return refuse(diag, &at[i], "has too many literals");
        if (parent->n_halves < 2)
            parent->halves[parent->n_halves] = &at[i];
        parent->n_halves += parent->n_halves < 3;
    }
    return true;
}

static bool is_covered(const xpl_division *d, const node *its, td_diag *diag)
{
    if (d->n_done > 0 && its->n_halves > 0)
        return refuse(diag, d, "was handed in and divided as well");
    if (d->n_done > 1)
        return refuse(diag, d, "was handed in more than once");
    if (d->n_done == 0 && its->n_halves == 0)
        return refuse(diag, d, "was neither handed in nor divided");
    if (d->n_done == 0 &&
        (its->n_halves != 2 || !are_halves(its->halves[0], its->halves[1])))
        return refuse(diag, d, "was not divided into its two halves");
    return true;
}

bool xpl_divisions_cover(const xpl_division *at, size_t n, uint64_t *n_parts,
                         td_diag *diag)
{
    node_vec nodes = {0};
    *n_parts = 0;
    if (n == 0) {
        td_diag_set(diag, TD_E_FORMAT, "there is no record of its items");
        return false;
    }
    node_vec_reserve(&nodes, n);
    for (size_t i = 0; i < n; i++)
        node_vec_push(&nodes, (node){0});
    bool is_good = link_halves(at, n, nodes.at, diag);
    for (size_t i = 0; i < n && is_good; i++) {
        is_good = is_covered(&at[i], &nodes.at[i], diag);
        *n_parts += at[i].n_done;
    }
    node_vec_fini(&nodes);
    return is_good;
}
