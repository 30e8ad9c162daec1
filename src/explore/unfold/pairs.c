/* SPDX-License-Identifier: Apache-2.0 */
#include "explore/unfold/pairs.h"

#include "base/assert.h"

void xpl_pairs_fini(xpl_pairs *p)
{
    for (size_t i = 0; i < p->all.len; i++)
        unf_vec_fini(&p->all.at[i].targets);
    xpl_pair_vec_fini(&p->all);
    unf_vec_fini(&p->tasks);
    xpl_pair_map_fini(&p->numbers);
}

/* ---- pairs ---- */

/* Where the thread of an event begins: threads that begin alike have the same task. */
static uint32_t task_of(xpl_pairs *p, const unf *u, const unf_view *v)
{
    while (p->tasks.len <= v->thread)
        unf_vec_push(&p->tasks, UNF_NONE);
    uint32_t *task = &p->tasks.at[v->thread];
    uint32_t event = *task == UNF_NONE ? v->before : UNF_NONE;
    while (event != UNF_NONE) {
        unf_view before = unf_at(u, event);
        if (before.kind == UNF_START)
            break;
        *task = unf_site(u, event);
        event = before.before;
    }
    return *task;
}

static uint64_t name_of(xpl_pairs *p, const unf *u, uint32_t event)
{
    unf_view v = unf_at(u, event);
    uint64_t what[] = {unf_site(u, event), task_of(p, u, &v), v.kind, 0, 0};
    if (v.after != UNF_NONE) {
        unf_view after = unf_at(u, v.after);
        bool is_ours = after.kind >= UNF_START;
        what[3] = is_ours ? 0 : unf_site(u, v.after);
        what[4] = is_ours ? after.kind : task_of(p, u, &after);
    } else if (mdl_decides(v.kind)) {
        what[3] = v.side;
    }
    return td_id_hash(what, sizeof what).lo;
}

static xpl_pair *pair_of(xpl_pairs *p, const unf *u, uint32_t event)
{
    uint32_t *number = xpl_pair_map_at(&p->numbers, name_of(p, u, event));
    if (*number == 0) {
        xpl_pair_vec_push(&p->all, (xpl_pair){0});
        *number = (uint32_t)p->all.len;
    }
    return &p->all.at[*number - 1];
}

static void cover(xpl_pairs *p, const unf *u, uint32_t event)
{
    xpl_pair *pair = pair_of(p, u, event);
    pair->n_covered += pair->run != p->n_runs;
    pair->run = p->n_runs;
}

void xpl_pairs_insert(xpl_pairs *p, unf *u, const trc *t)
{
    p->n_runs++;
    for (size_t i = 0; i < t->ops.len; i++) {
        uint32_t event = unf_run_event(u, i);
        if (event != UNF_NONE)
            cover(p, u, event);
    }
    const unf_vec *found = unf_found(u);
    for (size_t i = 0; i < found->len; i++)
        unf_vec_push(&pair_of(p, u, found->at[i])->targets, found->at[i]);
}

/* ---- targets ---- */

void xpl_pairs_rewind(xpl_pairs *p)
{
    for (size_t i = 0; i < p->all.len; i++)
        p->all.at[i].looked = p->all.at[i].first;
}

static bool is_before(const xpl_pair *a, const xpl_pair *b, xpl_pairs_order order)
{
    if (order == XPL_RAREST && a->n_covered != b->n_covered)
        return a->n_covered < b->n_covered;
    return a->targets.at[a->looked] < b->targets.at[b->looked];
}

uint32_t xpl_pairs_next(xpl_pairs *p, xpl_pairs_order order,
                        bool (*is_open)(void *self, uint32_t target), void *self)
{
    xpl_pair *best = NULL;
    TD_ASSERT(p->all.len == p->numbers.len);
    for (size_t i = 0; i < p->all.len; i++) {
        xpl_pair *pair = &p->all.at[i];
        while (pair->looked < pair->targets.len &&
               !is_open(self, pair->targets.at[pair->looked])) {
            pair->first += pair->first == pair->looked;
            pair->looked++;
        }
        if (pair->looked < pair->targets.len && (!best || is_before(pair, best, order)))
            best = pair;
    }
    return best ? best->targets.at[best->looked++] : UNF_NONE;
}
