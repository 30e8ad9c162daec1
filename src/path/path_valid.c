/* SPDX-License-Identifier: Apache-2.0 */
/* Checks the invariants of path.h: walks every table, and each number must be found again. */
#include "path/path_int.h"

#include <stdio.h>

static bool broken(char *why, size_t size, const char *text, size_t at)
{
    if (why && size > 0)
        snprintf(why, size, "%s (at %zu)", text, at);
    return false;
}

/* At most half full, and every entry is found by its id: no free slot lies before it. */
static bool table_valid(const pth_table *t)
{
    size_t n = 0;
    if ((t->cap & (t->cap - 1)) != 0 || 2 * t->len > t->cap)
        return false;
    for (size_t i = 0; i < t->cap; i++) {
        const pth_table_slot *s = &t->slots[i];
        n += s->is_used;
        if (s->is_used && pth_table_find(t, s->key) != &s->value)
            return false;
    }
    return n == t->len;
}

/* Each of the numbers below n belongs to one entry (P1). */
static bool numbers_valid(const pth_table *t, size_t n)
{
    if (!table_valid(t) || t->len != n)
        return false;
    uint8_t *seen = td_alloc(n + 1);
    bool good = true;
    for (size_t i = 0; i < t->cap && good; i++) {
        const pth_table_slot *s = &t->slots[i];
        if (!s->is_used)
            continue;
        good = s->value < n && !seen[s->value];
        if (good)
            seen[s->value] = 1;
    }
    td_free(seen);
    return good;
}

static bool question_valid(const pth *p, const pth_known *q)
{
    uint32_t n_nodes = exp_count(p->d);
    if (q->e.ix == 0 || q->e.ix >= n_nodes || q->otherwise.ix >= n_nodes)
        return false;
    if (q->how == WIRE_DECIDE_BRANCH && exp_width(p->d, q->e) != 1)
        return false;
    bool has_cases = q->how == WIRE_DECIDE_SWITCH;
    return q->how < WIRE_N_DECIDES && (has_cases || q->n_cases == 0) &&
           (size_t)q->first_case + q->n_cases <= p->cases.len;
}

bool pth_valid(const pth *p, char *why, size_t size)
{
    if (!numbers_valid(&p->input_numbers, p->inputs.len))
        return broken(why, size, "inputs and their numbers", p->inputs.len);
    if (!numbers_valid(&p->question_numbers, p->questions.len))
        return broken(why, size, "P1: questions and their numbers", p->questions.len);
    if (!table_valid(&p->made))
        return broken(why, size, "nodes and their numbers", p->made.len);
    for (size_t i = 0; i < p->questions.len; i++)
        if (!question_valid(p, &p->questions.at[i]))
            return broken(why, size, "a question", i);
    for (size_t i = 0; i < p->run_inputs.len; i++)
        if (p->run_inputs.at[i] != UINT32_MAX && p->run_inputs.at[i] >= p->inputs.len)
            return broken(why, size, "an input of the run without a number", i);
    for (size_t i = 0; i < p->refs.len; i++)
        if (p->refs.at[i].ix >= exp_count(p->d))
            return broken(why, size, "a node without an expression", i);
    for (size_t i = 0; i < p->marks.len; i++)
        if (p->marks.at[i] != 0)
            return broken(why, size, "a mark that was not cleared", i);
    return true;
}
