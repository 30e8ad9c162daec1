/* SPDX-License-Identifier: Apache-2.0 */
/* Decides whether runs are all traces of a program, and whether their events are all of its local states.
 * The rules and their proofs: docs/limits.md. */
#include "certify/certify.h"

enum { TAG_SET = 16, TAG_DONE };

TD_VEC(crt_list, list_vec);

static td_id set_id(const crt_list *set)
{
    return crt_id_of(set->at, set->len * sizeof set->at[0], TAG_SET);
}

static td_id obligation_id(const crt_list *set, const crt_ask *a)
{
    td_id id = set_id(set);
    uint64_t words[] = {id.lo, id.hi, a->thread, a->before};
    return crt_id_of(words, sizeof words, TAG_DONE);
}

static void stack_clear(list_vec *stack)
{
    for (size_t i = 0; i < stack->len; i++)
        crt_list_fini(&stack->at[i]);
    list_vec_clear(stack);
}

/* False; the obligation is kept. */
static bool is_missing(crt *c, const crt_list *in, const crt_ask *a)
{
    crt_list_clear(&c->missing);
    crt_list_append(&c->missing, in->at, in->len);
    c->missing_thread = a->thread;
    return false;
}

/* ---- which runs have an event ---- */

void crt_index_runs(crt *c)
{
    crt_list_clear(&c->first_run_of);
    crt_list_clear(&c->runs_of);
    for (size_t i = 0; i <= c->events.len; i++)
        crt_list_push(&c->first_run_of, 0);
    for (size_t i = 0; i < c->members.len; i++) {
        c->first_run_of.at[c->members.at[i] + 1]++;
        crt_list_push(&c->runs_of, 0);
    }
    for (size_t i = 0; i < c->events.len; i++)
        c->first_run_of.at[i + 1] += c->first_run_of.at[i];
    crt_list at = {0};
    crt_list_append(&at, c->first_run_of.at, c->first_run_of.len);
    for (uint32_t r = 0; r < c->runs.len; r++)
        for (uint32_t i = 0; i < c->runs.at[r].n; i++)
            c->runs_of.at[at.at[c->members.at[c->runs.at[r].first + i]]++] = r;
    crt_list_fini(&at);
}

