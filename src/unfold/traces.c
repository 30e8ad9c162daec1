/* SPDX-License-Identifier: Apache-2.0 */
#include "unfold/traces_int.h"

#include <stdlib.h>

/* All traces: the maximal configurations, each once.
 *
 * A search through the structure, without runs. Each node of the search has a configuration, and
 * refused events: all of them could come next, and no configuration below contains one of them. An
 * event is added and everything below is searched; then it is refused, and the search continues from
 * the same configuration, if there is an alternative: events compatible with the configuration that
 * include, for each refused event, one in conflict with it. They are wanted: the next event added is
 * one of them, so that the search ends in a trace and not where only refused events remain. Two
 * traces below two nodes differ, as one has an event with which the other conflicts.
 *
 * To find an alternative is hard in general (alternative.c); if it takes too long, the search continues
 *  without one, and may find nothing. This costs time, and no run.
 *
 * Which event a thread at a history does in a configuration is known: its next operation, in the
 * last state of its object, after the reads of that state. So it is found by its id.
 *
 * The search may be for a part: it starts with the events that the part has, and refuses those that
 * it lacks as soon as they can come next.
 *
 * With a bound on preemptions the search backtracks if the configuration needs more of them, whatever
 * is added (preemption_lower_bound.h). For a trace, a path within the bound is searched
 * (preemption_path.c); if there is none, perhaps a prefix of its events is the reason, and the search
 * goes back to before the last of these. Everything reachable within the bound is known, so a path
 * leads over known events only; and a configuration that has one, and to which no known event can be
 * added, is a whole trace: its run would continue without a preemption to an event that were known. */

static int compare_starts(const void *a, const void *b)
{
    uint32_t x = ((const trace_start *)a)->create, y = ((const trace_start *)b)->create;
    return (x > y) - (x < y);
}

/* A thread starts when it is created. */
static void find_starts(unf_traces *t)
{
    const unf *u = t->u;
    for (uint32_t i = 0; i < u->nodes.len; i++) {
        const unf_node *n = node_at(u, i);
        if (n->kind == UNF_START && n->before != UNF_NONE && n->status == UNF_EXECUTED)
            trace_start_vec_push(&t->starts, (trace_start){n->before, i});
    }
    if (t->starts.len > 0)
        qsort(t->starts.at, t->starts.len, sizeof t->starts.at[0], compare_starts);
}

/* The START of a CREATE, UNF_NONE. */
static uint32_t start_of(const unf_traces *t, uint32_t create)
{
    size_t low = 0, high = t->starts.len;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (t->starts.at[middle].create < create)
            low = middle + 1;
        else
            high = middle;
    }
    bool is_there = low < t->starts.len && t->starts.at[low].create == create;
    return is_there ? t->starts.at[low].start : UNF_NONE;
}

/* ---- the configuration ---- */

static uint32_t *reads_of(unf_traces *t, uint32_t object)
{
    while (t->reads.len <= object)
        unf_vec_push(&t->reads, 0);
    return &t->reads.at[object];
}

unf_mark unf_traces_mark(const unf_traces *t)
{
    return (unf_mark){(uint32_t)unf_cfg_len(t->cfg), (uint32_t)t->changes.len,
                      (uint32_t)t->links.len};
}

void unf_traces_back(unf_traces *t, unf_mark m)
{
    TD_ASSERT(m.n_changes <= t->changes.len && m.n_links <= t->links.len &&
              m.n_links > 0);
    unf_cfg_cut(t->cfg, m.len);
    while (t->changes.len > m.n_changes) {
        trace_change c = trace_change_vec_pop(&t->changes);
        t->reads.at[c.object] = c.reads;
    }
    t->links.len = m.n_links;
}

/* A thread that is created starts at once. */
void unf_traces_add(unf_traces *t, uint32_t event)
{
    const unf_node *n = node_at(t->u, event);
    TD_ASSERT(event < t->n_nodes && n->status == UNF_EXECUTED);
    unf_cfg_add(t->cfg, event);
    uint32_t start = mdl_creates(n->kind) ? start_of(t, event) : UNF_NONE;
    if (start != UNF_NONE)
        unf_cfg_add(t->cfg, start);
    if (n->object == UNF_NONE)
        return;
    uint32_t *reads = reads_of(t, n->object);
    trace_change_vec_push(&t->changes, (trace_change){n->object, *reads});
    if (!node_is_read(n)) {
        *reads = 0;
        return;
    }
    unf_link_vec_push(&t->links, (unf_link){event, *reads});
    *reads = (uint32_t)t->links.len - 1;
}

