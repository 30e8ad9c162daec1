/* SPDX-License-Identifier: Apache-2.0 */
/* Operations on objects of the threads library, and reports of their misuse. */
#include "runtime/core/above.h"

rt_op *rt_sync_op_at(uint32_t site, uint8_t kind, const void *object,
                     enum rt_object_type type)
{
    RT_ASSERT(type < RT_N_TYPES);
    rt_op *op = rt_op_new(kind, site, (uint64_t)object);
    op->type = (uint8_t)type;
    return op;
}

rt_op *rt_sync_op(uint8_t kind, const void *object, enum rt_object_type type)
{
    return rt_sync_op_at(rt_call_site(), kind, object, type);
}

static void put(char **at, const char *end, const char *text)
{
    while (*text && *at < end)
        *(*at)++ = *text++;
}

/* Records that self's operation is misuse; flags: of the NOTE_FAIL. In the message %o is the operation and
 * %t the object. */
static void tell_misuse(const char *wrong, uint8_t flags)
{
    static const char *const types[RT_N_TYPES] = {"thing",     "mutex",
                                                  "spin lock", "condition variable",
                                                  "semaphore", "read-write lock",
                                                  "barrier",   "once control",
                                                  "signal"};
    const rt_op *op = &rt->self->pending;
    const rt_object *o = rt_object_at(op->object);
    bool held = o->state == RT_OBJECT_HELD && o->owner != RT_NONE;
    char text[160], *at = text;
    const char *end = text + sizeof text - 1;
    for (const char *p = wrong; *p; p++) {
        char one[2] = {*p, 0};
        bool special = *p == '%' && p[1];
        p += special;
        put(&at, end,
            !special    ? one
            : *p == 'o' ? (op->kind == WIRE_DESTROY && op->a ? "free"
                           : op->kind == WIRE_BARRIER        ? "use"
                                                             : mdl_kind_text(op->kind))
                        : types[o->type ? o->type : op->type]);
    }
    *at = 0;
    rt_fail_as(op->type <= RT_SPIN ? WIRE_FAIL_MUTEX : WIRE_FAIL_MISUSE, flags, op->site,
               op->object, held ? (uint64_t)o->owner + 1 : 0);
    rt_emit_text(text);
}

_Noreturn void rt_sync_misuse(const char *wrong)
{
    tell_misuse(wrong, 0);
    rt_fail_done(rt->self->pending.site, 0);
}

_Noreturn void rt_sync_not_held(bool is_held)
{
    rt_sync_misuse(is_held ? "unlock of a %t that another thread holds"
                           : "unlock of a %t that is not held");
}

void rt_sync_free(uint64_t start, uint64_t end, uint32_t site)
{
    if (rt->n_typed == 0)
        return;
    for (rt_object *o; (o = rt_object_between(start, end)) != NULL;
         start = o->address + 4) {
        rt_op *op = rt_op_new(WIRE_DESTROY, site, o->address);
        op->type = o->type;
        op->a = 1;
        if (o->state != RT_OBJECT_DESTROYED)
            rt_sync_operation();
        else
            rt_object_become(o, RT_UNTYPED);
    }
}

void rt_sync_end(void)
{
    rt_thread *self = rt->self;
    if (self->held == RT_NONE)
        return;
    const rt_object *o = rt_object_by_index(self->held);
    rt_op *op = rt_op_new(WIRE_LOCK, o->held_site, o->address);
    op->type = o->type;
    static const char wrong[] = "a thread ends while it holds a %t";
    if (!rt_fail_stands())
        rt_sync_misuse(wrong);
    tell_misuse(wrong, WIRE_FAILED_GOES_ON); /* it does end */
}

uint64_t rt_sync_operation(void)
{
    uint64_t result = rt_operation();
    RT_ASSERT(rt->self->pending.model || !rt->self->pending.object);
    const char *wrong = rt->self->pending.wrong;
    if (result == RT_MISUSE && wrong)
        rt_sync_misuse(wrong);
    rt->above->touched_object(&rt->self->pending, rt->self->did);
    return result;
}
