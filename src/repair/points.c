/* SPDX-License-Identifier: Apache-2.0 */
/* What the replay of a finding shows: the events that it is about and the calls that led to them, mutexes, signals. */
#include "repair/repair_int.h"

#include <stdlib.h>
#include <string.h>

#include "base/assert.h"

/* ---- sources, each read once ---- */

typedef struct source {
    char *file;
    td_text text;
} source;
TD_VEC(source, source_vec);

typedef struct rpr_sources {
    source_vec all;
} rpr_sources;

static void read_source(rpr_facts *f, trc_sites *sites, const char *file)
{
    source_vec *all = &f->sources->all;
    for (size_t i = 0; i < all->len; i++)
        if (strcmp(all->at[i].file, file) == 0)
            return;
    source s = {.file = td_strdup(file)};
    rpr_source_read(sites, file, &s.text);
    source_vec_push(all, s);
}

const td_text *rpr_source_of(const rpr_facts *f, const char *file)
{
    static const td_text none = {0};
    const source_vec *all = &f->sources->all;
    for (size_t i = 0; i < all->len; i++)
        if (strcmp(all->at[i].file, file) == 0)
            return &all->at[i].text;
    return &none;
}

/* ---- points ---- */

static void add_place(rpr_point *p, const trc_site *at)
{
    if (p->n >= RPR_CALLS || at->line == 0 || det_is_library(at->file))
        return;
    p->places[p->n++] =
        (rpr_place){td_strdup(at->file), td_strdup(at->function), at->line};
}

static void fill_places(const rep_finding *what, uint32_t stack, rpr_point *p)
{
    const trc *t = what->run;
    trc_site own = trc_site_at(what->sites, p->site);
    if (stack > 0 && stack < t->stacks.len) {
        const trc_stack *s = &t->stacks.at[stack];
        for (uint32_t i = 0; i < s->n; i++) {
            trc_site at[TRC_MAX_CALLS];
            size_t n =
                trc_calls_at(what->sites, t->frames.at[s->first + i], at, TRC_MAX_CALLS);
            for (size_t k = 0; k < n; k++)
                add_place(p, &at[k]);
        }
    }
    if (p->n == 0)
        add_place(p, &own);
}

static void add_point(rpr_facts *f, rpr_point_vec *to, const rep_finding *what,
                      rpr_point p, uint32_t stack)
{
    fill_places(what, stack, &p);
    p.frees = det_gives_back(trc_site_at(what->sites, p.site));
    for (uint32_t i = 0; i < p.n; i++)
        read_source(f, what->sites, p.places[i].file);
    rpr_point_vec_push(to, p);
}

/* An event of the cause, as an operation or a plain access of the run. */
static bool add_event(rpr_facts *f, const rep_finding *what, const rep_event *e)
{
    const trc *t = what->run;
    rpr_point p = {.thread = e->thread, .object = e->object, .site = e->site};
    uint32_t stack = 0;
    if (e->op < t->ops.len && t->ops.at[e->op].site == e->site &&
        t->ops.at[e->op].thread == e->thread)
        stack = t->ops.at[e->op].stack;
    for (size_t i = 0; stack == 0 && i < t->accesses.len; i++) {
        const trc_access *a = &t->accesses.at[i];
        if (a->thread == e->thread && a->site == e->site && a->before_op == e->op)
            stack = a->stack;
    }
    add_point(f, &f->points, what, p, e->in_run ? stack : 0);
    return f->points.at[f->points.len - 1].n > 0;
}

static void add_cause(rpr_facts *f, const rep_finding *what)
{
    const rep_cause *c = what->cause;
    if (!c || c->kind != REP_CAUSE_ORDER)
        return;
    if (add_event(f, what, &c->first) && add_event(f, what, &c->second))
        f->n_cause = 2;
    for (int i = 0; c->has_earlier && i < 2; i++)
        add_event(f, what, &c->earlier[i]);
}

