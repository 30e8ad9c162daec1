/* SPDX-License-Identifier: Apache-2.0 */
#include "unfold/unfold_int.h"

/* Deadlocks in the structure: threads that wait for each other, or for a lock whose holder has ended, in a
 * configuration that perhaps no run has executed. A pthread_once initialisation counts as a lock held by the
 * thread that executes it.
 *
 * A waiting history wants a mutex, or the end of a thread; it holds mutexes and the end of its own thread.
 * The states in which a history is blocked are known (the list blocked of a state), so the histories that
 * wait for x are found in the lists of the states that x holds. A cycle is found when the last of its
 * histories is new: by a search backwards from it, in which all collected histories must be compatible.
 *
 * A program's text has few waits, but there are many histories. A wait is the class of all histories at the
 * same place of the same thread that want the same object and hold the same ones. A cycle of waits is
 * reported once, and a history is examined only if its wait lies on a cycle of waits that has not been
 * reported. */

typedef struct wait_kind {
    uint32_t thread, site, wanted;
    uint32_t held, n_held; /* in stuck.objects: the thread's end, then mutexes, sorted */
} wait_kind;

TD_VEC(wait_kind, wait_vec);

struct unf_lock_cycles {
    wait_vec waits;
    unf_vec objects;
    td_id_set reported; /* cycles, as sums of hashes of waits */
    unf_vec leaks;      /* ENDs of threads that hold something */
    unf_cfg *cfg;
    unf_vec path;  /* histories */
    unf_vec kinds; /* their waits */
    bool any_join; /* a thread may wait for another one's end and be waited for itself */
};

unf_lock_cycles *unf_lock_cycles_new(unf *u)
{
    unf_lock_cycles *s = td_alloc(sizeof *s);
    s->cfg = unf_cfg_new(u);
    return s;
}

void unf_lock_cycles_free(unf_lock_cycles *s)
{
    wait_vec_fini(&s->waits);
    unf_vec_fini(&s->objects);
    td_id_set_fini(&s->reported);
    unf_vec_fini(&s->leaks);
    unf_cfg_free(s->cfg);
    unf_vec_fini(&s->path);
    unf_vec_fini(&s->kinds);
    td_free(s);
}

/* ---- waits ---- */

static bool wait_equal(const unf_lock_cycles *s, const wait_kind *a, const wait_kind *b)
{
    return a->thread == b->thread && a->site == b->site && a->wanted == b->wanted &&
           a->n_held == b->n_held &&
           memcmp(s->objects.at + a->held, s->objects.at + b->held,
                  a->n_held * sizeof(uint32_t)) == 0;
}

static uint32_t wait_of(unf *u, uint32_t history)
{
    unf_lock_cycles *s = u->lock_cycles;
    const unf_node *h = node_at(u, history);
    TD_DASSERT(h->status == UNF_EXECUTED && h->next_object != UNF_NONE);
    wait_kind w = {.thread = h->thread,
                   .site = unf_spot_of(u, history).site,
                   .wanted = h->next_object,
                   .held = (uint32_t)s->objects.len};
    unf_vec_push(&s->objects, u->threads.at[h->thread].object);
    w.n_held = 1 + unf_held_objects(u, history, &s->objects);
    for (uint32_t i = 0; i < s->waits.len; i++)
        if (wait_equal(s, &s->waits.at[i], &w)) {
            s->objects.len = w.held;
            return i;
        }
    wait_vec_push(&s->waits, w);
    return (uint32_t)s->waits.len - 1;
}

static bool wait_holds(const unf_lock_cycles *s, uint32_t wait, uint32_t object)
{
    const wait_kind *w = &s->waits.at[wait];
    for (uint32_t i = 0; i < w->n_held; i++)
        if (s->objects.at[w->held + i] == object)
            return true;
    return false;
}

