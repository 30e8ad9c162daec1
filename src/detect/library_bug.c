/* SPDX-License-Identifier: Apache-2.0 */
/* Findings that are the C++ library's own: weak memory shows them only because a read of the library
 * misses a store of the library. */
#include "detect/detect_int.h"

#include "base/readable.h"

/* Members of std::atomic are one operation each: what they do is the caller's. */
static bool is_wrapper(const char *file)
{
    const char *name = det_basename(file);
    return strcmp(name, "atomic") == 0 || strcmp(name, "atomic_base.h") == 0;
}

/* Which calls of a stack to take: up to the first one of the user, or the first outside of std::atomic. */
typedef enum det_until { UNTIL_USER, UNTIL_ALGORITHM } det_until;

/* Finds the place where the walk over the site and its stack stops; before, unless NULL, becomes the place inside it. */
static bool walk(const trc *t, const trc_sites *sites, const det_spot *at,
                 det_until until, trc_site *before, trc_site *out)
{
    trc_site calls[TRC_MAX_CALLS], last = trc_site_at(sites, at->site);
    if (until == UNTIL_ALGORITHM && !is_wrapper(last.file)) {
        *out = last;
        return true;
    }
    bool has_stack = at->stack > 0 && at->stack < t->stacks.len;
    const trc_stack *frames = has_stack ? &t->stacks.at[at->stack] : NULL;
    for (uint32_t i = 0; frames && i < frames->n; i++) {
        size_t n =
            trc_calls_at(sites, t->frames.at[frames->first + i], calls, TRC_MAX_CALLS);
        for (size_t k = 0; k < n; k++) {
            bool is_users = det_is_users(&calls[k]);
            if (is_users || (until == UNTIL_ALGORITHM && det_is_library(calls[k].file) &&
                             !is_wrapper(calls[k].file))) {
                *out = calls[k];
                if (before)
                    *before = last;
                return true;
            }
            if (det_is_library(calls[k].file))
                last = calls[k];
        }
    }
    return false;
}

/* An operation of an algorithm of the library, and not a member of std::atomic that the user's line calls. */
static bool is_of_algorithm(const trc *t, const trc_sites *sites, uint32_t op)
{
    trc_site at;
    const trc_op *o = &t->ops.at[op];
    det_spot spot = {{0}, o->thread, o->site, o->stack};
    return det_is_library(trc_site_at(sites, o->site).file) &&
           walk(t, sites, &spot, UNTIL_ALGORITHM, NULL, &at) && det_is_library(at.file);
}

/* The newest store of a location so far. */
typedef struct newest {
    uint32_t rank, op;
} newest;

bool det_is_of_library(const trc *t, const trc_sites *sites)
{
    trc_stores stores = {0};
    uint32_t n_missed = 0;
    bool is = t->has_stores && t->stacks.len > 1 && trc_stores_of(t, &stores);
    newest *all = td_alloc((t->ops.len + 1) * sizeof *all);
    for (uint32_t i = 0; is && i < t->ops.len; i++) {
        uint32_t location = stores.location.at[i], from = stores.from.at[i];
        uint8_t kind = trc_turned(&t->ops.at[i]);
        if (location == UINT32_MAX || location > t->ops.len)
            continue;
        newest *n = &all[location];
        bool writes = mdl_effect_of(kind) == MDL_EFFECT_E;
        uint32_t seen = from == UINT32_MAX ? 0 : stores.rank.at[from];
        if (!writes && n->rank > seen) {
            n_missed++;
            is = is_of_algorithm(t, sites, i) && is_of_algorithm(t, sites, n->op);
        }
        if (writes && stores.rank.at[i] > n->rank)
            *n = (newest){stores.rank.at[i], i};
    }
    td_free(all);
    trc_stores_fini(&stores);
    return is && n_missed > 0;
}

char *det_library_function(const trc *t, const trc_sites *sites, const det_spot *at)
{
    trc_site inside = {0}, user;
    td_text text = {0}, symbol = {0};
    if (!walk(t, sites, at, UNTIL_USER, &inside, &user) || !inside.symbol ||
        strncmp(inside.symbol, "_Z", 2) != 0)
        return td_strdup("the C++ library");
    td_text_put(&symbol, inside.symbol, strcspn(inside.symbol, "."));
    td_readable(symbol.at, &text);
    td_text_fini(&symbol);
    return text.at ? text.at : td_strdup("the C++ library");
}
