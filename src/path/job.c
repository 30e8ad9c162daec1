/* SPDX-License-Identifier: Apache-2.0 */
/* Inputs by number, and the values that a job names. */
#include "path/path_int.h"

#include <stdlib.h>

size_t pth_n_inputs(const pth *p)
{
    return p->inputs.len;
}

pth_input pth_input_at(const pth *p, uint32_t number)
{
    TD_ASSERT(number < p->inputs.len);
    return p->inputs.at[number];
}

void pth_values(const pth *p, const trc *t, exp_value_vec *values)
{
    TD_ASSERT(p->run_inputs.len == t->inputs.len);
    exp_value_vec_reserve(values, p->inputs.len);
    while (values->len < p->inputs.len)
        values->at[values->len++] = 0;
    for (size_t i = 0; i < t->inputs.len; i++)
        if (p->run_inputs.at[i] != UINT32_MAX)
            values->at[p->run_inputs.at[i]] = t->inputs.at[i].value;
}

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Inputs of the conditions in growing order, each once, in p->members. */
static void find_members(pth *p, const exp_ref *conditions, size_t n)
{
    pth_byte_vec_reserve(&p->marks, p->inputs.len);
    while (p->marks.len < p->inputs.len)
        p->marks.at[p->marks.len++] = 0;
    exp_u32_vec_clear(&p->members);
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        exp_set_list(p->d, exp_inputs(p->d, conditions[i]), &p->members);
        for (size_t k = kept; k < p->members.len; k++) {
            uint32_t number = p->members.at[k];
            if (!p->marks.at[number])
                p->members.at[kept++] = number;
            p->marks.at[number] = 1;
        }
        p->members.len = kept;
    }
    for (size_t i = 0; i < kept; i++)
        p->marks.at[p->members.at[i]] = 0;
    if (kept > 1)
        qsort(p->members.at, kept, sizeof *p->members.at, by_number);
}

void pth_job(pth *p, const exp_ref *conditions, size_t n, exp_values values,
             trc_chosen_vec *out)
{
    trc_chosen_vec_clear(out);
    find_members(p, conditions, n);
    for (size_t i = 0; i < p->members.len; i++) {
        uint32_t number = p->members.at[i];
        const pth_input *in = &p->inputs.at[number];
        if (in->is_read)
            continue;
        td_u128 value = number < values.n ? values.at[number] : 0;
        wire_input w = {in->key, (uint64_t)(value & exp_ones(in->bits))};
        trc_chosen_vec_push(out, w);
    }
}
