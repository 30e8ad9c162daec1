/* SPDX-License-Identifier: Apache-2.0 */
/* Candidates: which changes may end a finding, and in which order they are tried. */
#include "repair/repair_int.h"

#include <stdlib.h>
#include <string.h>

#include "base/assert.h"

#define MOST_LEVELS 4u /* functions of a thread that a section may be in */

void rpr_change_fini(rpr_change *c)
{
    trc_repair_fini(&c->repair);
    for (size_t i = 0; i < c->orders.len; i++)
        td_free(c->orders.at[i].file);
    trc_weaker_vec_fini(&c->orders);
    *c = (rpr_change){0};
}

static bool is_same(const trc_repair *a, const trc_repair *b)
{
    if (a->kind != b->kind || a->object != b->object || a->n_places != b->n_places ||
        a->count != b->count)
        return false;
    for (uint32_t i = 0; i < a->n_places; i++)
        if (a->places[i].from != b->places[i].from ||
            a->places[i].to != b->places[i].to ||
            strcmp(a->places[i].file, b->places[i].file) != 0)
            return false;
    return true;
}

/* Takes the repair over. */
static void add_repair(rpr_change_vec *out, trc_repair *r, double cost)
{
    TD_ASSERT(trc_repair_valid(r));
    for (size_t i = 0; i < out->len; i++)
        if (out->at[i].is_repair && is_same(&out->at[i].repair, r)) {
            if (cost < out->at[i].cost)
                out->at[i].cost = cost;
            trc_repair_fini(r);
            return;
        }
    rpr_change_vec_push(out, (rpr_change){.is_repair = true,
                                          .repair = *r,
                                          .restricts = r->kind != WIRE_REPAIR_WAKE_ALL,
                                          .cost = cost});
}

static trc_lines lines_of(const rpr_place *at, uint32_t from, uint32_t to)
{
    return (trc_lines){td_strdup(at->file), from, to, td_strdup(at->function)};
}

/* ---- sections ---- */

/* Ranges in one function, which has a place of each event of a thread. */
typedef struct level {
    const rpr_place *at;
    rpr_range ranges[RPR_RANGES];
    uint32_t n;
} level;

/* Some events of one thread. */
typedef struct group {
    uint32_t thread;
    size_t from, to; /* indices in points */
} group;

typedef struct thread_levels {
    group of;
    level at[MOST_LEVELS];
    uint32_t n;
} thread_levels;

static const rpr_place *place_in(const rpr_point *p, const rpr_place *function)
{
    for (uint32_t i = 0; i < p->n; i++)
        if (strcmp(p->places[i].function, function->function) == 0 &&
            strcmp(p->places[i].file, function->file) == 0)
            return &p->places[i];
    return NULL;
}

/* False: an event of the group is not in the function. */
static bool lines_in(const rpr_facts *f, const group *g, const rpr_place *function,
                     uint32_t *from, uint32_t *to)
{
    *from = UINT32_MAX;
    *to = 0;
    for (size_t i = g->from; i < g->to; i++) {
        const rpr_point *p = &f->points.at[i];
        if (p->thread != g->thread)
            continue;
        const rpr_place *at = place_in(p, function);
        if (!at)
            return false;
        *from = at->line < *from ? at->line : *from;
        *to = at->line > *to ? at->line : *to;
    }
    return *to > 0;
}

static bool has_level(const thread_levels *t, const rpr_place *at)
{
    for (uint32_t i = 0; i < t->n; i++)
        if (strcmp(t->at[i].at->function, at->function) == 0)
            return true;
    return false;
}

static void find_levels(const rpr_facts *f, group g, thread_levels *out)
{
    *out = (thread_levels){.of = g};
    for (size_t i = g.from; i < g.to; i++) {
        const rpr_point *p = &f->points.at[i];
        for (uint32_t k = 0; p->thread == g.thread && k < p->n && out->n < MOST_LEVELS;
             k++) {
            const rpr_place *at = &p->places[k];
            uint32_t from, to;
            if (has_level(out, at) || !lines_in(f, &g, at, &from, &to))
                continue;
            level *l = &out->at[out->n];
            l->at = at;
            l->n = rpr_ranges(rpr_source_of(f, at->file), from, to, l->ranges);
            out->n += l->n > 0;
        }
    }
}

/* A section in a loop is left where the loop comes round, which shows only if its first statement has no loop. */
static bool can_be_section(const rpr_range *r)
{
    return !r->blocks && !(r->is_in_loop && r->begins_with_loop);
}

