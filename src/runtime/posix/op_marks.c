/* SPDX-License-Identifier: Apache-2.0 */
/* Marks around the operations of a structure. The history is kept here; linearize.c decides at each
 * end whether some order explains it.
 *
 * A begin and an end are operations like others, on an object of the structure: a begin leaves it
 * as it is, an end changes it. So an end depends on all marks before it, and every run with the event
 * of an end has the same history. Marks order no accesses: the race check does not see them. */
#include "runtime/posix/posix.h"

#include <string.h>

#include "runtime/posix/linearize.h"
#include "runtime/symbolic/values.h"

#define MAX_NAME 255u  /* bytes of an operation's name that are kept */
#define MAX_TOLD 64u   /* recorded operations of a history, the last ones */
#define MAX_ORDER 512u /* recorded operations of an order, the last ones */

typedef struct history {
    lin search;
    bool given_up;
} history;

_Noreturn static void misuse(const volatile void *object, uint32_t site, const char *text)
{
    rt_fail_end(WIRE_FAIL_MARK, site, (uint64_t)object, 0, text);
}

/* ---- the specification: code of the program that is not watched ---- */

/* Suspends all checks, as in a program that runs without treadle. */
static uint32_t stand_aside(void)
{
    RT_ASSERT(rt_on() && !rt->checking);
    uint32_t unseen = PLAN_CTL->unseen;
    rt_flush();
    rt_sym_arrive();
    PLAN_CTL->epoch = 0;
    rt->checking = true;
    rt->active = false;
    return unseen;
}

void rt_history_return(void)
{
    if (!rt_controlled || !rt->checking)
        return;
    rt->checking = false;
    rt->active = true;
    rt_segment_show(rt->self);
}

/* Resumes checks, and forgets the sites of calls made meanwhile. */
static void come_back(uint32_t unseen)
{
    rt_history_return();
    PLAN_CTL->call_site = 0;
    PLAN_CTL->unseen = unseen;
}

/* Results and states are compared as they are, whatever inputs they were made of. */
static void drop_labels(void *p, size_t size)
{
    if (!rt_sym_any((uint64_t)p, size))
        return;
    rt_sym_forget((uint64_t)p, size);
    rt_gap(WIRE_GAP_CONCRETE, rt->self->pending.site, "a specification uses an input");
}

static void call_init(const wire_spec *spec, void *state)
{
    uint32_t unseen = stand_aside();
    if (spec->init)
        rt_user_call(&(rt_user){(uint64_t)spec->init, 0, 0}, (uint64_t)state, 0, 0);
    come_back(unseen);
    drop_labels(state, spec->state_size);
}

static int call_step(const wire_spec *spec, void *state, const wire_call *call,
                     uint64_t *result)
{
    uint32_t unseen = stand_aside();
    const rt_user step = {(uint64_t)spec->step, 0, 0};
    int ways =
        (int)rt_user_call(&step, (uint64_t)state, (uint64_t)call, (uint64_t)result);
    come_back(unseen);
    drop_labels(state, spec->state_size);
    drop_labels(result, sizeof *result);
    return ways;
}

static const lin_host host = {rt_bump, call_init, call_step};

/* ---- what cannot be explained ---- */

static void tell_call(const lin_op *op)
{
    RT_ASSERT(op->call.n_args <= WIRE_CALL_ARGS);
    wire_rec *r = rt_emit(WIRE_NOTE_CALL);
    r->size = (uint8_t)op->call.n_args;
    r->order = op->has_result;
    r->thread = op->thread;
    r->site = op->site;
    r->count = op->begin;
    r->object = op->end;
    r->value = op->result;
    for (uint32_t i = 0; i < op->call.n_args; i += 2) {
        r = rt_emit(WIRE_NOTE_ARGS);
        r->object = op->call.arg[i];
        r->value = i + 1 < op->call.n_args ? op->call.arg[i + 1] : 0;
    }
    rt_emit_text(op->call.op);
}

/* Records an order, which is linked from its end; first: the first recorded operation. */
static void tell_order(const lin_trail *order, uint32_t first)
{
    uint32_t ids[MAX_ORDER], n = 0;
    for (; order && n < MAX_ORDER; order = order->before)
        if (order->op->number >= first)
            ids[n++] = order->op->number - first;
    while (n > 0) {
        wire_rec *r = rt_emit(WIRE_NOTE_ORDER);
        while (n > 0 && r->size < WIRE_IDS)
            r->ids[r->size++] = ids[--n];
    }
}

