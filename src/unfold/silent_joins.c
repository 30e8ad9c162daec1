/* SPDX-License-Identifier: Apache-2.0 */
#include "unfold/unfold_int.h"

#include <stdlib.h>

/* Joins that show nothing.
 *
 * A join makes its thread depend on all that the joined thread did, so a main that joins n
 * threads has as many histories as there are combinations of theirs, though it may see
 * nothing of them. A history is silent if an executed continuation from it is made of joins
 * whose results are not fetched and of the end or exit, and reads no byte that another
 * thread has written in any run: every other continuation is then the same. Targets of silent
 * histories are not run, and what follows them is not kept, unless the thread is watched:
 * it turns out to read what others write, or another thread joins it and continues to look at
 * things. */

enum { MANY = 1024 }; /* touches of a run that are not learnt one by one */

/* ---- watched threads ---- */

/* A run that shows what threads observe. */
typedef struct lesson {
    unf *u;
    const trc *t;
    unf_search_again *again;
    unf_make_ends *ends;
} lesson;

static void watch(const lesson *l, uint32_t thread)
{
    unf *u = l->u;
    unf_thread *t = &u->threads.at[thread];
    if (t->is_watched)
        return;
    for (size_t i = 0; i < t->joins.len; i++)
        l->ends(u, u->threads.at[t->joins.at[i]].object);
    unf_tails_make(u, thread);
    t->is_watched = true;
    for (size_t i = 0; i < u->threads.at[thread].parked.len; i++) {
        uint32_t event = u->threads.at[thread].parked.at[i];
        unf_node *n = node_at(u, event);
        TD_ASSERT(n->thread == thread && (n->flags & NODE_PARKED));
        n->flags &= (uint8_t)~NODE_PARKED;
        if (n->status == UNF_TARGET)
            unf_vec_push(&u->found, event);
        else if (n->status == UNF_EXECUTED)
            l->again(u, event);
    }
    unf_vec_clear(&u->threads.at[thread].parked);
    for (size_t i = 0; i < u->threads.at[thread].joins.len; i++)
        watch(l, u->threads.at[thread].joins.at[i]);
}

/* The thread has turned out to look at these bytes, or to write them. */
static void tell_looks(const lesson *l, uint32_t thread, uint64_t start, uint64_t end)
{
    unf *u = l->u;
    for (uint32_t i = 0; i < u->threads.len; i++)
        if (i != thread && td_bytes_meet(&u->threads.at[i].writes, start, end))
            watch(l, thread);
}

static void tell_writes(const lesson *l, uint32_t thread, uint64_t start, uint64_t end)
{
    unf *u = l->u;
    for (uint32_t i = 0; i < u->threads.len; i++)
        if (i != thread && td_bytes_meet(&u->threads.at[i].looks, start, end))
            watch(l, i);
}

/* The thread reads these bytes after its last joins. */
static void looks_at(const lesson *l, uint32_t thread, uint64_t start, uint64_t end)
{
    if (td_bytes_add(&l->u->threads.at[thread].looks, start, end))
        tell_looks(l, thread, start, end);
}

static void writes_to(const lesson *l, uint32_t thread, uint64_t start, uint64_t end)
{
    if (td_bytes_add(&l->u->threads.at[thread].writes, start, end))
        tell_writes(l, thread, start, end);
}

bool unf_silent_joins_skips(const unf *u, uint32_t history)
{
    const unf_node *n = node_at(u, history);
    return (n->flags & NODE_SILENT) && !u->threads.at[n->thread].is_watched;
}

static void park(unf *u, uint32_t event)
{
    unf_node *n = node_at(u, event);
    if (n->flags & NODE_PARKED)
        return;
    TD_ASSERT(!u->threads.at[n->thread].is_watched);
    n->flags |= NODE_PARKED;
    unf_vec_push(&u->threads.at[n->thread].parked, event);
}

bool unf_silent_joins_park(unf *u, uint32_t history)
{
    if (!unf_silent_joins_skips(u, history))
        return false;
    park(u, history);
    return true;
}

bool unf_silent_joins_park_event(unf *u, uint32_t event)
{
    uint32_t before = node_at(u, event)->before;
    if (before == UNF_NONE || !unf_silent_joins_skips(u, before))
        return false;
    park(u, event);
    return true;
}

bool unf_shows_nothing(const unf *u, uint32_t target)
{
    const unf_node *n = node_at(u, target);
    return mdl_joins(n->kind) && unf_silent_joins_skips(u, n->before);
}

bool unf_is_silent_join(unf *u, uint32_t target)
{
    if (!unf_shows_nothing(u, target))
        return false;
    park(u, target);
    return true;
}

static void add_join(unf *u, uint32_t thread, uint32_t joined)
{
    unf_vec *joins = &u->threads.at[thread].joins;
    for (size_t i = 0; i < joins->len; i++)
        if (joins->at[i] == joined)
            return;
    unf_vec_push(joins, joined);
}

/* A join that was executed, with all that its thread did after it known. event: UNF_NONE if it was left
 * out, after a silent history. */
static void learn_join(const lesson *l, const trc_op *op, uint32_t event,
                       bool is_silent_now)
{
    unf *u = l->u;
    uint32_t thread = u->run_threads.at[op->thread];
    uint32_t joined = unf_thread_of(u, l->t->threads.at[op->value].name);
    if (!is_silent_now) {
        watch(l, joined);
        return;
    }
    TD_DASSERT(event == UNF_NONE || mdl_joins(node_at(u, event)->kind));
    add_join(u, thread, joined);
    /* A lock that is held may be part of a deadlock. */
    unf_node *history = event == UNF_NONE ? NULL : node_at(u, node_at(u, event)->before);
    if (history && !history->held)
        history->flags |= NODE_SILENT;
    if (u->threads.at[thread].is_watched)
        watch(l, joined);
}

