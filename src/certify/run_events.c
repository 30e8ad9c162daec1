/* SPDX-License-Identifier: Apache-2.0 */
/* Runs become sets of events; what an operation becomes in a set of events. */
#include "certify/certify.h"

#include <stdlib.h>

/* Tags of what is hashed. */
enum { TAG_EVENT, TAG_ASK, TAG_THREAD, TAG_SPOT, TAG_HELD, TAG_RUN };

td_id crt_id_of(const void *words, size_t n_bytes, uint32_t tag)
{
    td_id parts[2] = {td_id_hash(words, n_bytes), {tag, n_bytes}};
    return td_id_hash(parts, sizeof parts);
}

static const crt_event *event_at(const crt *c, uint32_t e)
{
    TD_ASSERT(e < c->events.len);
    return &c->events.at[e];
}

void crt_fini(crt *c)
{
    crt_event_vec_fini(&c->events);
    crt_list_fini(&c->pool);
    crt_list_fini(&c->members);
    crt_run_vec_fini(&c->runs);
    crt_ask_vec_fini(&c->asks);
    crt_index_fini(&c->event_of);
    crt_index_fini(&c->ask_of);
    crt_index_fini(&c->thread_of);
    crt_index_fini(&c->next_at);
    crt_link_vec_fini(&c->links);
    td_id_set_fini(&c->held);
    td_id_set_fini(&c->seen);
    crt_list_fini(&c->runs_of);
    crt_list_fini(&c->first_run_of);
    crt_list_fini(&c->missing);
    *c = (crt){0};
}

/* ---- order ---- */

static uint32_t known_of(const crt *c, const crt_event *x, uint32_t thread)
{
    return thread < x->n_clock ? c->pool.at[x->clock + thread] : 0;
}

bool crt_is_before(const crt *c, uint32_t e, uint32_t x)
{
    const crt_event *first = event_at(c, e);
    return known_of(c, event_at(c, x), first->ask.thread) >= first->depth;
}

bool crt_knows(const crt *c, uint32_t history, uint32_t e)
{
    return history != CRT_NONE && crt_is_before(c, e, history);
}

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static void sort_once(crt_list *v)
{
    if (v->len > 1)
        qsort(v->at, v->len, sizeof v->at[0], by_number);
    size_t n = 0;
    for (size_t i = 0; i < v->len; i++)
        if (i == 0 || v->at[i] != v->at[n - 1])
            v->at[n++] = v->at[i];
    v->len = n;
}

void crt_events_of(const crt *c, uint32_t run, crt_list *out)
{
    crt_run r = c->runs.at[run];
    crt_list_clear(out);
    for (uint32_t i = 0; i < r.n; i++)
        crt_list_push(out, c->members.at[r.first + i]);
}

void crt_cone(const crt *c, uint32_t event, crt_list *out)
{
    crt_list_clear(out);
    if (event == CRT_NONE)
        return;
    const crt_event *e = event_at(c, event);
    for (uint32_t i = 0; i < e->n_clock; i++) {
        uint32_t top = c->pool.at[e->tops + i];
        for (uint32_t left = c->pool.at[e->clock + i]; left > 0; left--) {
            crt_list_push(out, top);
            top = event_at(c, top)->ask.before;
        }
    }
    sort_once(out);
}

/* ---- what makes an event ---- */

static td_id event_id(const crt_ask *a, const uint32_t *causes, size_t n)
{
    uint64_t words[] = {(uint64_t)a->thread << 32 | a->before,
                        (uint64_t)a->other << 32 | (uint64_t)a->kind << 8 | a->size,
                        a->object, n};
    td_id parts[] = {td_id_hash(words, sizeof words),
                     td_id_hash(causes, n * sizeof causes[0]),
                     {TAG_EVENT, 0}};
    return td_id_hash(parts, sizeof parts);
}

uint32_t crt_event_by(const crt *c, const crt_ask *a, const crt_list *causes)
{
    const uint32_t *found =
        crt_index_find(&c->event_of, event_id(a, causes->at, causes->len));
    return found ? *found - 1 : CRT_NONE;
}

static td_id history_id(uint32_t thread, uint32_t history, uint32_t tag)
{
    uint32_t words[] = {thread, history};
    return crt_id_of(words, sizeof words, tag);
}

