/* SPDX-License-Identifier: Apache-2.0 */
/* Functions, branch sides and lines of a program, and which of them were executed. */
#include "detect/coverage.h"

#include <stdlib.h>
#include <string.h>

#include "base/assert.h"

void det_coverage_side(det_coverage *c, const det_cov_side *s)
{
    TD_ASSERT(s->side < s->n_sides);
    det_cov_side copy = *s;
    copy.file = td_strdup(s->file);
    copy.function = td_strdup(s->function);
    det_cov_side_vec_push(&c->sides, copy);
}

void det_coverage_line(det_coverage *c, const det_cov_line *l)
{
    det_cov_line copy = *l;
    copy.file = td_strdup(l->file);
    det_cov_line_vec_push(&c->lines, copy);
}

void det_coverage_function(det_coverage *c, const det_cov_function *f)
{
    det_cov_function copy = *f;
    copy.file = td_strdup(f->file);
    copy.name = td_strdup(f->name);
    det_cov_function_vec_push(&c->functions, copy);
}

/* ---- order ---- */

static int compare_numbers(uint32_t a, uint32_t b)
{
    return a < b ? -1 : a > b;
}

static int compare_places(const char *file_a, uint32_t line_a, const char *file_b,
                          uint32_t line_b)
{
    int order = strcmp(file_a, file_b);
    return order != 0 ? order : compare_numbers(line_a, line_b);
}

static int compare_lines(const void *a, const void *b)
{
    const det_cov_line *x = a, *y = b;
    return compare_places(x->file, x->line, y->file, y->line);
}

static int compare_functions(const void *a, const void *b)
{
    const det_cov_function *x = a, *y = b;
    int order = compare_places(x->file, x->line, y->file, y->line);
    return order != 0 ? order : strcmp(x->name, y->name);
}

/* Branches that a macro makes at one place differ in nothing but their order, which is lost: they
 * count as one. */
static int compare_sides(const void *a, const void *b)
{
    const det_cov_side *x = a, *y = b;
    int order = compare_places(x->file, x->line, y->file, y->line);
    if (order == 0)
        order = compare_numbers(x->column, y->column);
    if (order == 0)
        order = strcmp(x->function, y->function);
    if (order == 0)
        order = compare_numbers(x->n_sides, y->n_sides);
    return order != 0 ? order : compare_numbers(x->side, y->side);
}

static void order_lines(det_cov_line_vec *v)
{
    size_t n = 0;
    qsort(v->at, v->len, sizeof v->at[0], compare_lines);
    for (size_t i = 0; i < v->len; i++) {
        if (n > 0 && compare_lines(&v->at[n - 1], &v->at[i]) == 0) {
            v->at[n - 1].executed |= v->at[i].executed;
            td_free(v->at[i].file);
        } else {
            v->at[n++] = v->at[i];
        }
    }
    v->len = n;
}

static void order_functions(det_cov_function_vec *v)
{
    size_t n = 0;
    qsort(v->at, v->len, sizeof v->at[0], compare_functions);
    for (size_t i = 0; i < v->len; i++) {
        if (n > 0 && compare_functions(&v->at[n - 1], &v->at[i]) == 0) {
            v->at[n - 1].entered |= v->at[i].entered;
            td_free(v->at[i].file);
            td_free(v->at[i].name);
        } else {
            v->at[n++] = v->at[i];
        }
    }
    v->len = n;
}

static void order_sides(det_cov_side_vec *v)
{
    size_t n = 0;
    qsort(v->at, v->len, sizeof v->at[0], compare_sides);
    for (size_t i = 0; i < v->len; i++) {
        if (n > 0 && compare_sides(&v->at[n - 1], &v->at[i]) == 0) {
            v->at[n - 1].taken |= v->at[i].taken;
            td_free(v->at[i].file);
            td_free(v->at[i].function);
        } else {
            v->at[n++] = v->at[i];
        }
    }
    v->len = n;
}

void det_coverage_order(det_coverage *c)
{
    if (c->lines.len > 0)
        order_lines(&c->lines);
    if (c->functions.len > 0)
        order_functions(&c->functions);
    if (c->sides.len > 0)
        order_sides(&c->sides);
}

uint64_t det_coverage_taken(const det_coverage *c)
{
    uint64_t n = 0;
    for (size_t i = 0; i < c->sides.len; i++)
        n += c->sides.at[i].taken;
    return n;
}

void det_coverage_fini(det_coverage *c)
{
    for (size_t i = 0; i < c->sides.len; i++) {
        td_free(c->sides.at[i].file);
        td_free(c->sides.at[i].function);
    }
    for (size_t i = 0; i < c->lines.len; i++)
        td_free(c->lines.at[i].file);
    for (size_t i = 0; i < c->functions.len; i++) {
        td_free(c->functions.at[i].file);
        td_free(c->functions.at[i].name);
    }
    det_cov_side_vec_fini(&c->sides);
    det_cov_line_vec_fini(&c->lines);
    det_cov_function_vec_fini(&c->functions);
}
