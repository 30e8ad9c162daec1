/* SPDX-License-Identifier: Apache-2.0 */
/* Threads that wait forever: a finding for each cause, be it a cycle or a wait that no thread ends. */
#include "detect/detect_int.h"

#include "base/assert.h"

/* Each waiting thread waits for at most one other, so one path of waits starts at each. It ends in a cycle,
 * or at a thread that waits for something that no thread will provide, such as a mutex whose holder has
 * ended. These ends are the causes, and each is a finding; the other threads on the paths are the victims of
 * their cause. So a finding does not depend on the other stuck threads of its run. */

#define NONE UINT32_MAX

/* A cause: a cycle through thread, or a thread on no cycle. */
typedef struct cause {
    uint32_t thread;
    bool is_cycle;
    uint32_t len; /* threads on the cycle */
} cause;

TD_VEC(cause, cause_vec);

typedef struct graph {
    const trc *t;
    trc_u32_vec wait_of;  /* by thread: index in t->waits, NONE */
    trc_u32_vec seen_by;  /* by thread: the thread whose path came here first, NONE */
    trc_u32_vec cause_of; /* by waiting thread: index in causes */
    bool *on_cycle;
    cause_vec causes; /* in order of discovery */
} graph;

static const trc_wait *wait_of(const graph *g, uint32_t thread)
{
    uint32_t ix = g->wait_of.at[thread];
    return ix == NONE ? NULL : &g->t->waits.at[ix];
}

/* Returns the thread for which `thread` waits, if it waits itself. */
static uint32_t next_of(const graph *g, uint32_t thread)
{
    const trc_wait *w = wait_of(g, thread);
    if (!w || w->other >= g->t->threads.len || !wait_of(g, w->other))
        return NONE;
    return w->other;
}

/* The cause at the end of a path that came to nothing known: thread is where the path met
 * itself, or NONE, and last the end of it. */
static uint32_t cause_add(graph *g, uint32_t thread, uint32_t last)
{
    cause c = {.thread = thread == NONE ? last : thread, .is_cycle = thread != NONE};
    for (uint32_t at = thread; c.is_cycle && !g->on_cycle[at]; at = next_of(g, at)) {
        g->on_cycle[at] = true;
        c.len++;
    }
    TD_ASSERT(c.is_cycle == (c.len > 0));
    cause_vec_push(&g->causes, c);
    return (uint32_t)g->causes.len - 1;
}

/* Finds the cause of start, and so of all threads on its path. */
static void path_walk(graph *g, uint32_t start)
{
    TD_ASSERT(wait_of(g, start) && g->seen_by.at[start] == NONE);
    uint32_t thread = start, last = start;
    while (thread != NONE && g->seen_by.at[thread] == NONE) {
        g->seen_by.at[thread] = start;
        last = thread;
        thread = next_of(g, thread);
    }
    uint32_t found = thread == NONE || g->seen_by.at[thread] == start
                         ? cause_add(g, thread, last)
                         : g->cause_of.at[thread];
    TD_ASSERT(found < g->causes.len);
    for (thread = start; thread != NONE && g->cause_of.at[thread] == NONE;
         thread = next_of(g, thread))
        g->cause_of.at[thread] = found;
}

static void graph_init(graph *g, const trc *t)
{
    *g = (graph){.t = t, .on_cycle = td_alloc(t->threads.len)};
    for (size_t i = 0; i < t->threads.len; i++) {
        trc_u32_vec_push(&g->wait_of, NONE);
        trc_u32_vec_push(&g->seen_by, NONE);
        trc_u32_vec_push(&g->cause_of, NONE);
    }
    for (size_t i = 0; i < t->waits.len; i++)
        if (t->waits.at[i].kind != 0)
            g->wait_of.at[t->waits.at[i].thread] = (uint32_t)i;
    for (uint32_t start = 0; start < t->threads.len; start++)
        if (wait_of(g, start) && g->seen_by.at[start] == NONE)
            path_walk(g, start);
}

static void graph_fini(graph *g)
{
    trc_u32_vec_fini(&g->wait_of);
    trc_u32_vec_fini(&g->seen_by);
    trc_u32_vec_fini(&g->cause_of);
    cause_vec_fini(&g->causes);
    td_free(g->on_cycle);
}

/* True if the thread is the cause or on its cycle. */
static bool is_of(const graph *g, uint32_t thread, uint32_t ix)
{
    TD_ASSERT(ix < g->causes.len);
    const cause *c = &g->causes.at[ix];
    return g->cause_of.at[thread] == ix &&
           (c->is_cycle ? g->on_cycle[thread] : thread == c->thread);
}

