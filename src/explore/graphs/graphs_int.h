/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of explore/graphs share. */
#pragma once

#include "base/map.h"
#include "graph/graph.h"
#include "trace/trace.h"

/* The run as a graph, events in the order in which they were executed. stuck: reads of the job that
 * its run did not make, as their threads have to wait there; they come first of what is behind the
 * events, and what other threads wait for at the end of the run. False: the run contradicts
 * itself. */
bool xpl_graph_of(const trc *t, const grf_event_vec *stuck, grf *out);