static void add_failure(rpr_facts *f, const rep_finding *what)
{
    const trc *t = what->run;
    const det_finding *d = what->finding;
    for (size_t i = 0; i < t->waits.len; i++) {
        const trc_wait *w = &t->waits.at[i];
        add_point(f, &f->points, what,
                  (rpr_point){.thread = w->thread, .object = w->object, .site = w->site},
                  w->stack);
    }
    if (d->fail >= t->fails.len || (f->n_cause > 0 && d->kind != DET_RACE))
        return;
    const trc_fail *x = &t->fails.at[d->fail];
    const trc_party *freed = &x->parties[WIRE_BLOCK_FREED];
    if (x->kind == WIRE_FAIL_MEMORY && freed->is_known && freed->thread != x->thread &&
        f->points.len == 0) { /* like an order: the free comes before the use */
        add_point(f, &f->points, what,
                  (rpr_point){.thread = freed->thread, .site = freed->site}, 0);
        f->n_cause = 2;
    }
    add_point(f, &f->points, what,
              (rpr_point){.thread = x->thread, .object = x->object, .site = x->site},
              x->stack);
    if (x->kind != WIRE_FAIL_RACE || x->other_thread >= t->threads.len)
        return;
    rep_event other = {.thread = x->other_thread,
                       .site = x->other_site,
                       .object = x->object,
                       .op = UINT32_MAX};
    for (size_t i = 0; i < t->accesses.len; i++)
        if (t->accesses.at[i].thread == x->other_thread &&
            t->accesses.at[i].site == x->other_site) {
            other.op = t->accesses.at[i].before_op;
            other.in_run = true;
        }
    add_event(f, what, &other);
}

/* ---- locks and signals ---- */

static void add_lock(rpr_facts *f, const rep_finding *what, const trc_op *op)
{
    const char *name = trc_object_name(what->sites, op->object);
    if (!*name)
        return;
    add_point(f, &f->taken, what,
              (rpr_point){.thread = op->thread, .object = op->object, .site = op->site},
              op->stack);
    for (size_t i = 0; i < f->locks.len; i++)
        if (f->locks.at[i].object == op->object) {
            f->locks.at[i].n_taken++;
            return;
        }
    rpr_lock_vec_push(&f->locks, (rpr_lock){td_strdup(name), op->object, 1});
}

static void add_operations(rpr_facts *f, const rep_finding *what)
{
    const trc *t = what->run;
    for (size_t i = 0; i < t->ops.len; i++) {
        const trc_op *op = &t->ops.at[i];
        enum wire_does does = mdl_does(op->kind);
        if (does == WIRE_DOES_TAKE && mdl_type_of(op->kind) == WIRE_TYPE_MUTEX)
            add_lock(f, what, op);
        if (does == WIRE_DOES_WAKE && mdl_type_of(op->kind) == WIRE_TYPE_COND)
            add_point(
                f, &f->signals, what,
                (rpr_point){.thread = op->thread, .object = op->object, .site = op->site},
                op->stack);
    }
}

void rpr_facts_take(rpr_facts *f, const rep_finding *what)
{
    const det_finding *d = what->finding;
    *f = (rpr_facts){.id = td_strdup(d->id),
                     .kind = d->kind,
                     .file = td_strdup(d->user.file ? d->user.file
                                       : d->file    ? d->file
                                                    : ""),
                     .line = d->user.file ? d->user.line : d->line,
                     .is_weak = what->model && strcmp(what->model, "sc") != 0,
                     .sources = td_alloc(sizeof(rpr_sources))};
    add_cause(f, what);
    f->n_events = f->points.len;
    add_failure(f, what);
    add_operations(f, what);
}

static void points_fini(rpr_point_vec *v)
{
    for (size_t i = 0; i < v->len; i++)
        for (uint32_t k = 0; k < v->at[i].n; k++) {
            td_free(v->at[i].places[k].file);
            td_free(v->at[i].places[k].function);
        }
    rpr_point_vec_fini(v);
}

void rpr_facts_fini(rpr_facts *f)
{
    points_fini(&f->points);
    points_fini(&f->taken);
    points_fini(&f->signals);
    for (size_t i = 0; i < f->locks.len; i++)
        td_free(f->locks.at[i].name);
    rpr_lock_vec_fini(&f->locks);
    for (size_t i = 0; f->sources && i < f->sources->all.len; i++) {
        td_free(f->sources->all.at[i].file);
        td_text_fini(&f->sources->all.at[i].text);
    }
    if (f->sources)
        source_vec_fini(&f->sources->all);
    td_free(f->sources);
    td_free(f->id);
    td_free(f->file);
    *f = (rpr_facts){0};
}