td_id crt_spot_id(crt_spot spot, uint32_t last)
{
    uint64_t words[] = {spot, last};
    return crt_id_of(words, sizeof words, TAG_SPOT);
}

static td_id held_id(uint32_t thread, uint32_t history, uint32_t last)
{
    uint32_t words[] = {thread, history, last};
    return crt_id_of(words, sizeof words, TAG_HELD);
}

const crt_ask *crt_ask_after(const crt *c, uint32_t thread, uint32_t history)
{
    const uint32_t *found =
        crt_index_find(&c->ask_of, history_id(thread, history, TAG_ASK));
    return found ? &c->asks.at[*found - 1] : NULL;
}

static td_status same_ask(crt *c, const crt_ask *a, td_diag *diag)
{
    uint32_t *at = crt_index_at(&c->ask_of, history_id(a->thread, a->before, TAG_ASK));
    if (*at == 0) {
        crt_ask_vec_push(&c->asks, *a);
        *at = (uint32_t)c->asks.len;
        return TD_OK;
    }
    const crt_ask *b = &c->asks.at[*at - 1];
    if (a->kind == b->kind && a->size == b->size && a->object == b->object &&
        a->other == b->other)
        return TD_OK;
    return td_diag_set(
        diag, TD_E_LIMIT,
        "the program is not deterministic: after the same history a thread did "
        "%s in one run, %s in another, or on another object",
        crt_kind_text(b->kind), crt_kind_text(a->kind));
}

/* ---- an operation in a configuration ---- */

/* Two kinds on one spot. b is what is asked for, and may still turn out either way. */
static bool may_depend(uint8_t turned, uint8_t asked)
{
    return crt_effect_of(turned) == CRT_E || crt_can_be(asked, CRT_E);
}

void crt_depends(const crt *c, const crt_list *in, const crt_ask *a, crt_list *out)
{
    crt_list_clear(out);
    for (size_t i = 0; i < in->len; i++) {
        const crt_event *e = event_at(c, in->at[i]);
        if (crt_share_spot(&e->ask, a) && may_depend(e->turned, a->kind) &&
            !crt_knows(c, a->before, in->at[i]))
            crt_list_push(out, in->at[i]);
    }
}

/* The causes of an operation on a spot in a configuration, as it turns out. Returns the last exclusive event. */
static uint32_t spot_causes(const crt *c, const crt_list *in, crt_spot spot,
                            crt_effect effect, crt_list *out)
{
    size_t first_read = in->len;
    uint32_t last = CRT_NONE;
    while (first_read > 0 && last == CRT_NONE) {
        uint32_t x = in->at[--first_read];
        const crt_event *e = event_at(c, x);
        if (crt_has_spot(&e->ask, spot) && crt_effect_of(e->turned) == CRT_E)
            last = x;
    }
    if (last != CRT_NONE)
        crt_list_push(out, last);
    for (size_t i = first_read; effect == CRT_E && i < in->len; i++)
        if (in->at[i] != last && crt_has_spot(&event_at(c, in->at[i])->ask, spot))
            crt_list_push(out, in->at[i]);
    return last;
}

static void met(const crt *c, const crt_list *in, const crt_ask *a, crt_list *out)
{
    crt_list_clear(out);
    for (size_t i = 0; i < in->len; i++)
        if (crt_share_spot(&event_at(c, in->at[i])->ask, a))
            crt_list_push(out, in->at[i]);
}

static bool is_woken(const crt *c, uint32_t last, uint32_t thread)
{
    if (last == CRT_NONE)
        return false;
    const crt_event *e = event_at(c, last);
    for (uint32_t i = 0; i < e->n_woken; i++)
        if (c->pool.at[e->woken + i] == thread)
            return true;
    return false;
}

static bool is_read(const crt *c, const crt_list *on)
{
    int n = 0;
    for (size_t i = 0; i < on->len; i++) {
        bool resets;
        int more = crt_readers(event_at(c, on->at[i])->turned, &resets);
        n = resets ? 0 : n + more;
    }
    return n > 0;
}

