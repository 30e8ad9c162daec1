/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes that segments of threads touch. A segment may touch any number of them: the ranges recorded since
 * the last operation are merged each time their number has doubled since the last merge. */
#include "trace/decode.h"

#include <stdlib.h>

#define MERGE_FROM 4096u /* fewer accesses are kept in the order of their records */

static int compare_touches(const void *a, const void *b)
{
    const trc_touch *x = a, *y = b;
    if (x->thread != y->thread)
        return x->thread < y->thread ? -1 : 1;
    if (x->how != y->how)
        return x->how < y->how ? -1 : 1;
    if (x->site != y->site)
        return x->site < y->site ? -1 : 1;
    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    return x->end < y->end ? -1 : x->end > y->end;
}

static bool can_merge(const trc_touch *x, const trc_touch *y)
{
    return x->thread == y->thread && x->how == y->how && x->site == y->site &&
           y->start <= x->end;
}

/* Merges the ranges from first on, which are all of one moment. */
static void merge(trc_touch_vec *v, size_t first)
{
    TD_ASSERT(first < v->len && v->at[first].before_op == v->at[v->len - 1].before_op);
    qsort(&v->at[first], v->len - first, sizeof v->at[0], compare_touches);
    size_t last = first;
    for (size_t i = first + 1; i < v->len; i++) {
        trc_touch *x = &v->at[last], y = v->at[i];
        if (!can_merge(x, &y))
            v->at[++last] = y;
        else if (y.end > x->end)
            x->end = y.end;
    }
    v->len = last + 1;
}

/* The next range is of the moment after before_op operations. */
static void make_space(trc *t, uint32_t before_op)
{
    trc_decoder *d = &t->decoder;
    size_t len = t->touches.len;
    if (len == 0 || t->touches.at[len - 1].before_op != before_op) {
        d->touch_first = len;
        d->merge_at = len + MERGE_FROM;
    }
    if (len < d->merge_at)
        return;
    merge(&t->touches, d->touch_first);
    size_t left = t->touches.len - d->touch_first;
    d->merge_at = d->touch_first + (left < MERGE_FROM / 2 ? MERGE_FROM : 2 * left);
}

td_status trc_take_touch(trc *t, const wire_rec *r, td_diag *diag)
{
    TD_TRY(trc_subject_end(t, diag));
    if (!trc_thread_exists(t, r->thread))
        return trc_reject(t, diag, "thread %u does not exist", r->thread);
    if (r->size >= WIRE_N_TOUCHES || r->value < r->object)
        return trc_reject(t, diag, "bytes touched in way %u, backwards or not", r->size);
    make_space(t, trc_n_ops(t));
    if (!trc_subject_start(t, TRC_ABOUT_NOTHING, t->touches.len, TRC_MAX_TOUCHES))
        return TD_OK;
    trc_touch_vec_push(&t->touches, (trc_touch){
                                        .thread = r->thread,
                                        .site = r->site,
                                        .before_op = trc_n_ops(t),
                                        .how = r->size,
                                        .start = r->object,
                                        .end = r->value,
                                    });
    return TD_OK;
}