static void add_section(rpr_change_vec *out, const rpr_lock *lock, const level *const *at,
                        const rpr_range *const *ranges, uint32_t n, double cost)
{
    /* Two parts of one function are one section, or two with something between: which of them is another range. */
    for (uint32_t i = 1; i < n; i++)
        if (strcmp(at[0]->at->function, at[i]->at->function) == 0 &&
            (ranges[0]->from != ranges[i]->from || ranges[0]->to != ranges[i]->to))
            return;
    trc_repair r = {.kind = WIRE_REPAIR_SECTION,
                    .lock = td_strdup(lock ? lock->name : ""),
                    .object = lock ? lock->object : 0};
    for (uint32_t i = 0; i < n; i++) {
        bool is_known = false;
        for (uint32_t k = 0; k < r.n_places; k++)
            is_known |= r.places[k].from == ranges[i]->from &&
                        r.places[k].to == ranges[i]->to &&
                        strcmp(r.places[k].file, at[i]->at->file) == 0;
        if (is_known)
            continue;
        r.places[r.n_places++] = lines_of(at[i]->at, ranges[i]->from, ranges[i]->to);
        r.is_in_loop |= ranges[i]->is_in_loop;
        cost += 0.1 * (ranges[i]->to - ranges[i]->from) + (r.n_places > 1 ? 0.3 : 0);
    }
    add_repair(out, &r, cost);
}

/* A mutex that a thread is stuck at would stand in its own way. */
static bool is_stuck_at(const rpr_facts *f, const rpr_lock *lock)
{
    for (size_t i = 0; det_is_stuck(f->kind) && i < f->points.len; i++)
        if (f->points.at[i].object == lock->object)
            return true;
    return false;
}

/* base: of candidates of this group. */
static void add_with_locks(const rpr_facts *f, const level *const *at,
                           const rpr_range *const *ranges, uint32_t n, double base,
                           rpr_change_vec *out)
{
    for (size_t k = 0; k < f->locks.len; k++)
        if (!is_stuck_at(f, &f->locks.at[k]))
            add_section(out, &f->locks.at[k], at, ranges, n, 2 + base + 0.1 * (double)k);
    add_section(out, NULL, at, ranges, n, (n > 1 ? 3 : 3.5) + base);
}

static void add_sections_of(const rpr_facts *f, const thread_levels *t, double base,
                            rpr_change_vec *out)
{
    for (uint32_t l = 0; l < t->n; l++)
        for (uint32_t i = 0; i < t->at[l].n; i++) {
            const rpr_range *r = &t->at[l].ranges[i];
            const level *at = &t->at[l];
            if (can_be_section(r))
                add_with_locks(f, &at, &r, 1, base + 0.25 * i + 0.3 * l, out);
        }
}

/* One range for each thread that can have a section, all of the same width. */
static void add_common_sections(const rpr_facts *f, const thread_levels *threads,
                                uint32_t n, double base, rpr_change_vec *out)
{
    for (uint32_t l = 0; l < 2; l++)
        for (uint32_t i = 0; i < RPR_RANGES; i++) {
            const level *at[TRC_REPAIR_PLACES];
            const rpr_range *ranges[TRC_REPAIR_PLACES];
            uint32_t m = 0;
            for (uint32_t k = 0; k < n && k < TRC_REPAIR_PLACES; k++) {
                const thread_levels *t = &threads[k];
                if (t->n == 0)
                    continue;
                at[m] = &t->at[l < t->n ? l : t->n - 1];
                ranges[m] = &at[m]->ranges[i < at[m]->n ? i : at[m]->n - 1];
                m += can_be_section(ranges[m]);
            }
            if (m > 1)
                add_with_locks(f, at, ranges, m, base + 0.2 + 0.25 * i + 0.3 * l, out);
        }
}

#define MOST_THREADS 3u

/* Sections about points [from, to). */
static void add_sections_about(const rpr_facts *f, size_t from, size_t to, double base,
                               rpr_change_vec *out)
{
    thread_levels threads[MOST_THREADS];
    uint32_t n = 0;
    for (size_t i = from; i < to && n < MOST_THREADS; i++) {
        bool is_known = false;
        for (uint32_t k = 0; k < n; k++)
            is_known |= threads[k].of.thread == f->points.at[i].thread;
        if (!is_known)
            find_levels(f, (group){f->points.at[i].thread, from, to}, &threads[n++]);
    }
    for (uint32_t i = 0; i < n; i++)
        add_sections_of(f, &threads[i], base, out);
    if (n > 1)
        add_common_sections(f, threads, n, base, out);
}