/* Only where it is sure that the thread has to wait it is called blocked (C2). on: the events on its object. */
static bool is_enabled(const crt *c, const crt_list *on, const crt_ask *a, uint32_t last)
{
    char when = crt_when(a->kind);
    if (when == 'W')
        return is_woken(c, last, a->thread);
    if (when == 'J')
        return last != CRT_NONE;
    if (when != 'O' && when != 'R')
        return true;
    if (when == 'R' && is_read(c, on))
        return false;
    if (last == CRT_NONE || !event_at(c, last)->is_closed)
        return true;
    if (event_at(c, last)->ask.thread != a->thread || !crt_holds(a->kind))
        return false;
    /* It may be recursive: a run shows whether the thread waits for itself. */
    return !td_id_set_has(&c->held, held_id(a->thread, a->before, last));
}

/* The event that it is if it turns out with this effect. *last: the state of its object. */
static uint32_t turns_out(const crt *c, const crt_list *on, const crt_ask *a,
                          crt_effect effect, uint32_t *last)
{
    crt_list causes = {0};
    *last = CRT_NONE;
    for (uint32_t i = 0; i < a->spots.n; i++)
        *last = spot_causes(c, on, a->spots.first + i * CRT_NEXT_BYTE, effect, &causes);
    sort_once(&causes);
    uint32_t event = crt_event_by(c, a, &causes);
    crt_list_fini(&causes);
    return event != CRT_NONE && crt_effect_of(event_at(c, event)->turned) == effect
               ? event
               : CRT_NONE;
}

bool crt_place(const crt *c, const crt_list *in, const crt_ask *a, uint32_t *event)
{
    crt_list on = {0};
    uint32_t last = CRT_NONE;
    met(c, in, a, &on);
    *event = CRT_NONE;
    for (crt_effect effect = CRT_N; effect <= CRT_E; effect++) {
        uint32_t found =
            crt_can_be(a->kind, effect) ? turns_out(c, &on, a, effect, &last) : CRT_NONE;
        *event = found != CRT_NONE ? found : *event;
    }
    bool is = is_enabled(c, &on, a, last);
    crt_list_fini(&on);
    return is;
}

/* ---- a run ---- */

typedef struct taking {
    crt *c;
    const trc *t;
    crt_list gids,
        last;       /* by thread of the run: its number in all runs; its last event */
    crt_list order; /* the events of the run as they were executed */
    crt_objects objects;
    crt_link_vec reads;
    crt_list causes, clock, tops;
} taking;

static void taking_fini(taking *w)
{
    crt_list_fini(&w->gids);
    crt_list_fini(&w->last);
    crt_list_fini(&w->order);
    crt_objects_fini(&w->objects);
    crt_link_vec_fini(&w->reads);
    crt_list_fini(&w->causes);
    crt_list_fini(&w->clock);
    crt_list_fini(&w->tops);
}

static td_status beyond(td_diag *diag, const char *what)
{
    return td_diag_set(diag, TD_E_LIMIT, "%s", what);
}

static td_status gap_is_harmless(const trc *t, td_diag *diag)
{
    for (size_t i = 0; i < t->gaps.len; i++) {
        uint8_t kind = t->gaps.at[i].kind;
        if (kind != WIRE_GAP_TAINTED && kind != WIRE_GAP_FORKED)
            return td_diag_set(diag, TD_E_LIMIT,
                               "a run called '%s', which is not modelled",
                               t->texts.at + t->gaps.at[i].text);
    }
    return TD_OK;
}

/* Nothing in the run but its operations is beyond the theorem. */
static td_status is_plain(const trc *t, td_diag *diag)
{
    for (size_t i = 0; i < t->fails.len; i++)
        if (t->fails.at[i].kind != WIRE_FAIL_ASSERT &&
            t->fails.at[i].kind != WIRE_FAIL_ABORT)
            return beyond(diag, "a run failed otherwise than by an assertion or abort, "
                                "so its continuation is unknown");
    if (t->inputs.len > 0 || t->nodes.len > 1)
        return beyond(diag, "the program has inputs, or choices of the library: spurious "
                            "wakeups, timeouts");
    if (t->has_stores)
        return beyond(diag, "the run is one of a weaker memory model");
    if (t->n_dropped > 0)
        return beyond(diag, "a run produced more notes than are kept");
    return gap_is_harmless(t, diag);
}

