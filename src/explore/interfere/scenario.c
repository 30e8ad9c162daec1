/* SPDX-License-Identifier: Apache-2.0 */
#include "explore/interfere/scenario.h"

#include "base/assert.h"

void xpl_scenario_fini(xpl_scenario *s)
{
    xpl_u32_vec_fini(&s->ends);
    xpl_edge_vec_fini(&s->edges);
}

void xpl_scenario_copy(xpl_scenario *to, const xpl_scenario *from)
{
    to->target = from->target;
    to->degree = from->degree;
    xpl_u32_vec_clear(&to->ends);
    xpl_u32_vec_append(&to->ends, from->ends.at, from->ends.len);
    xpl_edge_vec_clear(&to->edges);
    xpl_edge_vec_append(&to->edges, from->edges.at, from->edges.len);
}

bool xpl_scenario_reach(xpl_scenario *s, const xpl_forest *f, const xpl_target *t,
                        uint32_t node)
{
    uint32_t tree = xpl_node_at(f, node)->tree;
    if (tree == t->tree)
        return t->before != XPL_NONE && xpl_forest_leads(f, node, t->before);
    size_t i = 0;
    while (i < s->ends.len && xpl_node_at(f, s->ends.at[i])->tree < tree)
        i++;
    if (i < s->ends.len && xpl_node_at(f, s->ends.at[i])->tree == tree) {
        if (xpl_forest_leads(f, node, s->ends.at[i]))
            return true;
        if (!xpl_forest_leads(f, s->ends.at[i], node))
            return false;
        s->ends.at[i] = node;
        return true;
    }
    TD_ASSERT(i == s->ends.len ||
              xpl_node_at(f, s->ends.at[i])->tree > tree); /* by growing tree */
    xpl_u32_vec_push(&s->ends, node);
    memmove(&s->ends.at[i + 1], &s->ends.at[i],
            (s->ends.len - 1 - i) * sizeof s->ends.at[0]);
    s->ends.at[i] = node;
    return true;
}

void xpl_scenario_couple(xpl_scenario *s, uint32_t read, uint32_t write)
{
    size_t i = 0;
    while (i < s->edges.len && s->edges.at[i].read < read)
        i++;
    TD_ASSERT(i == s->edges.len ||
              s->edges.at[i].read != read); /* a read sees one write */
    xpl_edge_vec_push(&s->edges, (xpl_edge){read, write});
    memmove(&s->edges.at[i + 1], &s->edges.at[i],
            (s->edges.len - 1 - i) * sizeof s->edges.at[0]);
    s->edges.at[i] = (xpl_edge){read, write};
}

uint32_t xpl_scenario_source(const xpl_scenario *s, uint32_t read)
{
    for (size_t i = 0; i < s->edges.len; i++)
        if (s->edges.at[i].read == read)
            return s->edges.at[i].write;
    return XPL_NONE;
}

static uint32_t explicit_end(const xpl_scenario *s, const xpl_forest *f, uint32_t tree)
{
    for (size_t i = 0; i < s->ends.len; i++)
        if (xpl_node_at(f, s->ends.at[i])->tree == tree)
            return s->ends.at[i];
    return XPL_NONE;
}

/* Seen from node, which may be XPL_NONE. */
static bool is_before(const xpl_scenario *s, const xpl_forest *f, uint32_t write,
                      uint32_t node)
{
    for (; node != XPL_NONE; node = f->trees.at[xpl_node_at(f, node)->tree].create) {
        if (xpl_node_at(f, node)->tree == xpl_node_at(f, write)->tree)
            return xpl_forest_leads(f, write, node);
        for (uint32_t k = node; k != XPL_NONE; k = xpl_node_at(f, k)->before)
            if (mdl_joins(xpl_node_at(f, k)->kind)) {
                uint32_t end = explicit_end(s, f, xpl_node_at(f, k)->other);
                bool is_its = end != XPL_NONE &&
                              xpl_node_at(f, end)->tree == xpl_node_at(f, write)->tree;
                if (is_its || (end != XPL_NONE && is_before(s, f, write, end)))
                    return true;
            }
    }
    return false;
}

bool xpl_scenario_before(const xpl_scenario *s, const xpl_forest *f, uint32_t write,
                         uint32_t read)
{
    return is_before(s, f, write, read);
}

static void deepen(const xpl_forest *f, uint32_t tree, uint32_t node, uint32_t *deepest)
{
    for (; node != XPL_NONE; node = f->trees.at[xpl_node_at(f, node)->tree].create)
        if (xpl_node_at(f, node)->tree == tree &&
            (*deepest == XPL_NONE || xpl_forest_leads(f, *deepest, node)))
            *deepest = node;
}

uint32_t xpl_scenario_end(const xpl_scenario *s, const xpl_forest *f, const xpl_target *t,
                          uint32_t tree)
{
    TD_ASSERT(tree < f->trees.len);
    uint32_t end = XPL_NONE;
    deepen(f, tree, t->before, &end);
    deepen(f, tree, f->trees.at[t->tree].create, &end);
    for (size_t i = 0; i < s->ends.len; i++)
        deepen(f, tree, s->ends.at[i], &end);
    return end;
}