static void learn_needed(unf_traces *t, size_t first)
{
    for (size_t i = first; t->preemption_path && i < unf_cfg_len(t->cfg); i++)
        unf_lower_bound_add(&t->lower_bound, unf_cfg_at(t->cfg, i));
}

/* What is still refused; then what is still wanted, if anything is. */
static void go_down(unf_traces *t, uint32_t event)
{
    trace_step s = {.node = t->node,
                    .event = event,
                    .n_numbers = (uint32_t)t->numbers.len,
                    .n_parted = t->n_parted,
                    .mark = unf_traces_mark(t)};
    TD_DASSERT(!unf_cfg_has(t->cfg, event));
    trace_step_vec_push(&t->path, s);
    unf_traces_add(t, event);
    learn_needed(t, s.mark.len);
    t->n_parted += t->preemption_path && unf_lower_bound_parts(&t->lower_bound, event);

    t->node.refused.first = (uint32_t)t->numbers.len;
    for (uint32_t i = 0; i < s.node.refused.n; i++) {
        uint32_t other = t->numbers.at[s.node.refused.first + i];
        if (unf_cfg_fits(t->cfg, other))
            unf_vec_push(&t->numbers, other);
    }
    t->node.refused.n = (uint32_t)t->numbers.len - t->node.refused.first;
    t->node.wanted.first = (uint32_t)t->numbers.len;
    for (uint32_t i = 0; i < s.node.wanted.n && t->node.refused.n > 0; i++) {
        uint32_t other = t->numbers.at[s.node.wanted.first + i];
        if (!unf_cfg_has(t->cfg, other))
            unf_vec_push(&t->numbers, other);
    }
    t->node.wanted.n = (uint32_t)t->numbers.len - t->node.wanted.first;
}

static trace_step go_up(unf_traces *t)
{
    TD_ASSERT(t->path.len > 0);
    trace_step s = trace_step_vec_pop(&t->path);
    TD_ASSERT(s.n_numbers <= t->numbers.len && s.n_parted <= t->n_parted);
    unf_traces_back(t, s.mark);
    t->numbers.len = s.n_numbers;
    t->node = s.node;
    t->n_parted = s.n_parted;
    if (t->preemption_path)
        unf_lower_bound_cut(&t->lower_bound, s.mark.len);
    return s;
}

/* ---- what comes next ---- */

/* True if all direct causes of an event that fits are in the configuration. */
static bool is_ready(const unf_traces *t, uint32_t event)
{
    const unf_node *n = node_at(t->u, event);
    const uint32_t *reads = node_reads(t->u, n);
    bool ready = (n->before == UNF_NONE || unf_cfg_has(t->cfg, n->before)) &&
                 (n->after == UNF_NONE || unf_cfg_has(t->cfg, n->after));
    for (uint32_t i = 0; i < node_n_reads(t->u, n) && ready; i++)
        ready = unf_cfg_has(t->cfg, reads[i]);
    return ready;
}

static void list_children(unf_traces *t, uint32_t history)
{
    for (uint32_t c = unf_first_child(t->u, history); c != UNF_NONE;
         c = unf_next_child(t->u, c))
        if (c < t->n_nodes && node_at(t->u, c)->status == UNF_EXECUTED && is_ready(t, c))
            unf_vec_push(&t->next, c);
}

static void list_found(unf_traces *t, td_id id)
{
    uint32_t event = unf_find(t->u, id);
    if (event < t->n_nodes && node_at(t->u, event)->status == UNF_EXECUTED)
        unf_vec_push(&t->next, event);
}

