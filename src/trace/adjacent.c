/* SPDX-License-Identifier: Apache-2.0 */
/* Reorders a run so that two operations are as close to each other as possible.
 *
 * One pass from the end finds the operations that both of them need: an operation is needed if a later
 * needed one depends on it. The dependence between the two themselves does not count. If the second needs
 * the first all the same, whatever depends on the first stays between them, and everything else comes
 * before. */
#include "trace/trace.h"

#include "base/assert.h"

/* The needed operations, summarised: by thread, and by bytes or objects. */
typedef struct group {
    bool *thread;
    td_id_set any;  /* objects and bytes that they access */
    td_id_set excl; /* objects and bytes that they change */
} group;

typedef struct plan {
    const trc *t;
    trc_nearness how;
    bool *kept;  /* by operation: true if it is needed */
    bool *after; /* ... and depends on the first one */
} plan;

static void group_init(group *g, const trc *t)
{
    *g = (group){.thread = td_alloc(t->threads.len * sizeof(bool))};
}

static void group_fini(group *g)
{
    td_free(g->thread);
    td_id_set_fini(&g->any);
    td_id_set_fini(&g->excl);
}

static td_id key_of(const trc_op *op, uint32_t i)
{
    uint64_t key[2] = {op->object + i, mdl_is_access(trc_turned(op))};
    return td_id_hash(key, sizeof key);
}

/* Number of keys of the operation's object: one per byte of memory, otherwise one. */
static uint32_t n_keys(const trc_op *op)
{
    if (mdl_effect_of(op->kind) == MDL_EFFECT_N)
        return 0;
    return mdl_is_access(trc_turned(op)) ? op->size : 1;
}

static bool meets(const td_id_set *set, const trc_op *op)
{
    for (uint32_t i = 0; i < n_keys(op); i++)
        if (td_id_set_has(set, key_of(op, i)))
            return true;
    return false;
}

static void group_add(group *g, const trc_op *op)
{
    TD_DASSERT(!mdl_is_access(trc_turned(op)) || op->size > 0);
    g->thread[op->thread] = true;
    for (uint32_t i = 0; i < n_keys(op); i++) {
        td_id_set_add(&g->any, key_of(op, i));
        if (mdl_effect_of(op->kind) == MDL_EFFECT_E)
            td_id_set_add(&g->excl, key_of(op, i));
    }
}

/* ---- needed operations ---- */

/* True if a later operation in g needs op. A write never needs an earlier read, except to keep the order of
 * the run. */
static bool is_needed(const plan *p, const group *g, const trc_op *op)
{
    if (g->thread[op->thread])
        return true;
    if (mdl_creates(op->kind))
        return op->value < p->t->threads.len && g->thread[op->value];
    if (mdl_effect_of(op->kind) == MDL_EFFECT_E)
        return meets(&g->any, op);
    return p->how == TRC_SAME_EVENTS && meets(&g->excl, op);
}

static void collect(plan *p, uint32_t first, uint32_t second)
{
    TD_DASSERT(first < second);
    group g;
    group_init(&g, p->t);
    g.thread[p->t->ops.at[second].thread] = true;
    for (uint32_t i = second; i-- > 0;) {
        const trc_op *op = &p->t->ops.at[i];
        if (i != first && !is_needed(p, &g, op))
            continue;
        /* The first of the two is kept anyway; its objects count only if others need it. */
        p->kept[i] = is_needed(p, &g, op);
        if (p->kept[i])
            group_add(&g, op);
        g.thread[op->thread] = true;
        if (mdl_joins(op->kind))
            g.thread[op->value] = true;
    }
    group_fini(&g);
}

/* ---- what depends on the first ---- */

static bool depends(const plan *p, const group *g, const trc_op *op)
{
    if (g->thread[op->thread] || (mdl_joins(op->kind) && g->thread[op->value]))
        return true;
    return meets(mdl_effect_of(op->kind) == MDL_EFFECT_E ? &g->any : &g->excl, op);
}

static void find_after(plan *p, uint32_t first, uint32_t second)
{
    group g;
    group_init(&g, p->t);
    group_add(&g, &p->t->ops.at[first]);
    for (uint32_t i = first + 1; i < second; i++) {
        const trc_op *op = &p->t->ops.at[i];
        if (!p->kept[i] || !depends(p, &g, op))
            continue;
        p->after[i] = true;
        TD_DASSERT(i > first && i < second);
        group_add(&g, op);
        if (mdl_creates(op->kind))
            g.thread[op->value] = true;
    }
    group_fini(&g);
}

/* ---- steps ---- */

typedef struct writer {
    const plan *p;
    uint32_t *number; /* threads are numbered as they are created, and some may not be */
    uint32_t n_created;
    trc_step_vec *out;
} writer;

/* A promoted access may have been granted at once; it will be a choice. */
static void write_step(writer *w, uint32_t i)
{
    TD_DASSERT(i < w->p->t->ops.len);
    const trc_op *op = &w->p->t->ops.at[i];
    if (mdl_creates(op->kind))
        w->number[op->value] = ++w->n_created;
    if (trc_is_choice(op) || trc_is_promoted(op))
        trc_step_add(w->out, w->number[op->thread]);
}

static void write_steps(const plan *p, uint32_t first, uint32_t second, trc_step_vec *out)
{
    writer w = {.p = p,
                .number = td_alloc(p->t->threads.len * sizeof(uint32_t)),
                .out = out};
    for (uint32_t i = 0; i < second; i++)
        if (i != first && p->kept[i] && !p->after[i])
            write_step(&w, i);
    write_step(&w, first);
    for (uint32_t i = first + 1; i < second; i++)
        if (p->after[i])
            write_step(&w, i);
    write_step(&w, second);
    TD_ASSERT(w.n_created < p->t->threads.len);
    td_free(w.number);
}

bool trc_schedule_near(const trc *t, uint32_t first, uint32_t second, trc_nearness how,
                       trc_step_vec *out)
{
    TD_ASSERT(first < second && second < t->ops.len);
    trc_step_vec_clear(out);
    if (t->ops.at[first].thread == t->ops.at[second].thread)
        return false;
    plan p = {.t = t,
              .how = how,
              .kept = td_alloc(t->ops.len * sizeof(bool)),
              .after = td_alloc(t->ops.len * sizeof(bool))};
    collect(&p, first, second);
    if (p.kept[first])
        find_after(&p, first, second);
    write_steps(&p, first, second, out);
    td_free(p.kept);
    td_free(p.after);
    return true;
}
