/* SPDX-License-Identifier: Apache-2.0 */
#include "detect/detect_int.h"

#include "base/assert.h"

/* Each waiting thread waits for at most one other, so from each starts one path of waits.
 * It ends at a thread that does not wait, or in a cycle: the threads there are the
 * deadlock, the others its victims. */

#define NONE UINT32_MAX

typedef struct graph {
    const trc *t;
    trc_u32_vec wait_of; /* of each thread: index in t->waits, NONE */
    trc_u32_vec seen_by; /* of each thread: the thread whose path came here first, NONE */
    trc_u32_vec cycle;   /* threads on cycles, in order of discovery */
    bool *on_cycle;
} graph;

static const trc_wait *wait_of(const graph *g, uint32_t thread)
{
    uint32_t ix = g->wait_of.at[thread];
    return ix == NONE ? NULL : &g->t->waits.at[ix];
}

/* The thread that thread waits for, if that one waits as well. */
static uint32_t next_of(const graph *g, uint32_t thread)
{
    const trc_wait *w = wait_of(g, thread);
    if (!w || w->other >= g->t->threads.len || !wait_of(g, w->other))
        return NONE;
    return w->other;
}

static void mark_cycle(graph *g, uint32_t start)
{
    uint32_t thread = start;
    do {
        g->on_cycle[thread] = true;
        trc_u32_vec_push(&g->cycle, thread);
        thread = next_of(g, thread);
    } while (thread != start);
}

static void graph_init(graph *g, const trc *t)
{
    *g = (graph){.t = t, .on_cycle = td_alloc(t->threads.len)};
    for (size_t i = 0; i < t->threads.len; i++) {
        trc_u32_vec_push(&g->wait_of, NONE);
        trc_u32_vec_push(&g->seen_by, NONE);
    }
    for (size_t i = 0; i < t->waits.len; i++)
        if (t->waits.at[i].kind != 0)
            g->wait_of.at[t->waits.at[i].thread] = (uint32_t)i;
    for (uint32_t start = 0; start < t->threads.len; start++) {
        uint32_t thread = wait_of(g, start) ? start : NONE;
        while (thread != NONE && g->seen_by.at[thread] == NONE) {
            g->seen_by.at[thread] = start;
            thread = next_of(g, thread);
        }
        if (thread != NONE && g->seen_by.at[thread] == start)
            mark_cycle(g, thread);
    }
}

static void graph_fini(graph *g)
{
    trc_u32_vec_fini(&g->wait_of);
    trc_u32_vec_fini(&g->seen_by);
    trc_u32_vec_fini(&g->cycle);
    td_free(g->on_cycle);
}

/* ---- the sentence ---- */

static void put_name(td_text *out, const trc_wait *w, trc_sites *sites)
{
    const char *name = trc_site_at(sites, w->site).name;
    if (!name[0])
        name = trc_object_name(sites, w->object);
    if (name[0])
        td_text_add(out, "'%s'", name);
    else
        td_text_add(out, "a mutex");
}

static void put_cycle(td_text *out, const graph *g, trc_sites *sites)
{
    uint32_t n_joins = 0;
    for (size_t i = 0; i < g->cycle.len; i++)
        n_joins += wait_of(g, g->cycle.at[i])->kind == WIRE_JOIN;
    if (g->cycle.len > 1) {
        td_text_add(out, "%zu threads wait for each other%s", g->cycle.len,
                    n_joins == g->cycle.len ? " in join" : "");
        return;
    }
    const trc_wait *w = wait_of(g, g->cycle.at[0]);
    det_thread_put(out, w->thread);
    td_text_add(out, n_joins ? " joins itself" : " waits for ");
    if (!n_joins) {
        put_name(out, w, sites);
        td_text_add(out, ", which it holds itself");
    }
}

/* One thread that waits, and is on no cycle. */
static void put_waiter(td_text *out, const graph *g, const trc_wait *w, trc_sites *sites)
{
    det_thread_put(out, w->thread);
    if (w->kind == WIRE_JOIN) {
        td_text_add(out, " waits in join");
        return;
    }
    td_text_add(out, " waits for ");
    put_name(out, w, sites);
    if (w->other >= g->t->threads.len)
        return;
    td_text_add(out, " held by ");
    det_thread_put(out, w->other);
    if (g->t->threads.at[w->other].end_op != UINT32_MAX)
        td_text_add(out, ", which has ended");
}

/* Those on no cycle that wait in join, or those that do not. */
static void put_others(td_text *out, const graph *g, trc_sites *sites, bool joins)
{
    const trc_wait *first = NULL;
    size_t n = 0;
    for (uint32_t i = 0; i < g->t->threads.len; i++) {
        const trc_wait *w = wait_of(g, i);
        if (!w || g->on_cycle[i] || (w->kind == WIRE_JOIN) != joins)
            continue;
        first = first ? first : w;
        n++;
    }
    if (n == 0)
        return;
    if (out->len > strlen("deadlock: "))
        td_text_add(out, ", ");
    if (n == 1)
        put_waiter(out, g, first, sites);
    else
        td_text_add(out, "%zu threads wait %s", n, joins ? "in join" : "for a mutex");
}

static char *message(const graph *g, trc_sites *sites)
{
    td_text out = {0};
    td_text_add(&out, "deadlock: ");
    if (g->cycle.len > 0)
        put_cycle(&out, g, sites);
    put_others(&out, g, sites, false);
    put_others(&out, g, sites, true);
    if (out.len == strlen("deadlock: "))
        td_text_add(&out, "no thread can go on");
    return out.at;
}

/* ---- the finding ---- */

/* What makes the bug: the cycle; without one those that wait for anything but a join;
 * without them all. */
static bool counts(const graph *g, uint32_t thread, bool any_lock)
{
    const trc_wait *w = wait_of(g, thread);
    if (!w)
        return false;
    if (g->cycle.len > 0)
        return g->on_cycle[thread];
    return !any_lock || w->kind != WIRE_JOIN;
}

static bool any_lock_wait(const graph *g)
{
    for (uint32_t i = 0; i < g->t->threads.len; i++)
        if (wait_of(g, i) && wait_of(g, i)->kind != WIRE_JOIN)
            return true;
    return false;
}

void det_deadlock(const trc *t, trc_sites *sites, det_finding *out)
{
    graph g;
    graph_init(&g, t);
    *out = (det_finding){.fail = UINT32_MAX};
    det_place_vec places = {0};
    det_place at = det_place_of(trc_site_at(sites, 0));
    bool any_lock = any_lock_wait(&g);
    for (uint32_t i = 0; i < t->threads.len; i++) {
        if (!counts(&g, i, any_lock))
            continue;
        det_place place = det_place_of(trc_site_at(sites, wait_of(&g, i)->site));
        if (places.len == 0 || det_place_compare(&place, &at) < 0) {
            at = place;
            out->thread = i;
        }
        det_place_vec_push(&places, place);
    }
    if (places.len == 0)
        det_place_vec_push(&places, at);
    det_finding_place(out, DET_DEADLOCK, at, places.at, places.len);
    out->message = message(&g, sites);
    det_place_vec_fini(&places);
    graph_fini(&g);
}
