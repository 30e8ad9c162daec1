/* SPDX-License-Identifier: Apache-2.0 */
/* Corrects the first access of a race.
 *
 * The runtime keeps one site for eight bytes. If a thread has written the bytes of two adjacent
 * variables, it may name the wrong one of its two accesses. A run with all accesses recorded has the
 * right one. */
#include "trace/trace.h"

#include "base/assert.h"

static bool is_other(const trc_fail *f, const trc_access *x)
{
    uint64_t size = f->size ? f->size : 1;
    return x->thread == f->other_thread && x->is_write == f->other_is_write &&
           x->before_op <= f->after_op && x->object < f->object + size &&
           f->object < x->object + x->size;
}

/* True if no operation of the thread lies between the two. */
static bool same_part(const trc *t, const trc_access *a, const trc_access *b)
{
    TD_DASSERT(a->thread == b->thread && a->before_op <= b->before_op);
    for (uint32_t i = a->before_op; i < b->before_op && i < t->ops.len; i++)
        if (t->ops.at[i].thread == a->thread)
            return false;
    return true;
}

/* The last access that can be meant, or one of the same part if it has the site that the
 * runtime named. */
static uint32_t find_site(const trc *t, const trc_fail *f)
{
    const trc_access *last = NULL;
    for (size_t i = t->accesses.len; i-- > 0;) {
        const trc_access *x = &t->accesses.at[i];
        if (!is_other(f, x))
            continue;
        if (last && !same_part(t, x, last))
            break;
        if (x->site == f->other_site)
            return x->site;
        last = last ? last : x;
    }
    return last ? last->site : f->other_site;
}

static bool is_operation(const trc *t, const trc_fail *f)
{
    TD_ASSERT(f->after_op <= t->ops.len);
    for (uint32_t i = f->after_op; i-- > 0;)
        if (t->ops.at[i].thread == f->other_thread && t->ops.at[i].site == f->other_site)
            return true;
    return false;
}

void trc_name_races(trc *t)
{
    if (t->accesses.len == 0)
        return;
    for (size_t i = 0; i < t->fails.len; i++) {
        trc_fail *f = &t->fails.at[i];
        if (f->kind == WIRE_FAIL_RACE && f->other_thread < t->threads.len &&
            !is_operation(t, f))
            f->other_site = find_site(t, f);
    }
}
