/* SPDX-License-Identifier: Apache-2.0 */
/* Records gaps; frequent kinds only once per site and run. */
#include "runtime/core/core.h"

#include "runtime/core/stamped.h"

#define MAX_SITES (1u << 15) /* a power of two */

typedef struct gaps {
    uint64_t round; /* number of the run since the table was emptied, from 1 */
    uint32_t n_sites;
    uint64_t sites[MAX_SITES]; /* open hash table: kind << 32 | site */
} gaps;

#define GAPS ((gaps *)RT_GAPS)

static rt_stamped sites(void)
{
    return (rt_stamped){GAPS->sites, MAX_SITES, GAPS->round};
}

void rt_gaps_reset(void)
{
    const rt_stamped s = sites();
    GAPS->round = rt_stamped_next(&s);
    GAPS->n_sites = 0;
}

/* True the first time in a run, and always once the table is full: a gap that is reported
 * more often than needed does no harm, one that is not reported may. */
bool rt_first_at(uint32_t kind, uint32_t site)
{
    const rt_stamped s = sites();
    uint64_t key = (uint64_t)(kind + 1) << 32 | site;
    bool known;
    if (GAPS->n_sites >= MAX_SITES / 2)
        return true;
    uint64_t *at = rt_stamped_find(&s, key, &known);
    if (known)
        return false;
    *at = rt_stamp(&s, key);
    GAPS->n_sites++;
    RT_ASSERT(GAPS->n_sites <= MAX_SITES / 2);
    return true;
}

void rt_gap(enum wire_gap kind, uint32_t site, const char *text)
{
    RT_ASSERT(kind < WIRE_N_GAPS);
    rt_flush();
    wire_rec *r = rt_emit(WIRE_NOTE_GAP);
    r->size = (uint8_t)kind;
    r->thread = rt->self ? rt->self->id : 0;
    r->site = site;
    rt_emit_text(text);
}

void rt_gap_once(enum wire_gap kind, uint32_t site, const char *text)
{
    if ((rt->active || rt->checking) && rt_first_at(kind, site))
        rt_gap(kind, site, text);
}
