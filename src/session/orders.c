/* SPDX-License-Identifier: Apache-2.0 */
/* Which memory orders the atomics of the program have: that decides whether there is weaker memory to
 * explore (weaker_memory.c). */
#include "session/session_int.h"

#define N_EARLY 64u

/* Accesses to volatile objects and those of assembly are what the machine makes of them. */
static bool is_of_machine(const trc_site *site)
{
    return strcmp(site->callee, WIRE_SITE_VOLATILE) == 0 ||
           strcmp(site->callee, WIRE_SITE_ASM) == 0;
}

static void take_op(ses *s, const trc_op *op)
{
    if (trc_type_of(op->kind) != WIRE_TYPE_MEMORY || trc_is_promoted(op) ||
        op->order == __ATOMIC_SEQ_CST)
        return;
    trc_site site = trc_site_at(s->exec->sites(s->run), op->site);
    s->has_weaker = true;
    s->is_for_x86 |= is_of_machine(&site);
}

/* The first few runs show which atomics there are; later ones only whether there are any. */
void ses_orders_take(ses *s, const trc *t)
{
    bool is_early = s->census.n_runs < N_EARLY;
    for (size_t i = 0; (is_early || !s->has_weaker) && i < t->ops.len; i++)
        take_op(s, &t->ops.at[i]);
}