/* Finds, from the end of the run, the joins after which their threads do nothing but join
 * and end. from[thread] is the first of them. */
static void learn_joins(const lesson *l, uint32_t *from)
{
    const unf *u = l->u;
    const trc *t = l->t;
    bool *silent = td_alloc(t->threads.len);
    for (size_t i = t->ops.len; i-- > 0;) {
        const trc_op *op = &t->ops.at[i];
        bool ends =
            mdl_ends(op->kind) || (mdl_exits(op->kind) && u->run_next.at[i] == UNF_NONE);
        bool joins = mdl_joins(op->kind);
        silent[op->thread] = ends || (joins && silent[op->thread] && !trc_is_fetched(op));
        if (joins)
            learn_join(l, op, u->last.at[i].event, silent[op->thread]);
        if (joins && silent[op->thread])
            from[op->thread] = (uint32_t)i;
        if (op->flags & WIRE_F_SAW)
            silent[op->thread] = false;
    }
    td_free(silent);
}

static void learn_writes(const lesson *l)
{
    const unf *u = l->u;
    const trc *t = l->t;
    for (size_t i = 0; i < t->ops.len; i++) {
        const trc_op *op = &t->ops.at[i];
        if (mdl_is_access(op->kind) && mdl_effect_of(op->kind) == MDL_EFFECT_E)
            writes_to(l, u->run_threads.at[op->thread], op->object,
                      op->object + op->size);
    }
}

static bool is_learnt(const trc_touch *touch, const uint32_t *from)
{
    return touch->how == WIRE_TOUCH_WRITE ||
           (touch->how == WIRE_TOUCH_READ && touch->before_op > from[touch->thread]);
}

static void learn_touch(const lesson *l, const trc_touch *touch)
{
    uint32_t thread = l->u->run_threads.at[touch->thread];
    if (touch->how == WIRE_TOUCH_WRITE)
        writes_to(l, thread, touch->start, touch->end);
    else
        looks_at(l, thread, touch->start, touch->end);
}

static bool is_new(const lesson *l, const trc_touch *touch)
{
    const unf_thread *t = &l->u->threads.at[l->u->run_threads.at[touch->thread]];
    const td_bytes *v = touch->how == WIRE_TOUCH_WRITE ? &t->writes : &t->looks;
    return !td_bytes_have(v, touch->start, touch->end);
}

static int compare_touches(const void *a, const void *b)
{
    const trc_touch *x = a, *y = b;
    if (x->thread != y->thread)
        return x->thread < y->thread ? -1 : 1;
    if (x->how != y->how)
        return x->how < y->how ? -1 : 1;
    return x->start < y->start ? -1 : x->start > y->start;
}

/* Learns n touches of one thread and way, rising by start: their bytes are added at once. */
static void learn_row(const lesson *l, const trc_touch *x, size_t n)
{
    unf *u = l->u;
    bool is_write = x->how == WIRE_TOUCH_WRITE;
    unf_thread *t = &u->threads.at[u->run_threads.at[x->thread]];
    td_bytes all = {0}, *mine = is_write ? &t->writes : &t->looks;
    size_t k = 0;
    for (size_t i = 0; i < n; i++) {
        for (; k < mine->len && mine->at[k].start < x[i].start; k++)
            td_bytes_add_last(&all, mine->at[k].start, mine->at[k].end);
        td_bytes_add_last(&all, x[i].start, x[i].end);
    }
    for (; k < mine->len; k++)
        td_bytes_add_last(&all, mine->at[k].start, mine->at[k].end);
    td_bytes_fini(mine);
    *mine = all;
    for (size_t i = 0; i < n; i++)
        (is_write ? tell_writes : tell_looks)(l, u->run_threads.at[x->thread], x[i].start,
                                              x[i].end);
}

/* The same as learn_touch for each, but not with a move of all bytes behind a new one for each. */
static void learn_many(const lesson *l, const uint32_t *from)
{
    trc_touch_vec v = {0};
    for (size_t i = 0; i < l->t->touches.len; i++)
        if (is_learnt(&l->t->touches.at[i], from) && is_new(l, &l->t->touches.at[i]))
            trc_touch_vec_push(&v, l->t->touches.at[i]);
    if (v.len > 0)
        qsort(v.at, v.len, sizeof v.at[0], compare_touches);
    for (size_t i = 0, n; i < v.len; i += n) {
        for (n = 1; i + n < v.len && v.at[i + n].thread == v.at[i].thread &&
                    v.at[i + n].how == v.at[i].how;)
            n++;
        learn_row(l, &v.at[i], n);
    }
    trc_touch_vec_fini(&v);
}

static void learn_touches(const lesson *l, const uint32_t *from)
{
    if (l->t->touches.len > MANY) {
        learn_many(l, from);
        return;
    }
    for (size_t i = 0; i < l->t->touches.len; i++)
        if (is_learnt(&l->t->touches.at[i], from))
            learn_touch(l, &l->t->touches.at[i]);
}

void unf_silent_joins_learn(unf *u, const trc *t, unf_search_again *again,
                            unf_make_ends *ends)
{
    TD_ASSERT(again && ends && u->run_threads.len == t->threads.len);
    const lesson l = {u, t, again, ends};
    uint32_t *from = td_alloc(t->threads.len * sizeof *from);
    memset(from, 0xff, t->threads.len * sizeof *from);
    learn_writes(&l);
    learn_joins(&l, from);
    learn_touches(&l, from);
    td_free(from);
}
