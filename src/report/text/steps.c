/* SPDX-License-Identifier: Apache-2.0 */
/* What is shown, grouped by statements. A statement is one of the function in which the shown acts of all
 * threads with the same start routine diverge: their common callers carry no information. Acts of functions
 * that it calls belong to it, as long as they are few. */
#include "report/text/report_int.h"

#include <string.h>

#include "base/assert.h"

#define MAX_LINES 3u /* lines of called functions in one step */

typedef struct grouping {
    rep_story *s;
    const trc_u32_vec *shown;
    rep_step_vec *steps;
    rep_trunk_vec *trunks;
    /* Calls inside what paths part from: UINT32_MAX / 2, the lines themselves. */
    uint32_t deeper;
} grouping;

/* ---- where to look from ---- */

static uint32_t common(const rep_story *s, uint32_t a, uint32_t b)
{
    uint32_t n =
        s->paths.at[a].n < s->paths.at[b].n ? s->paths.at[a].n : s->paths.at[b].n;
    uint32_t k = 0;
    while (k < n && rep_place_equal(rep_path_place(s, a, k), rep_path_place(s, b, k)))
        k++;
    return k;
}

static rep_trunk *trunk_of(const rep_trunk_vec *trunks, const char *function)
{
    for (size_t i = 0; i < trunks->len; i++)
        if (strcmp(trunks->at[i].function, function) == 0)
            return &trunks->at[i];
    return NULL;
}

static void add_to_trunk(grouping *g, uint32_t path)
{
    const char *function = rep_path_place(g->s, path, 0)->function;
    rep_trunk *t = trunk_of(g->trunks, function);
    if (t != NULL) {
        uint32_t n = common(g->s, t->path, path);
        t->n = n < t->n ? n : t->n;
        return;
    }
    rep_trunk_vec_push(g->trunks, (rep_trunk){function, path, g->s->paths.at[path].n});
}

static uint32_t depth_in(const rep_trunk_vec *trunks, const rep_story *s, uint32_t path)
{
    const rep_trunk *t = trunk_of(trunks, rep_path_place(s, path, 0)->function);
    return t != NULL ? t->n : 0;
}

static uint32_t depth_of(const grouping *g, uint32_t path)
{
    return depth_in(g->trunks, g->s, path);
}

const rep_place *rep_statement(const rep_slice *c, const rep_story *s, uint32_t path)
{
    return rep_path_place(s, path, depth_in(&c->trunks, s, path));
}

/* ---- groups ---- */

static const rep_act *shown_act(const grouping *g, uint32_t i)
{
    TD_ASSERT(i < g->shown->len);
    return &g->s->acts.at[g->shown->at[i]];
}

/* True if the thread did something else between two of its acts, shown or not. */
static bool strays(const grouping *g, uint32_t from, uint32_t to, uint32_t depth)
{
    const rep_story *s = g->s;
    const rep_place *place = rep_path_place(s, s->acts.at[to].path, depth);
    for (uint32_t i = s->acts.at[from].next; i < to; i = s->acts.at[i].next)
        if (!rep_place_equal(rep_path_place(s, s->acts.at[i].path, depth), place))
            return true;
    return false;
}

/* True if the act shown as number i belongs to the step of the one before it. The later
 * access of a race is a step of its own even on the same line. */
static bool continues(const grouping *g, uint32_t i, uint32_t depth)
{
    const rep_act *a = shown_act(g, i), *before = shown_act(g, i - 1);
    uint32_t act = g->shown->at[i];
    return act != g->s->race[1] && before->thread == a->thread &&
           depth_of(g, before->path) == depth_of(g, a->path) &&
           rep_place_equal(rep_path_place(g->s, before->path, depth),
                           rep_path_place(g->s, a->path, depth)) &&
           !strays(g, g->shown->at[i - 1], act, depth);
}