/* It ended by itself, and no thread could continue. */
static td_status is_whole(const trc *t, td_diag *diag)
{
    if (t->done != WIRE_DONE_EXIT && t->done != WIRE_DONE_DEADLOCK &&
        t->done != WIRE_DONE_STANDS)
        return beyond(diag, t->done == WIRE_DONE_IDLE
                                ? "a run ended waiting in a loop or for a timeout"
                                : "a run did not end by itself");
    if (t->is_cut || t->is_stopped)
        return beyond(diag, "a run ended while a thread could have continued");
    return TD_OK;
}

static bool is_misused(const trc_op *op)
{
    return op->kind != WIRE_JOIN && !crt_is_access(op->kind) &&
           crt_effect_of(op->kind) != CRT_N && (op->flags & WIRE_SYNC_MISUSED);
}

static td_status is_covered(const trc_op *op, td_diag *diag)
{
    const char *why = crt_kind_excluded(op->kind);
    if (!why && (op->flags & WIRE_F_FORCED) && op->kind != WIRE_END)
        why = "an operation without a choice of the scheduler";
    if (!why && crt_when(op->kind) != 'A' && (op->flags & WIRE_F_PATIENT))
        why = "waits with a timeout";
    if (!why && is_misused(op))
        why = "a lock, thread or other object that was misused";
    if (!why && op->object >> 60)
        why = "an object without an address";
    if (!why && crt_is_access(op->kind) && op->size == 0)
        why = "an access of 0 bytes";
    return why ? td_diag_set(diag, TD_E_LIMIT,
                             "certificates do not cover %s, which the program uses", why)
               : TD_OK;
}

static td_status next_is_covered(const trc_next *n, td_diag *diag)
{
    trc_op as_op = {.kind = n->kind,
                    .size = n->size,
                    .object = n->object,
                    .flags = n->patience & WIRE_F_PATIENT};
    return n->kind == WIRE_FAIL ? TD_OK : is_covered(&as_op, diag);
}

td_status crt_covers(const trc *t, td_diag *diag)
{
    TD_TRY(is_plain(t, diag));
    for (size_t i = 0; i < t->ops.len; i++)
        TD_TRY(is_covered(&t->ops.at[i], diag));
    for (size_t i = 0; i < t->nexts.len; i++)
        TD_TRY(next_is_covered(&t->nexts.at[i], diag));
    return TD_OK;
}

static crt_ask ask_of(const taking *w, uint32_t thread, uint8_t kind, uint8_t size,
                      uint64_t object, uint32_t other)
{
    uint8_t asked = crt_asked(kind);
    bool has_object =
        crt_effect_of(asked) != CRT_N && asked != WIRE_END && asked != WIRE_JOIN;
    crt_ask a = {.thread = w->gids.at[thread],
                 .before = w->last.at[thread],
                 .other = asked == WIRE_JOIN ? w->gids.at[other] : CRT_NONE,
                 .kind = asked,
                 .size = crt_is_access(asked) ? size : 0,
                 .object = has_object ? object : 0};
    a.spots = crt_spots_of(&a);
    return a;
}

static crt_spot_state *state_of(taking *w, crt_spot spot)
{
    crt_spot_state *s = crt_objects_at(&w->objects, spot);
    if (!s->is_known)
        *s = (crt_spot_state){CRT_NONE, CRT_NONE, true, CRT_NONE};
    return s;
}

static void causes_of(taking *w, const crt_ask *a, crt_effect effect)
{
    crt_list_clear(&w->causes);
    for (uint32_t i = 0; i < a->spots.n; i++) {
        const crt_spot_state *s = state_of(w, a->spots.first + i * CRT_NEXT_BYTE);
        if (s->last != CRT_NONE)
            crt_list_push(&w->causes, s->last);
        for (uint32_t l = s->reads; effect == CRT_E && l != CRT_NONE;
             l = w->reads.at[l].next)
            crt_list_push(&w->causes, w->reads.at[l].event);
    }
    sort_once(&w->causes);
}

static void clock_join(taking *w, uint32_t event)
{
    if (event == CRT_NONE)
        return;
    const crt_event *e = event_at(w->c, event);
    for (uint32_t i = 0; i < e->n_clock; i++)
        if (w->c->pool.at[e->clock + i] > w->clock.at[i]) {
            w->clock.at[i] = w->c->pool.at[e->clock + i];
            w->tops.at[i] = w->c->pool.at[e->tops + i];
        }
}

