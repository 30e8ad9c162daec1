/* SPDX-License-Identifier: Apache-2.0 */
/* Sequential consistency: there is one order of everything. */
#include "graph/graph_int.h"

bool grf_sc(const grf *g, const grf_writes *w)
{
    grf_edge_vec edges = {0};
    grf_edges_native(g, w, &edges);
    grf_edges_communication(g, w, false, &edges);
    bool is = grf_acyclic((uint32_t)g->events.len, &edges);
    grf_edge_vec_fini(&edges);
    return is;
}
