/* SPDX-License-Identifier: Apache-2.0 */
/* The models by name, and what all of them want. */
#include "graph/graph_int.h"

#include "base/assert.h"

const char *grf_model_name(grf_model model)
{
    static const char *const names[GRF_N_MODELS] = {"sc", "tso", "rc11"};
    TD_ASSERT(model < GRF_N_MODELS);
    return names[model];
}

/* Each write of an update stands directly behind what its read reads. */
static bool is_atomic(const grf *g)
{
    for (size_t i = 0; i < g->events.len; i++) {
        const grf_event *e = &g->events.at[i];
        if (e->kind == GRF_WRITE && e->is_update &&
            e->rank != grf_from_rank(g, &g->events.at[e->before]) + 1)
            return false;
    }
    return true;
}

bool grf_consistent(const grf *g, grf_model model)
{
    if (!is_atomic(g))
        return false;
    TD_ASSERT(model < GRF_N_MODELS);
    grf_writes w = {0};
    grf_writes_of(g, &w);
    bool is = model == GRF_SC    ? grf_sc(g, &w)
              : model == GRF_TSO ? grf_tso(g, &w)
                                 : grf_rc11(g, &w);
    grf_writes_fini(&w);
    return is;
}
