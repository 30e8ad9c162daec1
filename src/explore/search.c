/* SPDX-License-Identifier: Apache-2.0 */
#include "explore/core/explore_int.h"

#include <string.h>

static const xpl_search *const searches[] = {
    &xpl_unfold, &xpl_optimal, &xpl_all,    &xpl_random,         &xpl_pct,
    &xpl_pos,    &xpl_surw,    &xpl_guided, &xpl_interfere,      &xpl_race_classes,
    &xpl_dpor,   &xpl_flip,    &xpl_graphs, &xpl_product_search, &xpl_auto,
    NULL};

/* Former names of searches. */
static const struct {
    const char *old, *name;
} aliases[] = {{"manners", "race-classes"}};

static const xpl_goal goals[] = {
    {.name = "states",
     .bit = XPL_STATES,
     .search = "unfold",
     .text = "every local state of every thread (the default)",
     .covered = "every local state of every thread was reached"},
    {.name = "traces",
     .bit = XPL_TRACES,
     .search = "optimal",
     .text = "every trace: every order of dependent operations",
     .covered = "every trace was run"},
    {.name = "branches",
     .bit = XPL_BRANCHES,
     .search = "interfere",
     .text = "every feasible branch outcome",
     .covered = "every feasible branch outcome was taken",
     .rules_out = "assertion failure",
     .leaves_out = "deadlocks, data races, memory errors"},
    {.name = "auto",
     .bit = XPL_STATES,
     .search = "auto",
     .text = "states; observations where these are out of reach",
     .covered = "every local state of every thread was reached"},
    {.name = "races",
     .bit = XPL_RACES,
     .search = "race-classes",
     .text = "every data race",
     .covered = "every class of runs that can differ in their data races was run",
     .rules_out = "data race",
     .leaves_out = "assertion failures, deadlocks, memory errors",
     .keeps_going = true},
    {.name = "observations",
     .bit = XPL_OBSERVATIONS,
     .search = "product",
     .text = "every behaviour that reads can cause; few runs",
     .covered = "every observation of every thread was made",
     .rules_out = "assertion failure or deadlock",
     .leaves_out = "data races, memory errors"},
    {0},
};

const xpl_goal *xpl_goals(void)
{
    return goals;
}

const xpl_goal *xpl_goal_find(const char *name)
{
    for (const xpl_goal *g = goals; g->name; g++)
        if (strcmp(g->name, name) == 0)
            return g;
    return NULL;
}

const xpl_search *const *xpl_searches(void)
{
    return searches;
}

static const xpl_search *find_in(const xpl_search *const *list, const char *name)
{
    for (; *list; list++)
        if (strcmp((*list)->name, name) == 0)
            return *list;
    return NULL;
}

const xpl_search *xpl_search_find(const char *name)
{
    for (size_t i = 0; i < sizeof aliases / sizeof aliases[0]; i++)
        if (strcmp(aliases[i].old, name) == 0)
            name = aliases[i].name;
    const xpl_search *found = find_in(searches, name);
    return found || !xpl_more_searches ? found : find_in(xpl_more_searches, name);
}
