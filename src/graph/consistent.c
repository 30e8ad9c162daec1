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

/* True if each write of an update directly follows the write that its read observes. */
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

bool grf_check(const grf *g, grf_model model, grf_news news, grf_scratch *scratch)
{
    TD_ASSERT(model < GRF_N_MODELS);
    if (!is_atomic(g))
        return false;
    grf_writes_of(g, &scratch->writes);
    return model == GRF_SC    ? grf_sc(g, scratch)
           : model == GRF_TSO ? grf_tso(g, scratch)
                              : grf_rc11(g, news, scratch);
}

bool grf_consistent(const grf *g, grf_model model)
{
    grf_scratch scratch = {0};
    bool is = grf_check(g, model, GRF_ALL_NEW, &scratch);
    grf_scratch_fini(&scratch);
    return is;
}
