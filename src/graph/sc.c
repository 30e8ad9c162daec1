/* SPDX-License-Identifier: Apache-2.0 */
/* Sequential consistency: there is one order of everything. */
#include "graph/graph_int.h"

bool grf_sc(const grf *g, grf_room *room)
{
    grf_edge_vec_clear(&room->edges);
    grf_edges_native(g, &room->writes, &room->edges);
    grf_edges_communication(g, &room->writes, false, &room->edges);
    return grf_acyclic(room, (uint32_t)g->events.len);
}
