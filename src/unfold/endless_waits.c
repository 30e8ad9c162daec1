/* SPDX-License-Identifier: Apache-2.0 */
#include "unfold/unfold_int.h"

/* Threads that wait for something that no thread will do: to be woken, to post a semaphore, to release a
 * read lock. The thread that could let such a thread continue is not determined by the wait, as it can for a
 * lock. So this is a search for configurations in which every thread has ended or waits, one of them in this
 * way; it runs when no target remains, since then all events are known. A thread is placed at each of its
 * last histories that fits with those placed before it. A place in the program's text where a run was seen
 * to wait forever is not searched again. The number of configurations can be huge: the search has a limit,
 * and reports what it leaves out as a loss. */

enum { MOST_OF_ONE = 200000, MOST_AN_EVENT = 64, MOST_OF_ALL = 4000000 };

struct unf_endless_waits {
    bool any;      /* a thread waits for what is searched here */
    bool is_new;   /* a run came in since the last search */
    unf_vec shown; /* sites at which a run waits forever */
    unf_vec asked; /* sites for which a run was asked for */
    unf_cfg *cfg;
    unf_vec path;   /* histories of the threads placed */
    unf_vec finals; /* last histories of the threads being placed */
    unf_vec sent;   /* pairs of an event that sends something and the thread it is for */
    bool *is_kept;  /* by object: a thread may wait or end while it holds it */
    uint64_t cost, most;
};

unf_endless_waits *unf_endless_waits_new(unf *u)
{
    unf_endless_waits *s = td_alloc(sizeof *s);
    s->cfg = unf_cfg_new(u);
    return s;
}

void unf_endless_waits_free(unf_endless_waits *s)
{
    unf_vec_fini(&s->shown);
    unf_vec_fini(&s->asked);
    unf_vec_fini(&s->path);
    unf_vec_fini(&s->finals);
    unf_vec_fini(&s->sent);
    unf_cfg_free(s->cfg);
    td_free(s);
}

/* ---- what is searched ---- */

void unf_endless_waits_note(unf *u, uint8_t next_kind)
{
    u->endless_waits->any |= mdl_waits_for_anybody(next_kind);
}

void unf_endless_waits_learn(unf *u, const trc *t)
{
    unf_vec *shown = &u->endless_waits->shown;
    u->endless_waits->is_new = true;
    for (size_t i = 0; t->done == WIRE_DONE_DEADLOCK && i < t->waits.len; i++)
        if (mdl_waits_for_anybody(t->waits.at[i].kind) &&
            t->waits.at[i].other == UINT32_MAX &&
            !unf_is_among(shown->at, shown->len, t->waits.at[i].site))
            unf_vec_push(shown, t->waits.at[i].site);
}

/* ---- what does not last ---- */

void unf_endless_waits_sent(unf *u, uint32_t event, uint32_t thread)
{
    TD_ASSERT(thread < u->threads.len && mdl_sends(node_at(u, event)->kind));
    unf_vec_push(&u->endless_waits->sent, event);
    unf_vec_push(&u->endless_waits->sent, thread);
}

/* A signal that the thread has noticed is in its past. */
bool unf_endless_waits_goes_on(unf *u, const unf_cfg *c, uint32_t history)
{
    const unf_vec *sent = &u->endless_waits->sent;
    TD_DASSERT(sent->len % 2 == 0);
    uint8_t patience = unf_spot_of(u, history).patience;
    if (patience & WIRE_F_PATIENT)
        return true;
    for (size_t i = 0; patience && i < sent->len; i += 2) {
        uint32_t event = sent->at[i];
        bool cancels = mdl_cancels(node_at(u, event)->kind);
        if (sent->at[i + 1] != node_at(u, history)->thread || !unf_cfg_has(c, event) ||
            !(patience & (cancels ? WIRE_F_CANCELLABLE : WIRE_F_INTERRUPTIBLE)))
            continue;
        if (cancels || !unf_before(u, event, history))
            return true;
    }
    return false;
}

/* ---- last histories ---- */

static bool has_ended(const unf_node *n)
{
    return mdl_ends(n->kind) || mdl_ends(n->next_kind);
}

/* True if the thread may stay there forever, whatever the others do. */
static bool is_final(const unf *u, uint32_t history)
{
    const unf_node *n = node_at(u, history);
    if (n->status != UNF_EXECUTED || (n->flags & NODE_LAST) ||
        (unf_spot_of(u, history).patience & WIRE_F_PATIENT))
        return false;
    if (has_ended(n) || unf_silent_joins_skips(u, history))
        return true;
    if (unf_may_spin(u, history))
        return true;
    if (!mdl_may_wait(n->next_kind))
        return false;
    bool by_holder =
        mdl_waits_to_hold(n->next_kind) && !mdl_waits_for_readers(n->next_kind);
    TD_DASSERT(u->endless_waits->is_kept && n->next_object < u->objects.len);
    return !by_holder || u->endless_waits->is_kept[n->next_object];
}