/* Lines of called functions among acts [first, end), at most MAX_LINES + 1. */
static uint32_t count_lines(const grouping *g, uint32_t first, uint32_t end,
                            uint32_t depth)
{
    const rep_place *lines[MAX_LINES + 1];
    uint32_t n = 0;
    for (uint32_t i = first; i < end && n <= MAX_LINES; i++) {
        uint32_t path = shown_act(g, i)->path, k = 0;
        const rep_place *own = rep_path_own(g->s, path);
        if (g->s->paths.at[path].n <= depth + 1)
            continue;
        while (k < n && !rep_place_equal(lines[k], own))
            k++;
        if (k == n)
            lines[n++] = own;
    }
    return n;
}

static void add_step(grouping *g, uint32_t first, uint32_t end, uint32_t depth)
{
    TD_ASSERT(first < end && end <= g->shown->len);
    const rep_act *a = shown_act(g, first);
    rep_step_vec_push(g->steps, (rep_step){.thread = a->thread,
                                           .at = *rep_path_place(g->s, a->path, depth),
                                           .first = first,
                                           .n = end - first});
    for (uint32_t i = first; i < end; i++)
        g->s->acts.at[g->shown->at[i]].step = (uint32_t)g->steps->len;
}

/* Acts [first, end) of one thread, by statements at least deeper calls inside what they part from. */
static void group(grouping *g, uint32_t first, uint32_t end, uint32_t deeper)
{
    for (uint32_t at = first; at < end;) {
        uint32_t depth = depth_of(g, shown_act(g, at)->path) + deeper, to = at + 1;
        while (to < end && continues(g, to, depth))
            to++;
        if (count_lines(g, at, to, depth) > MAX_LINES)
            group(g, at, to, deeper + 1);
        else
            add_step(g, at, to, depth);
        at = to;
    }
}

static void group_all(grouping *g)
{
    uint32_t n = (uint32_t)g->shown->len;
    for (uint32_t i = 0; i < n; i++)
        add_to_trunk(g, shown_act(g, i)->path);
    add_to_trunk(g, g->s->fail_path);
    group(g, 0, n, g->deeper);
}

/* ---- the failure ---- */

/* The failing statement is the last step, joined to the accesses it made. */
static void add_failing_step(grouping *g)
{
    const rep_story *s = g->s;
    const det_finding *f = s->f->finding;
    rep_step *last = g->steps->len > 0 ? &g->steps->at[g->steps->len - 1] : NULL;
    if (f->kind == DET_RACE)
        return;
    uint32_t depth = depth_of(g, s->fail_path) + g->deeper;
    rep_place at = *rep_path_place(s, s->fail_path, depth);
    bool is_there = last != NULL && last->thread == f->thread &&
                    (rep_place_equal(&last->at, &at) ||
                     rep_place_equal(&last->at, rep_path_own(s, s->fail_path)));
    if (!is_there && !(last != NULL && det_is_stuck(f->kind)))
        rep_step_vec_push(g->steps, (rep_step){.thread = f->thread,
                                               .at = at,
                                               .first = (uint32_t)g->shown->len});
    TD_ASSERT(g->steps->len > 0);
    g->steps->at[g->steps->len - 1].fails = true;
}

static uint32_t count_all(rep_story *s)
{
    trc_u32_vec all = {0};
    rep_step_vec steps = {0};
    for (uint32_t i = 0; i < s->acts.len; i++)
        trc_u32_vec_push(&all, i);
    rep_trunk_vec trunks = {0};
    grouping g = {.s = s, .shown = &all, .steps = &steps, .trunks = &trunks};
    group_all(&g);
    uint32_t n = (uint32_t)steps.len;
    rep_trunk_vec_fini(&trunks);
    trc_u32_vec_fini(&all);
    rep_step_vec_fini(&steps);
    return n;
}

void rep_steps_make(rep_slice *c, rep_story *s, rep_level level)
{
    c->n_all = count_all(s);
    for (size_t i = 0; i < s->acts.len; i++)
        s->acts.at[i].step = 0;
    grouping g = {.s = s,
                  .shown = &c->shown,
                  .steps = &c->steps,
                  .trunks = &c->trunks,
                  .deeper = level == REP_LINES ? UINT32_MAX / 2 : 0};
    group_all(&g);
    add_failing_step(&g);
    if (c->steps.len > c->n_all)
        c->n_all = (uint32_t)c->steps.len;
}
