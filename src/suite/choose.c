/* SPDX-License-Identifier: Apache-2.0 */
/* Which recordings cover everything: greedily, then without what the others cover as well. */
#include <string.h>

#include "base/assert.h"
#include "suite/minimize.h"

static size_t count_new(const sui_candidate *c, const td_id_set *covered)
{
    size_t n = 0;
    for (size_t i = 0; i < c->n_items; i++)
        n += !td_id_set_has(covered, c->items[i].id);
    return n;
}

static void cover(const sui_candidate *c, td_id_set *covered)
{
    for (size_t i = 0; i < c->n_items; i++)
        td_id_set_add(covered, c->items[i].id);
}

/* The one that covers most of what is left; n: nothing is left. */
static size_t best(const sui_candidate *all, size_t n, const td_id_set *covered)
{
    size_t at = n, most = 0;
    for (size_t i = 0; i < n; i++) {
        if (all[i].is_chosen || all[i].n_items < most)
            continue;
        size_t n_new = count_new(&all[i], covered);
        if (n_new > most || (n_new == most && at < n && all[i].cost < all[at].cost)) {
            at = i;
            most = n_new;
        }
    }
    return most > 0 ? at : n;
}

static bool is_needed(const sui_candidate *all, size_t n, size_t at)
{
    TD_ASSERT(at < n && all[at].is_chosen);
    td_id_set others = {0};
    for (size_t i = 0; i < n; i++)
        if (all[i].is_chosen && i != at)
            cover(&all[i], &others);
    bool needed = count_new(&all[at], &others) > 0;
    td_id_set_fini(&others);
    return needed;
}

void sui_choose(sui_candidate *all, size_t n)
{
    td_id_set covered = {0};
    for (size_t i = 0; i < n; i++)
        all[i].is_chosen = false;
    for (size_t at; (at = best(all, n, &covered)) < n;) {
        all[at].is_chosen = true;
        TD_ASSERT(count_new(&all[at], &covered) > 0); /* else this continues forever */
        cover(&all[at], &covered);
    }
    for (size_t i = 0; i < n; i++)
        if (all[i].is_chosen && !is_needed(all, n, i))
            all[i].is_chosen = false;
    td_id_set_fini(&covered);
}