/* True if two threads can be in these waits at the same time, as far as locks go. */
static bool waits_fit(const unf_lock_cycles *s, uint32_t a, uint32_t b)
{
    const wait_kind *w = &s->waits.at[a];
    if (w->thread == s->waits.at[b].thread)
        return false;
    for (uint32_t i = 0; i < w->n_held; i++)
        if (wait_holds(s, b, s->objects.at[w->held + i]))
            return false;
    return true;
}

static bool fits_path(const unf_lock_cycles *s, uint32_t wait)
{
    for (size_t i = 0; i < s->kinds.len; i++)
        if (!waits_fit(s, wait, s->kinds.at[i]))
            return false;
    return true;
}

static td_id cycle_id(const unf_lock_cycles *s)
{
    td_id sum = {0};
    for (size_t i = 0; i < s->kinds.len; i++)
        sum = td_id_sum(sum, td_id_hash(&s->kinds.at[i], sizeof(uint32_t)));
    return sum;
}

/* True if kinds can be closed to a cycle of waits that was not reported. */
static bool can_close(unf_lock_cycles *s)
{
    TD_DASSERT(s->kinds.len > 0 && s->kinds.len <= s->waits.len);
    uint32_t last = s->kinds.at[s->kinds.len - 1];
    if (s->kinds.len > 1 && wait_holds(s, last, s->waits.at[s->kinds.at[0]].wanted) &&
        !td_id_set_has(&s->reported, cycle_id(s)))
        return true;
    bool found = false;
    for (uint32_t w = 0; w < s->waits.len && !found; w++) {
        if (!wait_holds(s, last, s->waits.at[w].wanted) || !fits_path(s, w))
            continue;
        unf_vec_push(&s->kinds, w);
        found = can_close(s);
        s->kinds.len--;
    }
    return found;
}

/* ---- histories ---- */

static void report(unf *u)
{
    const unf_vec *path = &u->lock_cycles->path;
    TD_ASSERT(path->len >= 2 && u->lock_cycles->kinds.len > 0);
    td_id_set_add(&u->lock_cycles->reported, cycle_id(u->lock_cycles));
    unf_suspect_add(u, path->at, (uint32_t)path->len, UNF_STUCK);
}

/* True if all threads on the path are still at their waits. */
static bool all_stand(unf *u)
{
    const unf_lock_cycles *s = u->lock_cycles;
    for (size_t i = 0; i < s->path.len; i++) {
        const unf_node *h = node_at(u, s->path.at[i]);
        if (unf_cfg_depth(s->cfg, h->thread) != h->depth)
            return false;
    }
    return true;
}

/* True if no thread on the path would continue all the same. */
static bool all_wait(unf *u)
{
    const unf_lock_cycles *s = u->lock_cycles;
    for (size_t i = 0; i < s->path.len; i++)
        if (unf_endless_waits_goes_on(u, s->cfg, s->path.at[i]))
            return false;
    return true;
}

static void search_from(unf *u);

/* history waits for a state that the last one on the path holds. */
static void try_waiter(unf *u, uint32_t history)
{
    unf_lock_cycles *s = u->lock_cycles;
    if (td_stops(u->stop))
        return;
    TD_ASSERT(s->path.len == s->kinds.len);
    uint32_t wait = wait_of(u, history);
    if (!fits_path(s, wait))
        return;
    unf_vec_push(&s->kinds, wait);
    if (can_close(s) && unf_cfg_free_at(s->cfg, history)) {
        size_t len = unf_cfg_len(s->cfg);
        unf_cfg_add(s->cfg, history);
        unf_vec_push(&s->path, history);
        if (all_stand(u)) {
            bool closes = wait_holds(s, wait, s->waits.at[s->kinds.at[0]].wanted);
            if (!closes || td_id_set_has(&s->reported, cycle_id(s)))
                search_from(u);
            else if (all_wait(u) && unf_feasible(u, s->cfg))
                report(u);
        }
        TD_DASSERT(s->path.at[s->path.len - 1] == history);
        s->path.len--;
        unf_cfg_cut(s->cfg, len);
    }
    s->kinds.len--;
}