/* ---- the message ---- */

const char *det_wait_text(uint8_t kind)
{
    switch (mdl_type_of(kind)) {
    case WIRE_TYPE_COND:
        return "a signal on ";
    case WIRE_TYPE_SEM:
        return "a post to ";
    case WIRE_TYPE_BARRIER:
        return "other threads at ";
    case WIRE_TYPE_FUTEX:
        return "a wakeup on ";
    case WIRE_TYPE_FD:
        return "another thread on ";
    case WIRE_TYPE_ONCE:
        return "the end of ";
    default:
        return "";
    }
}

const char *det_object_text(uint8_t kind)
{
    switch (mdl_type_of(kind)) {
    case WIRE_TYPE_COND:
        return "a condition variable";
    case WIRE_TYPE_SEM:
        return "a semaphore";
    case WIRE_TYPE_BARRIER:
        return "a barrier";
    case WIRE_TYPE_RWLOCK:
        return "a read-write lock";
    case WIRE_TYPE_FUTEX:
        return "a futex";
    case WIRE_TYPE_FD:
        return "a descriptor";
    case WIRE_TYPE_ONCE:
        return "a pthread_once call";
    case WIRE_TYPE_SIGNALS:
        return "a signal";
    default:
        return "a mutex";
    }
}

static void put_name(td_text *out, const trc_wait *w, trc_sites *sites)
{
    trc_site site = trc_site_at(sites, w->site);
    /* The argument of poll or select is a list of what is waited for. */
    bool is_list = strstr(site.callee, "poll") || strstr(site.callee, "select");
    const char *name = is_list ? "" : site.name;
    if (!name[0])
        name = trc_object_name(sites, w->object);
    td_text_add(out, "%s", det_wait_text(w->kind));
    if (name[0])
        td_text_add(out, "'%s'", name);
    else
        td_text_add(out, "%s", det_object_text(w->kind));
}

/* The operation of the thread that was undone last, or NULL. */
static const trc_op *last_spin(const trc *t, uint32_t thread)
{
    for (size_t i = t->ops.len; i-- > 0;)
        if (mdl_spins(t->ops.at[i].kind) && t->ops.at[i].thread == thread)
            return &t->ops.at[i];
    return NULL;
}

/* A thread in its loop: what it reads, or tries to take. */
static void put_loop(td_text *out, const trc *t, const trc_wait *w, trc_sites *sites)
{
    const trc_op *op = last_spin(t, w->thread);
    if (!op) {
        td_text_add(out, " spins in a loop that no thread can end");
        return;
    }
    const char *name = trc_site_at(sites, op->site).name;
    bool takes = mdl_locks_mutex(op->turned);
    if (!name[0])
        name = trc_object_name(sites, w->object);
    td_text_add(out, " spins %s ", takes ? "locking" : "reading");
    if (name[0])
        td_text_add(out, "'%s'", name);
    else
        td_text_add(out, takes ? "a mutex" : "memory");
    td_text_add(out, takes ? ", which no other thread will lock"
                           : ", which no other thread will change");
}

static void put_cycle(td_text *out, const graph *g, const cause *c, trc_sites *sites)
{
    uint32_t n_joins = 0, thread = c->thread;
    for (uint32_t i = 0; i < c->len; i++, thread = next_of(g, thread))
        n_joins += mdl_joins(wait_of(g, thread)->kind);
    if (c->len > 1) {
        td_text_add(out, "%u threads wait for each other%s", c->len,
                    n_joins == c->len ? " in join" : "");
        return;
    }
    det_thread_put(out, c->thread);
    td_text_add(out, n_joins ? " joins itself" : " waits for ");
    if (!n_joins) {
        put_name(out, wait_of(g, c->thread), sites);
        td_text_add(out, ", which it holds itself");
    }
}

/* One thread that waits, and is on no cycle. */
static void put_waiter(td_text *out, const graph *g, const trc_wait *w, trc_sites *sites)
{
    det_thread_put(out, w->thread);
    if (mdl_joins(w->kind)) {
        td_text_add(out, " waits in join");
        return;
    }
    if (mdl_spins(w->kind)) {
        put_loop(out, g->t, w, sites);
        return;
    }
    td_text_add(out, " waits for ");
    put_name(out, w, sites);
    if (w->other >= g->t->threads.len)
        return;
    td_text_add(out, " held by ");
    det_thread_put(out, w->other);
    if (g->t->threads.at[w->other].end_op != UINT32_MAX)
        td_text_add(out, ", which has exited");
}