static bool run_has(const crt *c, uint32_t run, uint32_t event)
{
    size_t lo = 0, hi = c->runs.at[run].n;
    if (hi == 0)
        return false;
    const uint32_t *at = c->members.at + c->runs.at[run].first;
    while (lo < hi) {
        size_t mid = (lo + hi) / 2;
        if (at[mid] < event)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo < c->runs.at[run].n && at[lo] == event;
}

static uint32_t n_runs_of(const crt *c, uint32_t event)
{
    return c->first_run_of.at[event + 1] - c->first_run_of.at[event];
}

/* The last event of each thread, CRT_NONE. */
static void tops_by_thread(const crt *c, const crt_list *in, crt_list *tops)
{
    crt_list_clear(tops);
    for (uint32_t i = 0; i < c->n_threads; i++)
        crt_list_push(tops, CRT_NONE);
    for (size_t i = 0; i < in->len; i++)
        tops->at[c->events.at[in->at[i]].ask.thread] = in->at[i];
}

/* The same without threads that have none: these events determine the configuration. */
static void tops_of(const crt *c, const crt_list *in, crt_list *tops)
{
    tops_by_thread(c, in, tops);
    size_t n = 0;
    for (size_t i = 0; i < tops->len; i++)
        if (tops->at[i] != CRT_NONE)
            tops->at[n++] = tops->at[i];
    tops->len = n;
}

/* Some run has all of a configuration and the event. */
static bool is_in_run(const crt *c, const crt_list *in, uint32_t event)
{
    crt_list tops = {0};
    tops_of(c, in, &tops);
    uint32_t rare = event;
    for (size_t i = 0; i < tops.len; i++)
        rare = n_runs_of(c, tops.at[i]) < n_runs_of(c, rare) ? tops.at[i] : rare;
    bool found = false;
    for (uint32_t k = c->first_run_of.at[rare];
         !found && k < c->first_run_of.at[rare + 1]; k++) {
        found = run_has(c, c->runs_of.at[k], event);
        for (size_t i = 0; found && i < tops.len; i++)
            found = run_has(c, c->runs_of.at[k], tops.at[i]);
    }
    crt_list_fini(&tops);
    return found;
}

/* ---- traces ---- */

/* Without an event and all that it is a cause of. */
static crt_list without(const crt *c, const crt_list *in, uint32_t event)
{
    crt_list out = {0};
    for (size_t i = 0; i < in->len; i++)
        if (!crt_is_before(c, event, in->at[i]))
            crt_list_push(&out, in->at[i]);
    return out;
}

/* Pushes the configuration without each of the events that no other of them is behind. */
static void push_without_last(const crt *c, const crt_list *in, const crt_list *events,
                              list_vec *stack)
{
    for (size_t i = 0; i < events->len; i++) {
        bool is_last = true;
        for (size_t k = 0; is_last && k < events->len; k++)
            is_last = k == i || !crt_is_before(c, events->at[i], events->at[k]);
        if (is_last)
            list_vec_push(stack, without(c, in, events->at[i]));
    }
}

typedef struct traces {
    crt *c;
    td_id_set done; /* obligations that are covered */
    list_vec stack;
    crt_list depends;
} traces;

/* The obligations of one operation from the configurations on the stack on. */
static bool walk(traces *w, const crt_ask *a)
{
    crt *c = w->c;
    while (w->stack.len > 0) {
        crt_list in = list_vec_pop(&w->stack);
        uint32_t event;
        bool is_fine = true;
        if (td_id_set_add(&w->done, obligation_id(&in, a))) {
            if (crt_place(c, &in, a, &event)) {
                c->n_obligations++;
                is_fine = (event != CRT_NONE && is_in_run(c, &in, event)) ||
                          is_missing(c, &in, a);
            } else {
                crt_depends(c, &in, a, &w->depends);
                push_without_last(c, &in, &w->depends, &w->stack);
            }
        }
        crt_list_fini(&in);
        if (!is_fine)
            return false;
    }
    return true;
}

/* event: what the operation was in the run; CRT_NONE: it waits at the end. */
static bool check_operation(traces *w, const crt_list *run, const crt_ask *a,
                            uint32_t event)
{
    const crt *c = w->c;
    if (event == CRT_NONE) {
        crt_depends(c, run, a, &w->depends);
        push_without_last(c, run, &w->depends, &w->stack);
        return walk(w, a);
    }
    const crt_event *e = &c->events.at[event];
    crt_list_clear(&w->depends);
    for (uint32_t i = 0; i < e->n_causes; i++)
        if (!crt_knows(c, a->before, c->pool.at[e->causes + i]))
            crt_list_push(&w->depends, c->pool.at[e->causes + i]);
    if (w->depends.len == 0)
        return true;
    crt_list before = without(c, run, event);
    push_without_last(c, &before, &w->depends, &w->stack);
    crt_list_fini(&before);
    return walk(w, a);
}

static bool check_run(traces *w, const crt_list *run)
{
    const crt *c = w->c;
    crt_list last = {0}; /* by thread; a thread that was created: its creation */
    bool is_fine = true;
    for (uint32_t i = 0; i < c->n_threads; i++)
        crt_list_push(&last, CRT_NONE);
    crt_list known = {0};
    crt_list_push(&known, 0);
    for (size_t i = 0; is_fine && i < run->len; i++) {
        const crt_event *e = &c->events.at[run->at[i]];
        last.at[e->ask.thread] = run->at[i];
        if (e->created != CRT_NONE) {
            last.at[e->created] = run->at[i];
            crt_list_push(&known, e->created);
        }
        is_fine = check_operation(w, run, &e->ask, run->at[i]);
    }
    for (size_t i = 0; is_fine && i < known.len; i++) {
        const crt_ask *a = crt_ask_after(c, known.at[i], last.at[known.at[i]]);
        if (a)
            is_fine = check_operation(w, run, a, CRT_NONE);
    }
    crt_list_fini(&last);
    crt_list_fini(&known);
    return is_fine;
}

bool crt_traces_closed(crt *c)
{
    traces w = {.c = c};
    bool is_fine = c->runs.len > 0;
    c->missing_thread = 0; /* without runs: main's first operation */
    for (uint32_t i = 0; is_fine && i < c->runs.len; i++) {
        crt_list run = {0};
        crt_events_of(c, i, &run);
        is_fine = check_run(&w, &run);
        crt_list_fini(&run);
    }
    stack_clear(&w.stack);
    list_vec_fini(&w.stack);
    td_id_set_fini(&w.done);
    crt_list_fini(&w.depends);
    return is_fine;
}

/* ---- states ---- */

static bool has(const crt_list *in, uint32_t event)
{
    for (size_t i = 0; i < in->len; i++)
        if (in->at[i] == event)
            return true;
    return false;
}

/* Both with all causes in one list, rising. */
static void unite(const crt_list *a, const crt_list *b, crt_list *out)
{
    size_t i = 0, k = 0;
    crt_list_clear(out);
    while (i < a->len || k < b->len) {
        uint32_t x = i < a->len ? a->at[i] : CRT_NONE,
                 y = k < b->len ? b->at[k] : CRT_NONE;
        crt_list_push(out, x < y ? x : y);
        i += x <= y;
        k += y <= x;
    }
}

/* Executes a set of events that holds its causes: it is a configuration if each of them becomes itself. */
static bool is_configuration(const crt *c, const crt_list *in)
{
    crt_list before = {0};
    td_id_set histories = {0};
    bool is = true;
    for (size_t i = 0; is && i < in->len; i++) {
        const crt_event *e = &c->events.at[in->at[i]];
        uint64_t words[] = {e->ask.thread, e->ask.before};
        uint32_t event;
        is = td_id_set_add(&histories, crt_id_of(words, sizeof words, TAG_SET));
        crt_place(c, &before, &e->ask, &event);
        is = is && event == in->at[i];
        crt_list_push(&before, in->at[i]);
    }
    crt_list_fini(&before);
    td_id_set_fini(&histories);
    return is;
}

typedef struct states {
    crt *c;
    td_id_set seen;
    list_vec stack;
    crt_list next, cone, both, tops;
} states;

/* The event of its thread at a depth, from a later one on. */
static uint32_t at_depth(const crt *c, uint32_t event, uint32_t depth)
{
    while (c->events.at[event].depth > depth)
        event = c->events.at[event].ask.before;
    return event;
}

/* A quick look: what a thread did in one of two sets that fit together is a beginning of what it did in the other. */
static bool may_fit(const crt *c, const crt_list *tops, uint32_t event)
{
    const crt_event *e = &c->events.at[event];
    for (uint32_t i = 0; i < e->n_clock; i++) {
        uint32_t x = tops->at[i], y = c->pool.at[e->tops + i];
        if (x == CRT_NONE || y == CRT_NONE || x == y)
            continue;
        uint32_t m = c->events.at[x].depth, n = c->events.at[y].depth;
        if (m < n ? at_depth(c, y, m) != x : at_depth(c, x, n) != y)
            return false;
    }
    return true;
}

/* Events that may come next at the spots of the operation, and change what it finds. */
static void next_of(states *w, const crt_list *in, const crt_ask *a)
{
    const crt *c = w->c;
    crt_list_clear(&w->next);
    tops_by_thread(c, in, &w->tops);
    for (uint32_t i = 0; i < a->spots.n; i++) {
        crt_spot spot = a->spots.first + i * CRT_NEXT_BYTE;
        uint32_t last = CRT_NONE;
        for (size_t k = in->len; k-- > 0 && last == CRT_NONE;) {
            const crt_event *e = &c->events.at[in->at[k]];
            if (crt_has_spot(&e->ask, spot) && crt_effect_of(e->turned) == CRT_E)
                last = in->at[k];
        }
        const uint32_t *first = crt_index_find(&c->next_at, crt_spot_id(spot, last));
        for (uint32_t l = first ? *first - 1 : CRT_NONE; l != CRT_NONE;
             l = c->links.at[l].next) {
            const crt_event *e = &c->events.at[c->links.at[l].event];
            bool matters =
                crt_effect_of(e->turned) == CRT_E || crt_can_be(a->kind, CRT_E);
            if (matters && e->ask.thread != a->thread &&
                may_fit(c, &w->tops, c->links.at[l].event) &&
                !has(in, c->links.at[l].event))
                crt_list_push(&w->next, c->links.at[l].event);
        }
    }
}

/* True if the thread is still at the history in the set. */
static bool is_there(const crt *c, const crt_list *in, const crt_ask *a)
{
    for (size_t i = 0; i < in->len; i++) {
        const crt_ask *b = &c->events.at[in->at[i]].ask;
        if (b->thread == a->thread && b->before == a->before)
            return false;
    }
    return true;
}

static bool check_history(states *w, const crt_ask *a)
{
    crt *c = w->c;
    crt_list start = {0};
    bool is_fine = true;
    td_id_set_clear(&w->seen);
    crt_cone(c, a->before, &start);
    list_vec_push(&w->stack, start);
    while (is_fine && w->stack.len > 0) {
        crt_list in = list_vec_pop(&w->stack);
        uint32_t event;
        if (td_id_set_add(&w->seen, set_id(&in))) {
            bool is = crt_place(c, &in, a, &event);
            c->n_obligations += is;
            is_fine = !is || event != CRT_NONE || is_missing(c, &in, a);
            next_of(w, &in, a);
            for (size_t i = 0; is_fine && i < w->next.len; i++) {
                crt_cone(c, w->next.at[i], &w->cone);
                unite(&in, &w->cone, &w->both);
                if (!is_there(c, &w->both, a) || !is_configuration(c, &w->both))
                    continue;
                crt_list more = {0};
                crt_list_append(&more, w->both.at, w->both.len);
                list_vec_push(&w->stack, more);
            }
        }
        crt_list_fini(&in);
    }
    stack_clear(&w->stack);
    return is_fine;
}

bool crt_states_closed(crt *c)
{
    states w = {.c = c};
    bool is_fine = c->runs.len > 0;
    c->missing_thread = 0;
    for (size_t i = 0; is_fine && i < c->asks.len; i++) {
        crt_ask a = c->asks.at[i];
        is_fine = a.kind == WIRE_FAIL || check_history(&w, &a);
    }
    list_vec_fini(&w.stack);
    td_id_set_fini(&w.seen);
    crt_list_fini(&w.next);
    crt_list_fini(&w.cone);
    crt_list_fini(&w.both);
    crt_list_fini(&w.tops);
    return is_fine;
}
