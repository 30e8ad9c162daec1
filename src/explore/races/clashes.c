/* SPDX-License-Identifier: Apache-2.0 */
#include "explore/races/clashes.h"

enum {
    MANY = 64
}; /* accesses; of two parts with more than MANY * MANY pairs one has more */

/* A search for clashes of two parts. */
typedef struct search {
    xpl_clash_vec *out;
    td_id_set found; /* pairs of sites */
} search;

td_id xpl_pair_id(uint32_t site, uint32_t other)
{
    uint32_t pair[2] = {site < other ? site : other, site < other ? other : site};
    return td_id_hash(pair, sizeof pair);
}

void xpl_clashes_index(const xpl_access *at, uint32_t n, td_spans *spans)
{
    TD_ASSERT(spans->at.len == 0);
    for (uint32_t i = 0; n > MANY && i < n; i++)
        td_spans_put(spans, at[i].start, at[i].end, i);
    td_spans_sort(spans);
}

static bool may_race(const xpl_access *x, const xpl_access *y)
{
    if (x->start >= y->end || y->start >= x->end)
        return false;
    if (x->kind == XPL_ACCESS_FREES || y->kind == XPL_ACCESS_FREES)
        return !x->is_next && !y->is_next;
    if (x->kind == XPL_ACCESS_OTHER || y->kind == XPL_ACCESS_OTHER ||
        (x->is_next && y->is_next))
        return false;
    return (x->is_write || y->is_write) &&
           (x->kind == XPL_ACCESS_PLAIN || y->kind == XPL_ACCESS_PLAIN);
}

static void compare(search *s, const xpl_access *x, const xpl_access *y)
{
    if (!may_race(x, y))
        return;
    td_id pair = xpl_pair_id(x->site, y->site);
    if (!td_id_set_add(&s->found, pair))
        return;
    xpl_clash_vec_push(s->out, (xpl_clash){.pair = pair,
                                           .start = {x->start, y->start},
                                           .end = {x->end, y->end},
                                           .is_next = {x->is_next, y->is_next}});
}

/* Compares the accesses of few with those of many; which of them is a? */
static void compare_many(search *s, const xpl_accesses *few, const xpl_accesses *many,
                         const xpl_accesses *a)
{
    for (uint32_t i = 0; i < few->n; i++) {
        const xpl_access *x = &few->at[i];
        td_spans_find find = {.start = x->start, .end = x->end};
        for (const td_span *y; (y = td_spans_next(many->spans, &find)) != NULL;) {
            TD_ASSERT(y->number < many->n);
            const xpl_access *z = &many->at[y->number];
            compare(s, few == a ? x : z, few == a ? z : x);
        }
    }
}

void xpl_clashes_find(const xpl_accesses *a, const xpl_accesses *b, xpl_clash_vec *out)
{
    search s = {.out = out};
    if ((uint64_t)a->n * b->n > MANY * MANY)
        compare_many(&s, a->n < b->n ? a : b, a->n < b->n ? b : a, a);
    else
        for (uint32_t i = 0; i < a->n; i++)
            for (uint32_t k = 0; k < b->n; k++)
                compare(&s, &a->at[i], &b->at[k]);
    td_id_set_fini(&s.found);
}