/* What a victim waits for. */
typedef enum victims { FOR_LOCK, FOR_JOIN } victims;

static void put_victims(td_text *out, const graph *g, uint32_t ix, victims which,
                        trc_sites *sites)
{
    const trc_wait *first = NULL;
    size_t n = 0;
    for (uint32_t i = 0; i < g->t->threads.len; i++) {
        const trc_wait *w = wait_of(g, i);
        if (!w || g->cause_of.at[i] != ix || is_of(g, i, ix) ||
            mdl_joins(w->kind) != (which == FOR_JOIN))
            continue;
        first = first ? first : w;
        n++;
    }
    if (n == 0)
        return;
    td_text_add(out, ", ");
    if (n == 1)
        put_waiter(out, g, first, sites);
    else
        td_text_add(out, "%zu threads wait %s", n,
                    which == FOR_JOIN ? "in join" : "for a mutex");
}

static bool is_loop(const graph *g, const cause *c)
{
    return mdl_spins(wait_of(g, c->thread)->kind);
}

static char *message(const graph *g, uint32_t ix, trc_sites *sites)
{
    const cause *c = &g->causes.at[ix];
    td_text out = {0};
    td_text_add(&out, is_loop(g, c) ? "livelock: " : "deadlock: ");
    if (c->is_cycle)
        put_cycle(&out, g, c, sites);
    else
        put_waiter(&out, g, wait_of(g, c->thread), sites);
    put_victims(&out, g, ix, FOR_LOCK, sites);
    put_victims(&out, g, ix, FOR_JOIN, sites);
    return out.at;
}

/* ---- findings ---- */

static const det_place no_cycle = {"", "no cycle", 0};

static void find_cause(const graph *g, uint32_t ix, trc_sites *sites, det_finding *out)
{
    *out = (det_finding){.fail = UINT32_MAX};
    det_place_vec places = {0};
    det_spot_vec spots = {0}; /* spots.at[0] is at */
    det_place at = {0};
    for (uint32_t i = 0; i < g->t->threads.len; i++) {
        if (!is_of(g, i, ix))
            continue;
        const trc_wait *w = wait_of(g, i);
        det_place place = det_place_of(trc_site_at(sites, w->site));
        det_spot_vec_push(&spots, (det_spot){place, i, w->site, w->stack});
        if (places.len == 0 || det_place_compare(&place, &at) < 0) {
            at = place;
            out->thread = i;
            det_spot first = spots.at[0];
            spots.at[0] = spots.at[spots.len - 1];
            spots.at[spots.len - 1] = first;
        }
        det_place_vec_push(&places, place);
    }
    TD_ASSERT(places.len == (g->causes.at[ix].is_cycle ? g->causes.at[ix].len : 1));
    /* A cycle at the same line is another bug. */
    if (!g->causes.at[ix].is_cycle) {
        det_place_vec_push(&places, no_cycle);
        det_spot_vec_push(&spots, (det_spot){.place = no_cycle});
    }
    det_finding_place(out, is_loop(g, &g->causes.at[ix]) ? DET_LIVELOCK : DET_DEADLOCK,
                      at, places.at, places.len);
    det_finding_name(out, g->t, sites, spots.at, spots.len);
    det_spot_vec_fini(&spots);
    out->message = message(g, ix, sites);
    det_place_vec_fini(&places);
}

/* Makes the finding for a run that did not record what its threads wait for. */
static void find_unknown(trc_sites *sites, det_finding *out)
{
    det_place place = det_place_of(trc_site_at(sites, 0));
    *out = (det_finding){.fail = UINT32_MAX};
    det_finding_place(out, DET_DEADLOCK, place, &place, 1);
    out->message = td_strdup("deadlock: no thread is enabled");
}

static bool is_among(const det_finding *f, const det_finding *all, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(f->key, all[i].key) == 0)
            return true;
    return false;
}

void det_deadlocks(const trc *t, trc_sites *sites, det_finding_vec *out)
{
    TD_ASSERT(trc_is_stuck(t));
    graph g;
    size_t first = out->len;
    det_finding found = {0};
    graph_init(&g, t);
    if (g.causes.len == 0) {
        find_unknown(sites, &found);
        det_finding_vec_push(out, found);
    }
    for (uint32_t i = 0; i < g.causes.len; i++) {
        find_cause(&g, i, sites, &found);
        if (out->len > first && is_among(&found, out->at + first, out->len - first))
            det_finding_fini(&found);
        else
            det_finding_vec_push(out, found);
    }
    graph_fini(&g);
}