/* Locks that are held in waits, or forever. */
static void find_kept(unf *u)
{
    TD_ASSERT(!u->endless_waits->is_kept);
    u->endless_waits->is_kept = td_alloc(u->objects.len + 1);
    for (uint32_t i = 0; i < u->nodes.len; i++) {
        const unf_node *n = node_at(u, i);
        if (n->status != UNF_EXECUTED || !(mdl_may_wait(n->next_kind) || has_ended(n)))
            continue;
        for (uint32_t l = n->held; l; l = u->links.at[l].next)
            u->endless_waits->is_kept[node_at(u, u->links.at[l].event)->object] = true;
    }
}

/* ---- the configuration ---- */

static bool ended_in(unf_endless_waits *s, const unf *u, uint32_t thread)
{
    uint32_t top = unf_cfg_top(s->cfg, thread);
    return top != UNF_NONE && has_ended(node_at(u, top));
}

/* It only joins from here on; one of those it joins has not ended. */
static bool joins_for_ever(unf_endless_waits *s, const unf *u, uint32_t thread)
{
    const unf_vec *joins = &u->threads.at[thread].joins;
    for (size_t i = 0; i < joins->len; i++)
        if (unf_cfg_top(s->cfg, joins->at[i]) != UNF_NONE &&
            !ended_in(s, u, joins->at[i]))
            return true;
    return false;
}

static bool stays(unf *u, uint32_t history)
{
    unf_endless_waits *s = u->endless_waits;
    const unf_node *n = node_at(u, history);
    if (has_ended(n))
        return true;
    if (unf_endless_waits_goes_on(u, s->cfg, history))
        return false;
    if (unf_silent_joins_skips(u, history))
        return joins_for_ever(s, u, n->thread);
    return unf_waits(u, history, unf_cfg_state(s->cfg, n->next_object)) ||
           (mdl_waits_for_readers(n->next_kind) &&
            unf_cfg_has_reader(s->cfg, n->next_object));
}

/* True if the history waits without a known thread to wait for. A writer that waits for another writer waits
 * for that one. */
static bool waits_for_nobody(const unf *u, uint32_t history)
{
    const unf_node *n = node_at(u, history);
    return !mdl_waits_for_readers(n->next_kind) ||
           unf_cfg_has_reader(u->endless_waits->cfg, n->next_object);
}

/* The first one placed is the one that is searched for. */
static bool all_stay(unf *u)
{
    TD_ASSERT(u->endless_waits->path.len > 0);
    if (!waits_for_nobody(u, u->endless_waits->path.at[0]))
        return false;
    for (size_t i = 0; i < u->endless_waits->path.len; i++)
        if (!stays(u, u->endless_waits->path.at[i]))
            return false;
    return unf_feasible(u, u->endless_waits->cfg);
}

/* A thread that was woken stays so, until it continues. */
static bool is_woken(const unf *u, uint32_t history)
{
    const unf_node *n = node_at(u, history);
    return mdl_when_of(n->next_kind) == MDL_WHEN_W &&
           unf_is_woken(u, unf_cfg_state(u->endless_waits->cfg, n->next_object),
                        n->thread);
}

/* True if the threads placed before are still at their histories, and nothing irreversible has happened: no
 * thread that ended was joined, none was woken. */
static bool all_stand(unf *u)
{
    unf_endless_waits *s = u->endless_waits;
    for (size_t i = 0; i < s->path.len; i++) {
        const unf_node *n = node_at(u, s->path.at[i]);
        if (unf_cfg_depth(s->cfg, n->thread) != n->depth)
            return false;
        if (mdl_joins(n->next_kind) && !unf_silent_joins_skips(u, s->path.at[i]) &&
            !stays(u, s->path.at[i]))
            return false;
        if (is_woken(u, s->path.at[i]))
            return false;
    }
    return true;
}

static bool is_placed(const unf *u, uint32_t thread)
{
    for (size_t i = 0; i < u->endless_waits->path.len; i++)
        if (node_at(u, u->endless_waits->path.at[i])->thread == thread)
            return true;
    return false;
}

/* True if the thread was created; its creator is placed before it. */
static bool exists(const unf *u, uint32_t thread)
{
    const unf_cfg *c = u->endless_waits->cfg;
    if (unf_cfg_top(c, thread) != UNF_NONE)
        return true;
    uint32_t root = u->objects.at[u->threads.at[thread].object].root;
    for (uint32_t g = node_at(u, root)->groups; g; g = u->groups.at[g].next)
        for (uint32_t s = u->groups.at[g].exclusive; s != UNF_NONE;
             s = node_at(u, s)->sibling) {
            uint32_t create = node_at(u, s)->before;
            if (create == UNF_NONE || unf_cfg_has(c, create))
                return true;
        }
    return false;
}

