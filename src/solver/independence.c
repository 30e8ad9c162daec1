/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of a query: constraints are joined where they share an input. */
#include "solver/solver_int.h"

#include <stdlib.h>

#include "base/assert.h"

static uint32_t find(exp_u32_vec *parent, uint32_t i)
{
    while (parent->at[i] != i) {
        parent->at[i] = parent->at[parent->at[i]];
        i = parent->at[i];
    }
    return i;
}

/* The smaller index leads, so that parts come in the order of their first constraints. */
static void unite(exp_u32_vec *parent, uint32_t a, uint32_t b)
{
    TD_ASSERT(a < parent->len && b < parent->len);
    a = find(parent, a);
    b = find(parent, b);
    if (a < b)
        parent->at[b] = a;
    else
        parent->at[a] = b;
}

static void unite_by_inputs(slv *s, uint32_t constraint)
{
    s->inputs.len = 0;
    exp_set_list(s->d, exp_inputs(s->d, s->constraints.at[constraint]), &s->inputs);
    for (size_t i = 0; i < s->inputs.len; i++) {
        uint32_t *first = &s->by_input.at[s->inputs.at[i]];
        TD_ASSERT(*first <= constraint);
        if (*first)
            unite(&s->parent, *first - 1, constraint);
        else
            exp_u32_vec_push(&s->marked, s->inputs.at[i]);
        *first = constraint + 1;
    }
}

static void join_constraints(slv *s)
{
    exp_u32_vec_clear(&s->parent);
    exp_u32_vec_clear(&s->marked);
    while (s->by_input.len < exp_input_count(s->d))
        exp_u32_vec_push(&s->by_input, 0);
    for (uint32_t i = 0; i < s->constraints.len; i++) {
        exp_u32_vec_push(&s->parent, i);
        /* Neighbours often depend on the same inputs. */
        if (i > 0 && exp_inputs(s->d, s->constraints.at[i]).ix ==
                         exp_inputs(s->d, s->constraints.at[i - 1]).ix)
            unite(&s->parent, i - 1, i);
        else
            unite_by_inputs(s, i);
    }
    for (size_t i = 0; i < s->marked.len; i++)
        s->by_input.at[s->marked.at[i]] = 0;
}

typedef struct placed {
    uint32_t part, constraint;
    exp_ref e;
} placed;

static int by_part(const void *a, const void *b)
{
    const placed *x = a, *y = b;
    if (x->part != y->part)
        return x->part < y->part ? -1 : 1;
    return (x->constraint > y->constraint) - (x->constraint < y->constraint);
}

static int by_id(const void *a, const void *b)
{
    const td_id *x = a, *y = b;
    if (x->hi != y->hi)
        return x->hi < y->hi ? -1 : 1;
    return (x->lo > y->lo) - (x->lo < y->lo);
}

td_id slv_part_key(const slv *s, const slv_part *p)
{
    TD_ASSERT(p->n > 0);
    td_id *ids = td_alloc(p->n * sizeof *ids);
    for (size_t i = 0; i < p->n; i++)
        ids[i] = exp_id(s->d, s->constraints.at[p->first + i]);
    qsort(ids, p->n, sizeof *ids, by_id);
    td_id key = td_id_hash(ids, p->n * sizeof *ids);
    td_free(ids);
    return key;
}

static void join_inputs(slv *s, slv_part *p)
{
    for (size_t i = 0; i < p->n; i++)
        p->inputs = exp_set_union(s->d, p->inputs,
                                  exp_inputs(s->d, s->constraints.at[p->first + i]));
}

void slv_slice(slv *s)
{
    slv_part_vec_clear(&s->parts);
    join_constraints(s);
    size_t n = s->constraints.len;
    placed *all = td_alloc(n * sizeof *all);
    for (uint32_t i = 0; i < n; i++)
        all[i] = (placed){find(&s->parent, i), i, s->constraints.at[i]};
    qsort(all, n, sizeof *all, by_part);
    for (size_t i = 0; i < n; i++) {
        s->constraints.at[i] = all[i].e;
        if (i == 0 || all[i].part != all[i - 1].part)
            slv_part_vec_push(&s->parts, (slv_part){.first = i});
        s->parts.at[s->parts.len - 1].n++;
    }
    TD_ASSERT(s->parts.len > 0 && s->parts.len <= n);
    td_free(all);
    for (size_t i = 0; i < s->parts.len; i++)
        join_inputs(s, &s->parts.at[i]);
}