/* The thread's next operation. */
static void list_outcomes(unf_traces *t, uint32_t history)
{
    unf *u = t->u;
    const unf_node *h = node_at(u, history);
    unf_node n = {.before = history,
                  .after = UNF_NONE,
                  .thread = h->thread,
                  .object = h->next_object};
    unf_vec_clear(&t->chosen);
    if (n.object != UNF_NONE) {
        n.after = unf_cfg_state(t->cfg, n.object).ix;
        if ((node_at(u, n.after)->flags & NODE_LAST) ||
            (mdl_joins(h->next_kind) && !mdl_ends(node_at(u, n.after)->kind)))
            return;
        for (uint32_t l = *reads_of(t, n.object); l; l = t->links.at[l].next)
            unf_vec_push(&t->chosen, t->links.at[l].event);
    }
    const uint8_t kinds[] = {h->next_kind, mdl_failed_kind(h->next_kind)};
    for (size_t i = 0; i < sizeof kinds && kinds[i]; i++) {
        n.kind = kinds[i];
        uint32_t n_reads = node_is_state(&n) ? (uint32_t)t->chosen.len : 0;
        list_found(t, unf_id_of(u, &n, t->chosen.at, n_reads));
    }
}

/* The events that the thread can do now, in next. */
void unf_traces_list(unf_traces *t, uint32_t thread)
{
    TD_DASSERT(thread < t->u->threads.len);
    uint32_t history = unf_cfg_top(t->cfg, thread);
    unf_vec_clear(&t->next);
    if (history == UNF_NONE || unf_silent_joins_skips(t->u, history))
        return;
    const unf_node *h = node_at(t->u, history);
    if ((h->flags & NODE_LAST) || mdl_ends(h->kind) || mdl_ends(h->next_kind))
        return;
    bool is_known = t->u->losses.changed == 0;
    if (is_known && h->next_kind == 0)
        list_found(t, unf_end_describe(t->u, history).id);
    else if (!mdl_is_op(h->next_kind) || mdl_decides(h->next_kind) ||
             (h->next_object == UNF_NONE && !is_known))
        list_children(t, history);
    else
        list_outcomes(t, history);
}

/* Chooses the event to add: a wanted one, or any that is not refused. UNF_NONE: none; then *is_trace is true
 * if no event is refused either. */
static uint32_t choose(unf_traces *t, bool *is_trace)
{
    *is_trace = false;
    for (uint32_t i = 0; i < t->node.wanted.n; i++) {
        uint32_t event = t->numbers.at[t->node.wanted.first + i];
        if (node_at(t->u, event)->kind != UNF_START && is_ready(t, event))
            return event;
    }
    uint32_t n = (uint32_t)t->u->threads.len;
    uint32_t last =
        t->path.len ? node_at(t->u, t->path.at[t->path.len - 1].event)->thread : 0;
    bool any = false;
    for (uint32_t k = 0; k < n; k++) {
        unf_traces_list(t, (last + k) % n);
        for (size_t i = 0; i < t->next.len; i++) {
            if (!unf_is_among(&t->numbers.at[t->node.refused.first], t->node.refused.n,
                              t->next.at[i]))
                return t->next.at[i];
            any = true;
        }
    }
    *is_trace = !any;
    return UNF_NONE;
}

/* What is below the event was searched: refuses it. False: every trace with the
 * configuration was found. */
static bool refuse(unf_traces *t, uint32_t event)
{
    trace_range was = t->node.refused;
    trace_node node = {.refused = {(uint32_t)t->numbers.len, was.n + 1}};
    unf_vec_reserve(&t->numbers, t->numbers.len + was.n + 1);
    unf_vec_append(&t->numbers, &t->numbers.at[was.first], was.n);
    unf_vec_push(&t->numbers, event);

    unf_mark m = unf_traces_mark(t);
    const uint32_t *refused = &t->numbers.at[node.refused.first];
    unf_alternative result = unf_find_alternative(t, refused, node.refused.n);
    node.wanted.first = (uint32_t)t->numbers.len;
    if (result == UNF_THERE)
        for (size_t i = m.len; i < unf_cfg_len(t->cfg); i++)
            unf_vec_push(&t->numbers, unf_cfg_at(t->cfg, i));
    node.wanted.n = (uint32_t)t->numbers.len - node.wanted.first;
    unf_traces_back(t, m);
    TD_ASSERT(node.wanted.first >= node.refused.first + node.refused.n);
    t->node = node;
    return result != UNF_NOT_THERE;
}

/* ---- parts ---- */

static bool is_refused(const unf_traces *t, uint32_t event)
{
    return unf_is_among(&t->numbers.at[t->node.refused.first], t->node.refused.n, event);
}

/* Refuses what is lacked and can come next now. False: every trace with the configuration has some
 * of it. */
