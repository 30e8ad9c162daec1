/* SPDX-License-Identifier: Apache-2.0 */
/* Sequential consistency: there is one order of everything. */
#include "graph/graph_int.h"

bool grf_sc(const grf *g, grf_scratch *scratch)
{
    grf_edge_vec_clear(&scratch->edges);
    grf_edges_native(g, &scratch->writes, &scratch->edges);
    grf_edges_communication(g, &scratch->writes, false, &scratch->edges);
    return grf_acyclic(scratch, (uint32_t)g->events.len);
}