static void try_waiters(unf *u, uint32_t state)
{
    for (uint32_t g = node_at(u, state)->groups; g; g = u->groups.at[g].next)
        for (uint32_t l = u->groups.at[g].blocked; l; l = u->links.at[l].next)
            try_waiter(u, u->links.at[l].event);
}

static void search_from(unf *u)
{
    uint32_t last = u->lock_cycles->path.at[u->lock_cycles->path.len - 1];
    for (uint32_t l = node_at(u, last)->held; l; l = u->links.at[l].next)
        try_waiters(u, u->links.at[l].event);
    if (u->lock_cycles->any_join)
        try_waiters(u, unf_start_of(u, last));
}

/* True if what a thread that ended holds keeps history from its lock: readers do not keep
 * readers. */
static bool keeps_off(const unf *u, const unf_node *end, const unf_node *history)
{
    for (uint32_t l = end->held; l; l = u->links.at[l].next) {
        const unf_node *n = node_at(u, u->links.at[l].event);
        if (n->object == history->next_object)
            return !mdl_takes_to_read(n->kind) || !mdl_takes_to_read(history->next_kind);
    }
    return false;
}

/* Tries the case that a thread ended while it holds what history wants. */
static void try_leak(unf *u, uint32_t history, uint32_t end)
{
    unf_lock_cycles *s = u->lock_cycles;
    const unf_node *h = node_at(u, history), *e = node_at(u, end);
    TD_ASSERT(s->path.len == 0 && s->kinds.len == 0 && mdl_ends(e->kind));
    if (!keeps_off(u, e, h) || h->thread == e->thread)
        return;
    unf_vec_push(&s->kinds, wait_of(u, history));
    if (!td_id_set_has(&s->reported, cycle_id(s))) {
        unf_cfg_clear(s->cfg);
        unf_cfg_add(s->cfg, end);
        if (unf_cfg_free_at(s->cfg, history)) {
            unf_cfg_add(s->cfg, history);
            unf_vec_push(&s->path, history);
            unf_vec_push(&s->path, end);
            if (!unf_endless_waits_goes_on(u, s->cfg, history) && unf_feasible(u, s->cfg))
                report(u);
        }
    }
    unf_vec_clear(&s->path);
    unf_vec_clear(&s->kinds);
}

static void leak_end(unf *u, uint32_t end)
{
    unf_vec_push(&u->lock_cycles->leaks, end);
    for (uint32_t l = node_at(u, end)->held; l; l = u->links.at[l].next)
        for (uint32_t g = node_at(u, u->links.at[l].event)->groups; g;
             g = u->groups.at[g].next)
            for (uint32_t b = u->groups.at[g].blocked; b; b = u->links.at[b].next)
                try_leak(u, u->links.at[b].event, end);
}

void unf_lock_cycles_look(unf *u, uint32_t event)
{
    unf_lock_cycles *s = u->lock_cycles;
    const unf_node *n = node_at(u, event);
    TD_ASSERT(s->path.len == 0 && s->kinds.len == 0 && n->status == UNF_EXECUTED);
    if (mdl_ends(n->kind) && n->held)
        leak_end(u, event);
    bool locks = mdl_waits_to_hold(n->next_kind);
    if (!locks && !mdl_joins(n->next_kind))
        return;
    s->any_join |= mdl_joins(n->next_kind) && n->held;
    for (size_t i = 0; locks && i < s->leaks.len; i++)
        try_leak(u, event, s->leaks.at[i]);
    if (!n->held && !s->any_join)
        return;
    unf_vec_push(&s->kinds, wait_of(u, event));
    if (can_close(s)) {
        unf_cfg_clear(s->cfg);
        unf_cfg_add(s->cfg, event);
        unf_vec_push(&s->path, event);
        search_from(u);
    }
    unf_vec_clear(&s->path);
    unf_vec_clear(&s->kinds);
}