static bool refuse_lacked(unf_traces *t)
{
    for (size_t i = 0; i < t->lacks.len; i++) {
        uint32_t event = t->lacks.at[i];
        if (is_ready(t, event) && !is_refused(t, event) && unf_cfg_fits(t->cfg, event) &&
            !refuse(t, event))
            return false;
    }
    return true;
}

/* Adds events and their causes, causes first. */
static void add_in_order(unf_traces *t, const unf_vec *events)
{
    unf_cfg *all = unf_cfg_new(t->u);
    unf_vec order = {0};
    for (size_t i = 0; i < events->len; i++)
        unf_cfg_add(all, events->at[i]);
    for (size_t i = 0; i < unf_cfg_len(all); i++)
        unf_vec_push(&order, unf_cfg_at(all, i));
    if (order.len > 0)
        qsort(order.at, order.len, sizeof order.at[0], unf_compare_numbers);
    for (size_t i = 0; i < order.len; i++)
        if (node_at(t->u, order.at[i])->kind < UNF_START)
            unf_traces_add(t, order.at[i]);
    unf_vec_fini(&order);
    unf_cfg_free(all);
}

void unf_traces_of(unf_traces *t, const unf_part *p)
{
    TD_ASSERT(t->path.len == 0 && !t->preemption_path);
    add_in_order(t, &p->has);
    unf_vec_append(&t->lacks, p->lacks.at, p->lacks.len);
    t->has_ended = !unf_feasible(t->u, t->cfg) || !refuse_lacked(t);
}

/* What was refused here because all with it was searched; UNF_NONE. */
static uint32_t first_done(const unf_traces *t)
{
    for (uint32_t i = 0; i < t->node.refused.n; i++) {
        uint32_t event = t->numbers.at[t->node.refused.first + i];
        if (!unf_traces_lack(t, event) && !(node_at(t->u, event)->flags & NODE_LAST))
            return event;
    }
    return UNF_NONE;
}

/* True if a trace from here on may go without the event. */
static bool is_optional(unf_traces *t, uint32_t event)
{
    trace_node was = t->node;
    size_t n_numbers = t->numbers.len;
    bool found = !(node_at(t->u, event)->flags & NODE_LAST) && refuse(t, event);
    TD_ASSERT(n_numbers <= t->numbers.len);
    t->numbers.len = n_numbers;
    t->node = was;
    return found;
}

/* Nearest to the start: if something was searched to its end there, the rest is without it; else
 * the rest is what goes without the event that was added there. */
uint32_t unf_traces_fork(unf_traces *t)
{
    unf_vec path = {
        0}; /* by level, the last one first: what was done there, what was added */
    while (t->path.len > 0) {
        uint32_t event = go_up(t).event;
        unf_vec_push(&path, event);
        unf_vec_push(&path, first_done(t));
    }
    uint32_t found = UNF_NONE;
    while (found == UNF_NONE && path.len > 0) {
        found = unf_vec_pop(&path);
        uint32_t event = unf_vec_pop(&path);
        if (found == UNF_NONE && is_optional(t, event))
            found = event;
        go_down(t, event);
        (void)refuse_lacked(t);
    }
    unf_vec_fini(&path);
    t->has_ended = true;
    return found;
}

/* ---- the search ---- */

unf_traces *unf_traces_new(unf *u)
{
    unf_traces *t = td_alloc(sizeof *t);
    t->u = u;
    t->cfg = unf_cfg_new(u);
    unf_link_vec_push(&t->links, (unf_link){0});
    unf_vec_reserve(&t->numbers, 1); /* empty ranges have a place, too */
    t->n_nodes = (uint32_t)u->nodes.len;
    find_starts(t);
    unf_futures_find(&t->futures, u);
    for (uint32_t i = 0; i < u->nodes.len; i++)
        if (node_at(u, i)->kind == UNF_START && node_at(u, i)->before == UNF_NONE)
            unf_cfg_add(t->cfg, i);
    return t;
}

void unf_traces_free(unf_traces *t)
{
    if (!t)
        return;
    unf_cfg_free(t->cfg);
    unf_lower_bound_fini(&t->lower_bound);
    trace_step_vec_fini(&t->path);
    unf_vec_fini(&t->numbers);
    trace_start_vec_fini(&t->starts);
    unf_vec_fini(&t->reads);
    unf_link_vec_fini(&t->links);
    trace_change_vec_fini(&t->changes);
    unf_futures_fini(&t->futures);
    unf_vec_fini(&t->chosen);
    unf_vec_fini(&t->next);
    unf_vec_fini(&t->lacks);
    td_free(t);
}

