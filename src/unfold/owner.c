/* SPDX-License-Identifier: Apache-2.0 */
#include "unfold/unfold_int.h"

/* Determines which events belong to a part.
 *
 * In a partition made by splitting parts at an event e, into those that have it and those that
 * lack it, each event x belongs to one part: to the one that lacks e if it is in conflict with
 * e, else to the other. Conflict is binary, so each event of the part can be tested alone; it is
 * inherited from causes, and these have smaller numbers, so one pass over all events in order, with
 * the causes of e marked, finds the events in conflict with it. */

/* Marks of an event. */
enum {
    OUTSIDE = 1,  /* in conflict with an event that the part has */
    FOREIGN = 2,  /* not in conflict with something that it lacks */
    LACKED = 4,   /* is that, or comes after it */
    CONFLICT = 8, /* with what is looked at now */
};

/* The marks of all causes of an event, together. */
static uint8_t inherited(const unf *u, const uint8_t *marks, const unf_node *n)
{
    const uint32_t *reads = node_reads(u, n);
    uint8_t all = n->before == UNF_NONE ? 0 : marks[n->before];
    if (n->after != UNF_NONE)
        all |= marks[n->after];
    for (uint32_t i = 0; i < node_n_reads(u, n); i++)
        all |= marks[reads[i]];
    return all;
}

/* Marks what is in conflict with the configuration. */
static void mark_conflicts(const unf *u, const unf_cfg *c, uint8_t mark, uint8_t *marks)
{
    for (uint32_t i = 0; i < u->nodes.len; i++) {
        bool is_bad =
            (inherited(u, marks, node_at(u, i)) & mark) || unf_cfg_clashes(c, i);
        marks[i] = (uint8_t)((marks[i] & ~mark) | (is_bad ? mark : 0));
    }
}

static void mark_lacked(const unf *u, unf_cfg *c, uint32_t event, uint8_t *marks)
{
    TD_ASSERT(event < u->nodes.len);
    unf_cfg_clear(c);
    unf_cfg_add(c, event);
    mark_conflicts(u, c, CONFLICT, marks);
    for (uint32_t i = 0; i < u->nodes.len; i++) {
        bool is_after = i == event || (inherited(u, marks, node_at(u, i)) & LACKED);
        marks[i] |= (marks[i] & CONFLICT ? 0 : FOREIGN) | (is_after ? LACKED : 0);
    }
}

static void mark_all(unf *u, const unf_part *p, uint8_t *marks)
{
    unf_cfg *c = unf_cfg_new(u);
    for (size_t i = 0; i < p->has.len; i++)
        unf_cfg_add(c, p->has.at[i]);
    if (p->has.len > 0)
        mark_conflicts(u, c, OUTSIDE, marks);
    for (size_t i = 0; i < p->lacks.len; i++)
        mark_lacked(u, c, p->lacks.at[i], marks);
    unf_cfg_free(c);
}

unf_owned unf_own(unf *u, const unf_part *p)
{
    if (p->has.len == 0 && p->lacks.len == 0)
        return (unf_owned){u->n_executed, u->digest, u->n_executed};
    uint8_t *marks = td_alloc(u->nodes.len);
    mark_all(u, p, marks);
    unf_owned sum = {0};
    for (uint32_t i = 0; i < u->nodes.len; i++) {
        const unf_node *n = node_at(u, i);
        if (n->status != UNF_EXECUTED || !mdl_in_digest(n->kind) || (marks[i] & OUTSIDE))
            continue;
        sum.n_inside += !(marks[i] & LACKED);
        if (marks[i] & FOREIGN)
            continue;
        sum.n++;
        sum.digest = td_id_sum(sum.digest, n->id);
    }
    td_free(marks);
    /* What belongs to it is in conflict with all it lacks, so nothing lacked is among its causes. */
    TD_ASSERT(sum.n <= sum.n_inside && sum.n_inside <= u->n_executed);
    return sum;
}

bool unf_is_past(const unf *u, uint32_t history, uint32_t event)
{
    const unf_node *n = node_at(u, event);
    history = unf_tails_top(u, history);
    if (history == UNF_NONE || node_at(u, history)->thread != n->thread)
        return false;
    while (node_at(u, history)->depth > n->depth)
        history = node_at(u, history)->before;
    return history == event;
}