/* Fails: no order explains the history, nor any continuation of it. A run records one such history. */
_Noreturn static void not_explained(history *whole, const volatile void *object,
                                    uint32_t site)
{
    const lin *h = &whole->search;
    whole->given_up = true;
    RT_ASSERT(h->n_sayings <= LIN_SAYINGS);
    if (rt->has_unexplained) {
        rt_gap(WIRE_GAP_HISTORY, site,
               "only one linearizability violation per run is reported");
        rt_fail_done(site, 0);
    }
    rt->has_unexplained = true;
    uint32_t first = h->n_ops > MAX_TOLD ? h->n_ops - MAX_TOLD : 0;
    rt_fail(WIRE_FAIL_LINEAR, site, (uint64_t)object, h->n_ops, NULL);
    for (const lin_op *op = h->first; op; op = op->next)
        if (op->number >= first)
            tell_call(op);
    for (uint32_t i = 0; i < h->n_sayings; i++) {
        tell_order(h->sayings[i].order, first);
        wire_rec *r = rt_emit(WIRE_NOTE_SAYS);
        r->size = h->sayings[i].possible;
        r->value = h->sayings[i].result;
    }
    rt_fail_done(site, 0);
}

/* ---- marks ---- */

static rt_object *object_of(const volatile void *object)
{
    return rt_object_at(WIRE_OBJECT_HISTORY(object));
}

static void mark(uint8_t kind, const volatile void *object, uint32_t site, uint64_t value)
{
    rt_op_new(kind, site, WIRE_OBJECT_HISTORY(object))->a = value;
    rt_operation();
}

RT_API void __treadle_treadle_specify(const volatile void *object, const wire_spec *spec);
void __treadle_treadle_specify(const volatile void *object, const wire_spec *spec)
{
    if (!rt_on())
        return;
    uint32_t site = rt_call_site();
    rt_sym_arrive();
    if (spec->state_size > LIN_MAX_STATE)
        misuse(object, site, "treadle_specify: the state has more than 65536 bytes");
    mark(WIRE_OP_SPECIFY, object, site, 0);
    history *h = object_of(object)->history;
    if (h && h->search.used != 0)
        misuse(object, site, "treadle_specify while an operation is in progress");
    wire_spec *copy = rt_bump(sizeof *copy);
    *copy = *spec;
    h = rt_bump(sizeof *h);
    lin_start(&h->search, &host, copy);
    object_of(object)->history = h;
}

/* Returns the history; ends the run if there is none. */
static history *history_of(const volatile void *object, uint32_t site)
{
    history *h = object_of(object)->history;
    if (!h)
        misuse(object, site, "an operation on an object without treadle_specify");
    return h;
}

static void give_up(history *h, uint32_t site, const char *why)
{
    if (!h->given_up)
        rt_gap(WIRE_GAP_HISTORY, site, why);
    h->given_up = true;
}

static const char *name_copy(const char *name)
{
    size_t n = strnlen(name, MAX_NAME);
    return memcpy(rt_bump(n + 1), name, n);
}

/* A symbolic value in a history is decided: results are compared as they are. */
static uint64_t known(const void *self, uint32_t argument, uint64_t value, uint32_t site)
{
    rt_sym_concrete(rt_sym_argument(self, argument), value, site);
    return value;
}

RT_API void __treadle_treadle_op_begin_args(const volatile void *object, const char *op,
                                            unsigned n_args, uint64_t a, uint64_t b,
                                            uint64_t c, uint64_t d);
void __treadle_treadle_op_begin_args(const volatile void *object, const char *op,
                                     unsigned n_args, uint64_t a, uint64_t b, uint64_t c,
                                     uint64_t d)
{
    if (!rt_on())
        return;
    const void *self = (const void *)__treadle_treadle_op_begin_args;
    uint32_t site = rt_call_site();
    wire_call call = {.op = name_copy(op),
                      .arg = {a, b, c, d},
                      .n_args = n_args < WIRE_CALL_ARGS ? n_args : WIRE_CALL_ARGS};
    for (uint32_t i = 0; i < WIRE_CALL_ARGS; i++)
        known(self, 3 + i, call.arg[i], site);
    rt_sym_arrive();
    mark(WIRE_OP_BEGIN, object, site, a);
    history *h = history_of(object, site);
    if (h->given_up)
        return;
    if (lin_open_of(&h->search, rt->self->id))
        misuse(object, site,
               "treadle_op_begin before treadle_op_end of the previous operation");
    if (!lin_begin(&h->search, rt->self->id, site, &call))
        give_up(h, site, "more than 64 operations at once");
}

RT_API void __treadle_treadle_op_end_result(const volatile void *object, unsigned n,
                                            uint64_t result);
void __treadle_treadle_op_end_result(const volatile void *object, unsigned n,
                                     uint64_t result)
{
    if (!rt_on())
        return;
    uint32_t site = rt_call_site();
    known((const void *)__treadle_treadle_op_end_result, 2, result, site);
    rt_sym_arrive();
    mark(WIRE_OP_END, object, site, result);
    history *h = history_of(object, site);
    if (h->given_up)
        return;
    lin_op *op = lin_open_of(&h->search, rt->self->id);
    if (!op)
        misuse(object, site, "treadle_op_end without treadle_op_begin");
    lin_verdict verdict = lin_end(&h->search, op, result, n > 0);
    if (verdict == LIN_TOO_MANY)
        give_up(h, site, "more orders of operations than are kept");
    if (verdict == LIN_NOT_EXPLAINED)
        not_explained(h, object, site);
}
