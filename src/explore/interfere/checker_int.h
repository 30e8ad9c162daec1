/* SPDX-License-Identifier: Apache-2.0 */
/* explore/interfere/checker_int.h - what checker.c and values.c share. */
#pragma once

#include "explore/interfere/checker.h"

static inline bool xpl_checker_has_tree(const xpl_checker *c, uint32_t tree)
{
    return c->tree_stamp.at[tree] == c->stamp;
}

static inline bool xpl_checker_has_event(const xpl_checker *c, uint32_t node)
{
    return c->event_stamp.at[node] == c->stamp;
}

/* Makes a vector at least n long, with zeros. */
static inline void xpl_widen(xpl_u32_vec *v, size_t n)
{
    xpl_u32_vec_reserve(v, n);
    if (v->len < n)
        memset(v->at + v->len, 0, (n - v->len) * sizeof v->at[0]);
    v->len = n > v->len ? n : v->len;
}

static inline void xpl_widen_refs(exp_ref_vec *v, size_t n)
{
    exp_ref_vec_reserve(v, n);
    if (v->len < n)
        memset(v->at + v->len, 0, (n - v->len) * sizeof v->at[0]);
    v->len = n > v->len ? n : v->len;
}

/* ---- values.c ---- */
/* The variable is what the event reads. */
void xpl_checker_bind(xpl_checker *c, uint32_t variable, uint32_t event);
/* Its event has a source from now on. */
uint32_t xpl_checker_couple(xpl_checker *c, uint32_t event);
/* All variables in e are resolved. False: they depend on each other in a circle. */
bool xpl_checker_resolve(xpl_checker *c, exp_ref e, bool *is_value);
/* e with what the reads in it read; they are resolved. */
exp_ref xpl_checker_substitute(xpl_checker *c, exp_ref root);
/* The value of e, whose variables all have one. What was computed in this check stays. */
td_u128 xpl_checker_value(xpl_checker *c, exp_ref root);
/* Reads by default that e depends on. */
void xpl_checker_blame(xpl_checker *c, exp_ref e);