static void clock_of(taking *w, const crt_ask *a)
{
    crt_list_clear(&w->clock);
    crt_list_clear(&w->tops);
    for (uint32_t i = 0; i < w->c->n_threads; i++) {
        crt_list_push(&w->clock, 0);
        crt_list_push(&w->tops, CRT_NONE);
    }
    clock_join(w, a->before);
    for (size_t i = 0; i < w->causes.len; i++)
        clock_join(w, w->causes.at[i]);
    w->clock.at[a->thread]++;
    w->tops.at[a->thread] = (uint32_t)w->c->events.len; /* the event that it is for */
}

static uint32_t into_pool(crt *c, const crt_list *v)
{
    crt_list_append(&c->pool, v->at, v->len);
    return (uint32_t)(c->pool.len - v->len);
}

static void woken_of(taking *w, const trc_op *op, crt_list *out)
{
    for (uint32_t i = 0; i < op->n_woken; i++)
        crt_list_push(out, w->gids.at[w->t->woken.at[op->woken + i]]);
    sort_once(out);
}

/* For the walk over states: what comes next at each spot. */
static void link_next(taking *w, uint32_t event)
{
    crt *c = w->c;
    crt_spots spots = event_at(c, event)->ask.spots;
    for (uint32_t i = 0; i < spots.n; i++) {
        crt_spot spot = spots.first + i * CRT_NEXT_BYTE;
        uint32_t *first =
            crt_index_at(&c->next_at, crt_spot_id(spot, state_of(w, spot)->last));
        crt_link_vec_push(&c->links,
                          (crt_link){event, *first == 0 ? CRT_NONE : *first - 1});
        *first = (uint32_t)c->links.len;
    }
}

/* What an operation saw and did is determined by its history, too. */
static uint64_t value_of(const trc_op *op)
{
    return crt_has_value(op->kind) ? op->value : 0;
}

/* The last write to the bytes of an access; of writes to some of them, the latest event. */
static uint32_t writer_of(taking *w, const crt_ask *a)
{
    uint32_t writer = CRT_NONE;
    for (uint32_t i = 0; crt_is_access(a->kind) && i < a->spots.n; i++) {
        uint32_t x = state_of(w, a->spots.first + i * CRT_NEXT_BYTE)->writer;
        writer = writer == CRT_NONE || (x != CRT_NONE && x > writer) ? x : writer;
    }
    return writer;
}

static void written_by(taking *w, const trc_op *op, uint32_t event)
{
    const crt_ask *a = &event_at(w->c, event)->ask;
    for (uint32_t i = 0; crt_writes(op->kind) && i < a->spots.n; i++)
        state_of(w, a->spots.first + i * CRT_NEXT_BYTE)->writer = event;
}

static uint32_t event_new(taking *w, const crt_ask *a, const trc_op *op,
                          const crt_list *woken)
{
    crt *c = w->c;
    clock_of(w, a);
    crt_event e = {.ask = *a,
                   .turned = op->kind,
                   .is_closed = (op->flags & WIRE_F_CLOSED) != 0,
                   .value = value_of(op),
                   .writer = writer_of(w, a),
                   .depth = w->clock.at[a->thread],
                   .created = CRT_NONE,
                   .n_causes = (uint32_t)w->causes.len,
                   .n_woken = (uint32_t)woken->len,
                   .n_clock = (uint32_t)w->clock.len};
    e.causes = into_pool(c, &w->causes);
    e.woken = into_pool(c, woken);
    e.clock = into_pool(c, &w->clock);
    e.tops = into_pool(c, &w->tops);
    crt_event_vec_push(&c->events, e);
    link_next(w, (uint32_t)c->events.len - 1);
    return (uint32_t)c->events.len - 1;
}

static bool is_same(taking *w, const crt_event *e, const trc_op *op,
                    const crt_list *woken)
{
    const crt *c = w->c;
    return e->turned == op->kind && e->value == value_of(op) &&
           e->writer == writer_of(w, &e->ask) &&
           e->is_closed == ((op->flags & WIRE_F_CLOSED) != 0) &&
           e->n_woken == woken->len &&
           (woken->len == 0 || memcmp(c->pool.at + e->woken, woken->at,
                                      woken->len * sizeof woken->at[0]) == 0);
}