/* A trace without operations has a name, too. */
static const td_id no_operations = {1, 0};

td_id unf_trace_of(const trc *t)
{
    td_id sum = no_operations;
    for (size_t i = 0; i < t->ops.len; i++)
        if (mdl_in_digest(t->ops.at[i].kind))
            sum = td_id_sum(sum, t->ops.at[i].id);
    return sum;
}

td_id unf_cfg_trace(const unf_cfg *c)
{
    const unf *u = unf_cfg_of(c);
    td_id sum = no_operations;
    for (size_t i = 0; i < unf_cfg_len(c); i++) {
        const unf_node *n = node_at(u, unf_cfg_at(c, i));
        if (mdl_in_digest(n->kind))
            sum = td_id_sum(sum, n->id);
    }
    return sum;
}

/* False if an event of another thread comes between the operations of an atomic section, whose thread is
 * blocked by it: the structure does not exclude such configurations. */
static bool has_whole_sections(const unf_traces *t)
{
    const unf *u = t->u;
    for (uint32_t thread = 0; u->has_sections && thread < u->threads.len; thread++) {
        uint32_t top = unf_cfg_top(t->cfg, thread);
        if (top == UNF_NONE || !(node_at(u, top)->flags & NODE_INSIDE))
            continue;
        const unf_node *h = node_at(u, top);
        if (h->next_object == UNF_NONE ||
            !unf_waits(u, top, unf_cfg_state(t->cfg, h->next_object)))
            return false;
    }
    return true;
}

/* ---- the bound on preemptions ---- */

void unf_traces_bound(unf_traces *t, unf_path *path, uint32_t bound)
{
    TD_ASSERT(t->path.len == 0);
    t->preemption_path = path;
    t->bound = bound;
    unf_lower_bound_clear(&t->lower_bound, t->u);
    learn_needed(t, 0);
}

uint64_t unf_traces_n_cut(const unf_traces *t)
{
    return t->n_cut;
}

static bool is_beyond(unf_traces *t)
{
    if (!t->preemption_path)
        return false;
    uint32_t n = t->n_parted;
    for (uint32_t thread = 0; thread < t->u->threads.len && n <= t->bound; thread++) {
        uint32_t top = unf_cfg_top(t->cfg, thread);
        n += top != UNF_NONE && unf_lower_bound_replaced(&t->lower_bound, t->cfg, top);
    }
    t->n_cut += n > t->bound;
    return n > t->bound;
}

/* The configuration after the first n steps. */
static unf_reach reach_of(unf_traces *t, size_t n)
{
    size_t len = n < t->path.len ? t->path.at[n].mark.len : unf_cfg_len(t->cfg);
    TD_ASSERT(t->preemption_path && len <= unf_cfg_len(t->cfg));
    return unf_path_through(t->preemption_path, t->cfg, len, t->bound);
}

unf_reach unf_traces_within(unf_traces *t)
{
    unf_reach result = reach_of(t, t->path.len);
    if (result != UNF_BEYOND)
        return result;
    size_t low = 1, high = t->path.len;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (reach_of(t, middle) == UNF_BEYOND)
            high = middle;
        else
            low = middle + 1;
    }
    TD_ASSERT(high <= t->path.len);
    while (t->path.len > high)
        go_up(t);
    t->n_cut++;
    return UNF_BEYOND;
}

unf_cfg *unf_traces_next(unf_traces *t)
{
    while (!t->has_ended && !td_stops(t->u->stop)) {
        if (t->is_back) {
            if (t->path.len == 0)
                break;
            trace_step s = go_up(t);
            t->is_back = !refuse(t, s.event);
            continue;
        }
        bool is_trace;
        uint32_t event = choose(t, &is_trace);
        t->is_back = event == UNF_NONE;
        if (is_trace && has_whole_sections(t))
            return t->cfg;
        if (event == UNF_NONE)
            continue;
        go_down(t, event);
        const unf_node *n = node_at(t->u, event);
        t->is_back = unf_ends_run(n) || is_beyond(t) ||
                     (unf_is_asked_about(t->u, n) && !unf_feasible(t->u, t->cfg)) ||
                     !refuse_lacked(t);
    }
    t->has_ended = true;
    return NULL;
}