/* About the order that decides, about more events with it, about each event alone. */
static void add_sections(const rpr_facts *f, rpr_change_vec *out)
{
    size_t n = f->points.len;
    add_sections_about(f, 0, f->n_cause, 0, out);
    add_sections_about(f, 0, f->n_events, 0.05, out);
    add_sections_about(f, f->n_cause, f->n_events, 0.05, out);
    add_sections_about(f, 0, n, 0.1, out);
    add_sections_about(f, f->n_events, n, 0.1, out);
    for (size_t i = 0; i < n; i++)
        add_sections_about(f, i, i + 1, 0.2, out);
}

/* ---- other repairs ---- */

static void add_order_of(const rpr_point *early, const rpr_point *late, double cost,
                         rpr_change_vec *out)
{
    const rpr_place *a = &early->places[0], *b = &late->places[0];
    if (early->n == 0 || late->n == 0 || early->thread == late->thread ||
        (a->line == b->line && strcmp(a->file, b->file) == 0))
        return;
    trc_repair r = {
        .kind = WIRE_REPAIR_ORDER, .count = 1, .lock = td_strdup(""), .n_places = 2};
    r.places[0] = lines_of(a, a->line, a->line);
    r.places[1] = lines_of(b, b->line, b->line);
    add_repair(out, &r, cost);
}

/* The second event of the cause before the first one; of a race with a free, the other access before that. Behind
 * short sections: an order leaves fewer schedules. */
static void add_order(const rpr_facts *f, rpr_change_vec *out)
{
    bool is_race = f->kind == DET_RACE && f->points.len >= f->n_events + 2;
    const rpr_point *p = is_race ? &f->points.at[f->n_events] : NULL;
    if (f->n_cause == 2)
        add_order_of(&f->points.at[1], &f->points.at[0], 3.7, out);
    if (is_race && p[0].frees)
        add_order_of(&p[1], &p[0], 3.7, out);
    if (is_race && p[1].frees)
        add_order_of(&p[0], &p[1], 3.7, out);
}

static void add_wake_all(const rpr_facts *f, rpr_change_vec *out)
{
    for (size_t i = 0; det_is_stuck(f->kind) && i < f->signals.len; i++) {
        const rpr_place *at = &f->signals.at[i].places[0];
        if (f->signals.at[i].n == 0)
            continue;
        trc_repair r = {.kind = WIRE_REPAIR_WAKE_ALL,
                        .lock = td_strdup(""),
                        .n_places = 1};
        r.places[0] = lines_of(at, at->line, at->line);
        add_repair(out, &r, 2.4);
    }
}

/* ---- memory orders ---- */

static uint8_t stronger_of(const ses_ordered *o)
{
    bool reads = mdl_reads(o->kind), writes = mdl_writes(o->kind);
    return reads == writes ? __ATOMIC_ACQ_REL
           : reads         ? __ATOMIC_ACQUIRE
                           : __ATOMIC_RELEASE;
}

static bool can_be_stronger(const ses_ordered *o)
{
    return o->line > 0 && !mdl_has_failed(o->kind) && o->order != __ATOMIC_SEQ_CST &&
           o->order != __ATOMIC_ACQ_REL && o->order != stronger_of(o) &&
           !det_is_library(o->file);
}

static void push_order(rpr_change *c, const ses_ordered *o, uint8_t to)
{
    trc_weaker_vec_push(&c->orders, (trc_weaker){td_strdup(o->file), o->line, o->column,
                                                 o->kind, o->order, to});
}

static void add_orders(const ses_ordered_vec *all, rpr_change_vec *out)
{
    for (size_t i = 0; i < all->len; i++) {
        const ses_ordered *a = &all->at[i];
        if (!can_be_stronger(a))
            continue;
        rpr_change one = {.restricts = true, .cost = 1};
        push_order(&one, a, stronger_of(a));
        rpr_change_vec_push(out, one);
        for (size_t k = i + 1; k < all->len; k++) {
            const ses_ordered *b = &all->at[k];
            if (!can_be_stronger(b))
                continue;
            rpr_change two = {.restricts = true,
                              .cost = strcmp(a->name, b->name) == 0 ? 1.3 : 1.6};
            push_order(&two, a, stronger_of(a));
            push_order(&two, b, stronger_of(b));
            rpr_change_vec_push(out, two);
        }
    }
}

static int by_cost(const void *a, const void *b)
{
    double x = ((const rpr_change *)a)->cost, y = ((const rpr_change *)b)->cost;
    return x < y ? -1 : x > y;
}

void rpr_candidates(const rpr_facts *f, const ses_ordered_vec *orders,
                    rpr_change_vec *out)
{
    if (f->kind == DET_RACE || f->is_weak)
        add_orders(orders, out);
    add_sections(f, out);
    add_order(f, out);
    add_wake_all(f, out);
    if (out->len > 1)
        qsort(out->at, out->len, sizeof out->at[0], by_cost);
}