/* That it could be done where it was done: a test of the table. */
static td_status was_enabled(taking *w, uint32_t event, td_diag *diag)
{
    crt_list cone = {0};
    uint32_t found;
    crt_cone(w->c, event, &cone);
    cone.len--; /* the event itself has the largest number */
    bool is = crt_place(w->c, &cone, &event_at(w->c, event)->ask, &found);
    crt_list_fini(&cone);
    if (is && found == event)
        return TD_OK;
    return td_diag_set(diag, TD_E_LIMIT,
                       "the checker's table of operations does not explain a run: %s",
                       crt_kind_text(event_at(w->c, event)->turned));
}

static void state_after(taking *w, uint32_t event)
{
    const crt_event *e = event_at(w->c, event);
    for (uint32_t i = 0; i < e->ask.spots.n; i++) {
        crt_spot_state *s = state_of(w, e->ask.spots.first + i * CRT_NEXT_BYTE);
        if (crt_effect_of(e->turned) == CRT_E) {
            s->last = event;
            s->reads = CRT_NONE;
            continue;
        }
        crt_link_vec_push(&w->reads, (crt_link){event, s->reads});
        s->reads = (uint32_t)w->reads.len - 1;
    }
}

static uint32_t thread_number(crt *c, uint32_t parent, uint32_t nth)
{
    uint32_t *at = crt_index_at(&c->thread_of, history_id(parent, nth, TAG_THREAD));
    if (*at == 0)
        *at = c->n_threads++;
    return *at;
}

static td_status take_op(taking *w, const trc_op *op, td_diag *diag)
{
    crt *c = w->c;
    crt_ask a =
        ask_of(w, op->thread, op->kind, op->size, op->object, (uint32_t)op->value);
    TD_TRY(same_ask(c, &a, diag));
    causes_of(w, &a, crt_effect_of(op->kind));
    crt_list woken = {0};
    woken_of(w, op, &woken);
    uint32_t event = crt_event_by(c, &a, &w->causes);
    bool is_known = event != CRT_NONE;
    td_status status = TD_OK;
    if (is_known && !is_same(w, event_at(c, event), op, &woken))
        status =
            beyond(diag, "the program is not deterministic: an operation with the same "
                         "history had another outcome");
    if (!is_known) {
        event = event_new(w, &a, op, &woken);
        *crt_index_at(&c->event_of, event_id(&a, w->causes.at, w->causes.len)) =
            event + 1;
        status = was_enabled(w, event, diag);
    }
    crt_list_fini(&woken);
    state_after(w, event);
    written_by(w, op, event);
    w->last.at[op->thread] = event;
    crt_list_push(&w->order, event);
    if (op->kind == WIRE_CREATE) {
        const trc_thread *th = &w->t->threads.at[op->value];
        w->gids.at[op->value] = thread_number(c, a.thread, th->nth);
        w->last.at[op->value] = event;
        c->events.at[event].created = w->gids.at[op->value];
    }
    return status;
}

/* At the end every thread has ended, or waits, by the table too. */
static td_status take_next(taking *w, const crt_list *all, const trc_next *n,
                           td_diag *diag)
{
    if (n->kind == WIRE_FAIL) { /* it has failed and stopped: no operation follows */
        crt_ask a = ask_of(w, n->thread, n->kind, 0, 0, 0);
        return same_ask(w->c, &a, diag);
    }
    if (w->last.at[n->thread] != CRT_NONE &&
        event_at(w->c, w->last.at[n->thread])->turned == WIRE_EXIT)
        return TD_OK;
    crt_ask a = ask_of(w, n->thread, n->kind, n->size, n->object, n->other);
    uint32_t event;
    TD_TRY(same_ask(w->c, &a, diag));
    if (crt_place(w->c, all, &a, &event)) {
        crt_list on = {0}, causes = {0};
        met(w->c, all, &a, &on);
        uint32_t last = a.spots.n > 0
                            ? spot_causes(w->c, &on, a.spots.first, CRT_S, &causes)
                            : CRT_NONE;
        crt_list_fini(&on);
        crt_list_fini(&causes);
        if (crt_when(a.kind) == 'A' || !crt_holds(a.kind) || last == CRT_NONE ||
            !event_at(w->c, last)->is_closed ||
            event_at(w->c, last)->ask.thread != a.thread)
            return td_diag_set(diag, TD_E_LIMIT,
                               "a run ended before a thread that could "
                               "continue: %s",
                               crt_kind_text(a.kind));
        td_id_set_add(&w->c->held, held_id(a.thread, a.before, last));
    }
    return TD_OK;
}

