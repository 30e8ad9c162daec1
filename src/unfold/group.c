/* SPDX-License-Identifier: Apache-2.0 */
#include "unfold/unfold_int.h"

/* Groups of children, in parts.
 *
 * The children of a state can be many more than those compatible with a configuration. If many tests failed,
 * each failed child is filed under a reason: the first cause of its history that was incompatible. A part is
 * a group whose children all have that cause; if it is incompatible the next time as well, one test skips
 * the whole part. Parts have parts in turn. So a child is tested without success at most once on each level,
 * and the reasons are few, as they are early causes that many histories share. */

uint32_t unf_group_next(unf *u, uint32_t group, unf_cfg *cfg)
{
    TD_DASSERT(group > 0 && group < u->groups.len);
    group = u->groups.at[group].next;
    while (group && u->groups.at[group].cause != UNF_NONE && ++u->n_asked &&
           !unf_cfg_fits(cfg, u->groups.at[group].cause))
        group = u->groups.at[group].beyond;
    return group;
}

/* A cause of event that does not fit, while all of its own causes do. */
static uint32_t reason_of(const unf *u, uint32_t event, unf_cfg *cfg)
{
    for (;;) {
        const unf_node *n = node_at(u, event);
        const uint32_t *reads = node_reads(u, n);
        uint32_t cause = UNF_NONE;
        if (n->before != UNF_NONE && !unf_cfg_fits(cfg, n->before))
            cause = n->before;
        else if (n->after != UNF_NONE && !unf_cfg_fits(cfg, n->after))
            cause = n->after;
        for (uint32_t i = 0; i < node_n_reads(u, n) && cause == UNF_NONE; i++)
            if (!unf_cfg_fits(cfg, reads[i]))
                cause = reads[i];
        TD_DASSERT(cause == UNF_NONE || cause < event); /* U1: it ends */
        if (cause == UNF_NONE)
            return event;
        event = cause;
    }
}

static uint32_t part_of(unf *u, uint32_t group, uint32_t cause)
{
    uint32_t end = u->groups.at[group].beyond, next = u->groups.at[group].next;
    for (uint32_t g = next; g != end; g = u->groups.at[g].beyond)
        if (u->groups.at[g].cause == cause)
            return g;
    unf_group_vec_push(&u->groups, (unf_group){.thread = u->groups.at[group].thread,
                                               .cause = cause,
                                               .exclusive = UNF_NONE,
                                               .shared = UNF_NONE,
                                               .next = next,
                                               .beyond = next});
    u->groups.at[group].next = (uint32_t)u->groups.len - 1;
    return u->groups.at[group].next;
}

/* The group itself, or the part that a child of this history is put aside in. */
static uint32_t place_of(unf *u, uint32_t group, uint32_t history, unf_cfg *cfg)
{
    if (history == UNF_NONE || unf_cfg_fits(cfg, history))
        return group;
    return part_of(u, group, reason_of(u, history, cfg));
}

/* Deals the children of a list out to the group and its parts. */
static void deal(unf *u, uint32_t group, uint32_t child, unf_cfg *cfg)
{
    for (uint32_t next; child != UNF_NONE; child = next) {
        unf_node *n = node_at(u, child);
        uint32_t place = place_of(u, group, n->before, cfg);
        unf_group *to = &u->groups.at[place];
        TD_DASSERT(to->thread == n->thread);
        uint32_t *first = node_is_state(n) ? &to->exclusive : &to->shared;
        next = n->sibling;
        n->sibling = *first;
        *first = child;
    }
}

static void deal_blocked(unf *u, uint32_t group, uint32_t link, unf_cfg *cfg)
{
    for (uint32_t next; link; link = next) {
        uint32_t place = place_of(u, group, u->links.at[link].event, cfg);
        TD_DASSERT(u->groups.at[place].thread == u->groups.at[group].thread);
        next = u->links.at[link].next;
        u->links.at[link].next = u->groups.at[place].blocked;
        u->groups.at[place].blocked = link;
    }
}

void unf_group_part(unf *u, uint32_t group, unf_cfg *cfg, uint32_t n_misses)
{
    if (n_misses < u->many)
        return;
    TD_ASSERT(group > 0 && group < u->groups.len);
    unf_group *g = &u->groups.at[group];
    unf_group old = *g;
    g->exclusive = g->shared = UNF_NONE;
    g->blocked = 0;
    deal(u, group, old.exclusive, cfg);
    deal(u, group, old.shared, cfg);
    deal_blocked(u, group, old.blocked, cfg);
}
