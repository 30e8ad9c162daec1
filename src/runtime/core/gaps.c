/* SPDX-License-Identifier: Apache-2.0 */
/* What was not covered: told, and once per site and run where it would be told often. */
#include "runtime/core/core.h"

#include <string.h>

#define MAX_SITES (1u << 15) /* a power of two */

typedef struct gaps {
    uint64_t round; /* of the runs since the table was emptied, 1.. */
    uint32_t n_sites;
    uint64_t sites[MAX_SITES]; /* open hash table: kind << 32 | site */
} gaps;

#define GAPS ((gaps *)RT_GAPS)

static uint64_t hash(uint64_t x)
{
    x *= UINT64_C(0x9e3779b97f4a7c15);
    return x >> 32;
}

/* An entry is free unless its upper 16 bits are those of this run: emptying the table after each
 * run would take longer than many a run. */
static uint64_t stamped(uint64_t key)
{
    return key | GAPS->round << 48;
}

static bool in_use(uint64_t entry)
{
    return entry >> 48 == GAPS->round;
}

void rt_gaps_reset(void)
{
    if (++GAPS->round >> 16) {
        memset(GAPS->sites, 0, sizeof GAPS->sites);
        GAPS->round = 1;
    }
    GAPS->n_sites = 0;
}

/* True the first time in a run, and always once the table is full: what is told more often than
 * needed is no harm, what is not told may be. */
bool rt_first_at(uint32_t kind, uint32_t site)
{
    uint64_t key = stamped((uint64_t)(kind + 1) << 32 | site);
    if (GAPS->n_sites >= MAX_SITES / 2)
        return true;
    uint64_t i = hash(key) & (MAX_SITES - 1);
    for (; in_use(GAPS->sites[i]); i = (i + 1) & (MAX_SITES - 1))
        if (GAPS->sites[i] == key)
            return false;
    GAPS->sites[i] = key;
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