/* Adds the last histories of a thread that fit to finals. False: there are too many. */
static bool list_finals(unf *u, uint32_t thread)
{
    unf_endless_waits *s = u->endless_waits;
    unf_walk w = {0};
    TD_ASSERT(s->cost <= s->most);
    unf_walk_start(u, &w, s->cfg, thread, s->most - s->cost);
    for (uint32_t h; (h = unf_walk_next(u, &w)) != UNF_NONE;)
        if (is_final(u, h))
            unf_vec_push(&s->finals, h);
    bool failed = unf_walk_failed(&w);
    s->cost += w.cost + 1;
    unf_vec_fini(&w.stack);
    return !failed && s->cost <= s->most;
}

typedef enum placed { NOT_POSSIBLE, POSSIBLE, TOO_MANY } placed;

static placed place_from(unf *u, uint32_t thread);

static placed place_at(unf *u, uint32_t history)
{
    unf_endless_waits *s = u->endless_waits;
    size_t len = unf_cfg_len(s->cfg);
    placed result = NOT_POSSIBLE;
    if (td_stops(u->stop))
        return TOO_MANY;
    if (!unf_cfg_fits(s->cfg, history))
        return result;
    unf_cfg_add(s->cfg, history);
    unf_vec_push(&s->path, history);
    if (all_stand(u))
        result = place_from(u, 0);
    if (result != POSSIBLE) {
        TD_ASSERT(s->path.at[s->path.len - 1] == history);
        s->path.len--;
        unf_cfg_cut(s->cfg, len);
    }
    return result;
}

/* Places the threads from this number on. If that is possible they stay in path. */
static placed place_from(unf *u, uint32_t thread)
{
    unf_endless_waits *s = u->endless_waits;
    while (thread < u->threads.len && (is_placed(u, thread) || !exists(u, thread)))
        thread++;
    if (thread == u->threads.len)
        return all_stay(u) ? POSSIBLE : NOT_POSSIBLE;
    size_t first = s->finals.len;
    placed result = list_finals(u, thread) ? NOT_POSSIBLE : TOO_MANY;
    for (size_t i = first; i < s->finals.len && result == NOT_POSSIBLE; i++)
        result = place_at(u, s->finals.at[i]);
    TD_ASSERT(s->finals.len >= first);
    s->finals.len = first;
    return result;
}

/* ---- the search ---- */

/* The history waits at a site where no run was seen to wait forever. */
static void search_one(unf *u, uint32_t history)
{
    unf_endless_waits *s = u->endless_waits;
    uint32_t site = unf_spot_of(u, history).site;
    unf_cfg_clear(s->cfg);
    unf_vec_clear(&s->path);
    uint64_t left = s->most > s->cost ? s->most - s->cost : 0, most = s->most;
    s->most = s->cost + (left < MOST_OF_ONE ? left : MOST_OF_ONE);
    placed result = place_at(u, history);
    s->most = most;
    if (result == TOO_MANY)
        u->losses.idle++;
    if (result != POSSIBLE)
        return;
    TD_ASSERT(s->path.len > 0 && s->path.at[0] == history);
    unf_vec_push(&s->asked, site);
    unf_suspect_add(u, s->path.at, (uint32_t)s->path.len, UNF_STUCK);
}

/* A run that was asked for did not show what it should have. */
static void give_up_asked(unf *u)
{
    unf_endless_waits *s = u->endless_waits;
    for (size_t i = 0; i < s->asked.len; i++)
        if (!unf_is_among(s->shown.at, s->shown.len, s->asked.at[i])) {
            u->losses.idle++;
            unf_vec_push(&s->shown, s->asked.at[i]);
        }
    unf_vec_clear(&s->asked);
}

bool unf_endless_waits_is_due(const unf *u)
{
    return u->endless_waits->any && u->endless_waits->is_new;
}

bool unf_endless_waits_search(unf *u)
{
    unf_endless_waits *s = u->endless_waits;
    if (!unf_endless_waits_is_due(u))
        return false;
    s->is_new = false;
    give_up_asked(u);
    find_kept(u);
    s->cost = 0;
    s->most = (uint64_t)u->nodes.len * MOST_AN_EVENT;
    s->most = s->most < MOST_OF_ALL ? MOST_OF_ALL : s->most;
    size_t before = u->suspects.len;
    for (uint32_t i = 0; i < u->nodes.len && !td_stops(u->stop); i++) {
        uint32_t site = unf_spot_of(u, i).site;
        if (mdl_waits_for_anybody(node_at(u, i)->next_kind) && is_final(u, i) &&
            !unf_is_among(s->shown.at, s->shown.len, site) &&
            !unf_is_among(s->asked.at, s->asked.len, site))
            search_one(u, i);
    }
    td_free(s->is_kept);
    s->is_kept = NULL;
    return u->suspects.len > before;
}
