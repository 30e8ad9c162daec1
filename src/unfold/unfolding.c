/* SPDX-License-Identifier: Apache-2.0 */
/* The unfolding as a whole, above storage and detectors: made, freed, looked at. */
#include "unfold/unfold_int.h"

enum { MANY = 4, CROWD = 32 };

unf *unf_new(const trc_namer *namer, const unf_inputs *inputs)
{
    unf *u = td_alloc(sizeof *u);
    TD_ASSERT(namer);
    u->namer = namer;
    if (inputs)
        u->inputs = *inputs;
    u->many = MANY;
    u->crowd = CROWD;
    unf_store_init(u);
    unf_vec_push(&u->woken, 0);
    u->base = unf_cfg_new(u);
    u->more = unf_cfg_new(u);
    u->whole = unf_cfg_new(u);
    u->spinning = unf_spinning_new();
    u->livelocks = unf_livelocks_new(u);
    u->lock_cycles = unf_lock_cycles_new(u);
    u->races = unf_races_new(u);
    u->endless_waits = unf_endless_waits_new(u);
    return u;
}

void unf_obey(unf *u, td_stop *stop)
{
    TD_ASSERT(!u->stop || u->stop == stop);
    u->stop = stop;
}

void unf_watch_all(unf *u)
{
    TD_ASSERT(u->threads.len == 0);
    u->watches_all = true;
}

static void threads_fini(unf *u)
{
    for (size_t i = 0; i < u->threads.len; i++) {
        unf_vec_fini(&u->threads.at[i].parked);
        unf_vec_fini(&u->threads.at[i].joins);
        td_bytes_fini(&u->threads.at[i].writes);
        td_bytes_fini(&u->threads.at[i].looks);
    }
}

static void run_fini(unf *u)
{
    unf_tails_fini(u);
    unf_past_vec_fini(&u->last);
    unf_vec_fini(&u->run_threads);
    unf_vec_fini(&u->run_at);
    unf_vec_fini(&u->run_starts);
    unf_vec_fini(&u->run_new);
    unf_vec_fini(&u->run_next);
    unf_link_vec_fini(&u->run_links);
}

static void searches_fini(unf *u)
{
    unf_cfg_free(u->base);
    unf_cfg_free(u->more);
    unf_cfg_free(u->whole);
    unf_vec_fini(&u->chosen);
    unf_vec_fini(&u->sorted);
    unf_vec_fini(&u->optional);
    unf_vec_fini(&u->ends);
    unf_vec_fini(&u->stack);
    unf_vec_fini(&u->found);
}

void unf_free(unf *u)
{
    if (!u)
        return;
    unf_spinning_free(u->spinning);
    unf_livelocks_free(u->livelocks);
    unf_lock_cycles_free(u->lock_cycles);
    unf_races_free(u->races);
    unf_endless_waits_free(u->endless_waits);
    unf_suspects_fini(u);
    searches_fini(u);
    run_fini(u);
    unf_vec_fini(&u->woken);
    td_free(u->woken_slots);
    unf_decision_vec_fini(&u->decisions);
    unf_outcome_vec_fini(&u->outcomes);
    unf_vec_fini(&u->fatal);
    threads_fini(u);
    unf_store_fini(u);
    td_free(u);
}

/* ---- looking ---- */

uint32_t unf_len(const unf *u)
{
    return (uint32_t)u->nodes.len;
}

uint32_t unf_site(const unf *u, uint32_t event)
{
    const unf_node *n = node_at(u, event);
    return n->kind < WIRE_N_OPS && n->before != UNF_NONE ? unf_spot_of(u, n->before).site
                                                         : 0;
}

unf_view unf_at(const unf *u, uint32_t event)
{
    const unf_node *n = node_at(u, event);
    bool decides = mdl_decides(n->kind);
    return (unf_view){.id = n->id,
                      .status = (unf_status)n->status,
                      .question = decides ? decision_of(u, n)->question : unf_why(u, n),
                      .side = decides ? decision_of(u, n)->side : mdl_exchanges(n->kind),
                      .is_probe = (n->flags & NODE_PROBE) != 0,
                      .kind = n->kind,
                      .thread = n->thread,
                      .object = n->object,
                      .before = n->before,
                      .after = n->after,
                      .reads = node_reads(u, n),
                      .n_reads = node_n_reads(u, n),
                      .is_last = (n->flags & NODE_LAST) != 0,
                      .is_inside = (n->flags & NODE_INSIDE) != 0,
                      .is_cut = n->next_kind == UNF_NEXT_UNKNOWN};
}

unf_status unf_status_of(const unf *u, uint32_t event)
{
    return (unf_status)node_at(u, event)->status;
}

bool unf_probe_together(const unf *u, uint32_t a, uint32_t b)
{
    const unf_node *n = node_at(u, a), *other = node_at(u, b);
    return n->after == other->after && n->after != UNF_NONE &&
           ((n->flags | other->flags) & NODE_PROBE);
}

uint64_t unf_n_executed(const unf *u)
{
    return u->n_executed;
}

uint64_t unf_n_sections(const unf *u)
{
    return u->n_sections;
}

td_id unf_digest(const unf *u)
{
    return u->digest;
}

unf_vec *unf_found(unf *u)
{
    return &u->found;
}

unf_losses unf_lost(const unf *u)
{
    unf_losses lost = u->losses;
    unf_races_lost(u, &lost);
    lost.livelocks = unf_livelocks_gave_up(u);
    return lost;
}

void unf_drop(unf *u, uint32_t target)
{
    TD_ASSERT(node_at(u, target)->status == UNF_TARGET);
    node_at(u, target)->status = UNF_DROPPED;
}
