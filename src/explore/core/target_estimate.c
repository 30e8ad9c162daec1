/* SPDX-License-Identifier: Apache-2.0 */
#include "explore/core/target_estimate.h"

#include "base/assert.h"
#include "base/vec.h"

/* Targets of a class that lead to others of the same level: more than this share of them would
 * make the sum of the series too uncertain. */
#define MOST_WITHIN 0.9

void xpl_estimate_fini(xpl_estimate *g)
{
    td_free(g->led);
    *g = (xpl_estimate){0};
}

uint32_t xpl_estimate_class(uint32_t level, uint32_t kind)
{
    TD_ASSERT(kind < XPL_KINDS);
    return (level < XPL_LEVELS ? level : XPL_LEVELS - 1) * XPL_KINDS + kind;
}

void xpl_estimate_add(xpl_estimate *g, uint32_t from, uint32_t to)
{
    TD_ASSERT(from < XPL_CLASSES && to < XPL_CLASSES);
    if (!g->led) {
        g->led = td_alloc(sizeof *g->led * XPL_CLASSES * XPL_CLASSES);
        g->found[0]++;
    }
    g->found[to]++;
    uint32_t *led = &g->led[(size_t)from * XPL_CLASSES + to];
    *led += *led < UINT32_MAX;
}

static uint64_t done_of(const xpl_estimate *g, const uint64_t *open, uint32_t class)
{
    return g->found[class] > open[class] ? g->found[class] - open[class] : 0;
}

uint64_t xpl_estimate_done(const xpl_estimate *g, const uint64_t open[XPL_CLASSES])
{
    uint64_t n = 0;
    for (uint32_t c = 0; c < XPL_CLASSES; c++)
        n += done_of(g, open, c);
    return n;
}

/* Estimates how many targets one target of a class leads to, itself included; sizes holds the estimates of
 * all later classes. Targets that lead to no later class form a series that continues within the level. */
static double size_of(const xpl_estimate *g, uint32_t class, uint64_t done,
                      const double sizes[XPL_CLASSES])
{
    TD_ASSERT(done > 0 && g->led);
    double size = 1, within = 0;
    const uint32_t *led = &g->led[(size_t) class * XPL_CLASSES];
    for (uint32_t to = 0; to < XPL_CLASSES; to++) {
        double each = (double)led[to] / (double)done;
        if (to > class)
            size += each * sizes[to];
        else
            within += each;
    }
    TD_ASSERT(size >= 1 && within >= 0);
    return size / (1 - (within < MOST_WITHIN ? within : MOST_WITHIN));
}

double xpl_estimate_left(const xpl_estimate *g, const uint64_t open[XPL_CLASSES])
{
    double sizes[XPL_CLASSES], left = 0;
    /* For classes without data: the estimate of the next level */
    double nearest[XPL_KINDS];
    for (uint32_t k = 0; k < XPL_KINDS; k++)
        nearest[k] = 1;
    for (uint32_t c = XPL_CLASSES; g->led && c-- > 0;) {
        uint64_t done = done_of(g, open, c);
        if (done > 0)
            nearest[c % XPL_KINDS] = size_of(g, c, done, sizes);
        sizes[c] = nearest[c % XPL_KINDS];
        left += sizes[c] * (double)open[c];
    }
    TD_ASSERT(left >= 0);
    return left;
}