static td_status take_nexts(taking *w, const crt_list *all, td_diag *diag)
{
    const trc *t = w->t;
    for (size_t i = 0; i < t->nexts.len; i++)
        TD_TRY(take_next(w, all, &t->nexts.at[i], diag));
    for (uint32_t i = 0; i < t->threads.len; i++) {
        uint32_t last = w->last.at[i];
        bool is_over = last != CRT_NONE && (event_at(w->c, last)->turned == WIRE_END ||
                                            event_at(w->c, last)->turned == WIRE_EXIT);
        if (!is_over && !crt_ask_after(w->c, w->gids.at[i], last))
            return beyond(diag,
                          "a run does not record what a thread waits for at its end");
    }
    return TD_OK;
}

static td_status take(taking *w, uint32_t *run, td_diag *diag)
{
    crt *c = w->c;
    c->n_threads = c->n_threads > 0 ? c->n_threads : 1;
    for (size_t i = 0; i < w->t->threads.len; i++) {
        crt_list_push(&w->gids, 0);
        crt_list_push(&w->last, CRT_NONE);
    }
    for (size_t i = 0; i < w->t->ops.len; i++)
        TD_TRY(take_op(w, &w->t->ops.at[i], diag));
    sort_once(&w->order);
    TD_TRY(take_nexts(w, &w->order, diag));
    td_id id = crt_id_of(w->order.at, w->order.len * sizeof w->order.at[0], TAG_RUN);
    *run = (uint32_t)c->runs.len;
    if (td_id_set_add(&c->seen, id)) {
        crt_run_vec_push(&c->runs,
                         (crt_run){(uint32_t)c->members.len, (uint32_t)w->order.len});
        crt_list_append(&c->members, w->order.at, w->order.len);
    } else {
        *run = CRT_NONE;
    }
    return TD_OK;
}

td_status crt_take(crt *c, const trc *t, uint32_t *run, td_diag *diag)
{
    taking w = {.c = c, .t = t};
    td_status status = crt_covers(t, diag);
    *run = CRT_NONE;
    /* The exit counts as the last operation. A run in which it came before others may be left out, as any run may. */
    if (status == TD_OK && t->is_stopped && t->done == WIRE_DONE_EXIT) {
        c->n_cut++;
        return TD_OK;
    }
    if (status == TD_OK)
        status = is_whole(t, diag);
    if (status == TD_OK)
        status = take(&w, run, diag);
    taking_fini(&w);
    return status;
}

/* ---- steps ---- */

void crt_schedule(const crt *c, const crt_list *events, uint32_t then, crt_steps *out)
{
    crt_list numbers = {0};
    uint32_t n_created = 0;
    crt_steps_clear(out);
    for (uint32_t i = 0; i == 0 || i < c->n_threads;
         i++) /* main is there without any run */
        crt_list_push(&numbers, 0);
    for (size_t i = 0; i <= events->len; i++) {
        const crt_event *e = i < events->len ? event_at(c, events->at[i]) : NULL;
        uint32_t thread = e ? e->ask.thread : then;
        bool is_end = e && (e->turned == WIRE_END || e->turned == WIRE_EXIT);
        if (thread == CRT_NONE || is_end)
            continue; /* ends are not choices, and the exit comes last by itself */
        uint32_t number = numbers.at[thread];
        if (out->len > 0 && out->at[out->len - 1].thread == number)
            out->at[out->len - 1].count++;
        else
            crt_steps_push(out, (wire_step){number, 1});
        if (e && e->created != CRT_NONE)
            numbers.at[e->created] = ++n_created;
    }
    crt_list_fini(&numbers);
}
