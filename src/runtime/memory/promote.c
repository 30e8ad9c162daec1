/* SPDX-License-Identifier: Apache-2.0 */
/* Promoted sites: their plain accesses are operations of this run.
 *
 * A thread waits in the hook before the access, and when it is granted the access follows at once. In
 * such runs every check goes out of line: an inlined one passes if its segment has touched the bytes,
 * by any site. */
#include "runtime/memory/accesses.h"

#include "runtime/symbolic/values.h"

/* enum wire_promotion of each site */
#define HOW ((uint8_t *)RT_PROMOTED)

static wire_promoted nth_promoted(uint32_t i)
{
    const rt_job *j = &rt->job;
    uint64_t word = rt->shm->jobs[(j->promoted_at + i) & (WIRE_JOB_WORDS - 1)];
    return (wire_promoted){(uint32_t)word, (uint32_t)(word >> 32)};
}

static void promote(wire_promoted p)
{
    if (p.how == 0 || p.how >= WIRE_N_PROMOTIONS || !rt_can_be_promoted(p.site))
        return;
    HOW[p.site] = (uint8_t)p.how;
    rt->promoted[rt->n_promoted++] = p.site;
    RT_ASSERT(rt->n_promoted <= WIRE_MAX_PROMOTED);
}

void rt_promote_reset(void)
{
    RT_ASSERT(rt->n_promoted <= WIRE_MAX_PROMOTED);
    uint32_t n = rt->job.head.n_promoted;
    while (rt->n_promoted > 0)
        HOW[rt->promoted[--rt->n_promoted]] = 0;
    for (uint32_t i = 0; i < n && i < WIRE_MAX_PROMOTED; i++)
        promote(nth_promoted(i));
    rt_repair_reset();
    rt->promoting = rt->n_promoted > 0 || rt->flow || rt->folds ||
                    rt->is_repaired; /* every write is noticed */
    bool covers = (rt->job.head.flags & WIRE_JOB_COVER) != 0;
    if (rt->promoting || covers)
        rt_labels_map();
    PLAN_CTL->promoting = rt->promoting;
    PLAN_CTL->symbolic = rt->symbolic || rt->promoting || covers;
}

bool rt_is_promoted(uint32_t site, uint64_t size)
{
    return rt->promoting && HOW[site] != 0 && size <= RT_PROMOTED_BYTES;
}

void rt_promoted_wait(uint64_t p, uint64_t size, bool is_write, uint32_t site)
{
    if (!rt_is_promoted(site, size))
        return;
    /* A bad address faults here, in the thread that uses it. */
    rt_peek(p, (uint32_t)size);
    rt_op *op = rt_op_new(is_write ? WIRE_STORE : WIRE_LOAD, site, p);
    op->size = (uint8_t)size;
    op->flags = WIRE_ACCESS_PLAIN | (HOW[site] == WIRE_PASSING ? WIRE_F_FORCED : 0);
    rt_operation();
}
