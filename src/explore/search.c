/* SPDX-License-Identifier: Apache-2.0 */
#include "explore/explore_int.h"

#include <string.h>

static const xpl_search *const searches[] = {&xpl_unfold, &xpl_all, &xpl_random, &xpl_pct,
                                             NULL};

const xpl_search *const *xpl_searches(void)
{
    return searches;
}

const xpl_search *xpl_search_find(const char *name)
{
    for (size_t i = 0; searches[i]; i++)
        if (strcmp(searches[i]->name, name) == 0)
            return searches[i];
    return NULL;
}
