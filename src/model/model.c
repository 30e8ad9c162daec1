/* SPDX-License-Identifier: Apache-2.0 */
/* The table of operations, and the one rule of dependence. */
#include "model/model.h"

#include <assert.h>

enum { OBJECT_A, OBJECT_B };
enum { N, Y };

const mdl_kind_row mdl_kinds[UINT8_MAX + 1] = {
#define OP(name, shown, effect_, when_, object, type_, does_, asked_, fails_, if_,       \
           looks_, drains_, learns_, leaves_, digest_)                                   \
    [WIRE_##name] = {.effect = MDL_EFFECT_##effect_,                                     \
                     .when = MDL_WHEN_##when_,                                           \
                     .type = WIRE_TYPE_##type_,                                          \
                     .does = WIRE_DOES_##does_,                                          \
                     .asked = WIRE_##asked_,                                             \
                     .fails = WIRE_##fails_,                                             \
                     .fails_if = WIRE_FAILS_##if_,                                       \
                     .drains = MDL_DRAIN_##drains_,                                      \
                     .is_access = OBJECT_##object,                                       \
                     .learns = MDL_LEARN_##learns_,                                      \
                     .leaves = MDL_LEAVE_##leaves_,                                      \
                     .looks = looks_,                                                    \
                     .digest = digest_},
#include "wire/ops.def"
#undef OP
};

static_assert(sizeof mdl_kinds / sizeof mdl_kinds[0] > WIRE_N_KINDS,
              "any byte is looked up");

static_assert(sizeof(mdl_kind_row) == 16, "an index is a shift");

const char *mdl_kind_text(uint8_t kind)
{
    static const char *const texts[WIRE_N_OPS] = {
#define OP(name, shown, ...) [WIRE_##name] = shown,
#include "wire/ops.def"
#undef OP
    };
    return mdl_is_op(kind) ? texts[kind] : "?";
}

bool mdl_waits(uint8_t kind, const mdl_found *f)
{
    switch (mdl_when_of(kind)) {
    case MDL_WHEN_O:
        return f->is_closed;
    case MDL_WHEN_R:
        return f->is_closed || f->is_read;
    case MDL_WHEN_W:
        return !f->is_woken;
    case MDL_WHEN_J:
        return !f->has_ended;
    default:
        return false;
    }
}

bool mdl_fails(uint8_t kind, const mdl_found *f)
{
    switch (mdl_fails_if(kind)) {
    case WIRE_FAILS_UNKNOWN:
        return mdl_has_object(kind) && f->is_closed;
    case WIRE_FAILS_CLOSED:
        return f->is_closed;
    case WIRE_FAILS_READ:
        return f->is_closed || f->is_read;
    case WIRE_FAILS_OVER:
        return f->is_over;
    default:
        return false;
    }
}

bool mdl_can_be(uint8_t kind, const mdl_found *f)
{
    return !mdl_waits(kind, f) &&
           mdl_fails(mdl_asked_kind(kind), f) == mdl_has_failed(kind);
}

/* Some settings hand something over: freed blocks, handlers of the process or of signals. */
static bool hands_over(uint64_t object)
{
    return object == WIRE_OBJECT_HANDLERS || object == WIRE_OBJECT_SIGNALS ||
           (object % 8 == WIRE_OBJECT_CLASS(0) % 8 && object >= WIRE_OBJECT_CLASS(0) &&
            object < WIRE_OBJECT_CLASS(WIRE_N_CLASSES));
}

/* A poll that found no descriptor ready has learnt nothing. */
static bool flows(const mdl_done *d)
{
    if (mdl_type_of(d->kind) == WIRE_TYPE_SETTING)
        return hands_over(d->object);
    return !mdl_only_looks(d->kind) || (int32_t)(d->value >> 32) > 0;
}

static uint8_t learnt(const mdl_done *d)
{
    switch ((mdl_learn)mdl_kinds[d->kind].learns) {
    case MDL_LEARN_A:
        return MDL_ALL;
    case MDL_LEARN_K:
        return MDL_APART;
    case MDL_LEARN_B:
        return MDL_ALL | MDL_APART;
    case MDL_LEARN_V:
        return d->value ? MDL_ALL : 0;
    case MDL_LEARN_F:
        return flows(d) ? MDL_FLOWS : 0;
    default:
        return 0;
    }
}

static uint8_t left(const mdl_done *d)
{
    switch ((mdl_leave)mdl_kinds[d->kind].leaves) {
    case MDL_LEAVE_A:
        return MDL_ALL;
    case MDL_LEAVE_G:
        return d->flags & WIRE_F_CLOSED ? 0 : MDL_ALL;
    case MDL_LEAVE_K:
        return MDL_APART;
    case MDL_LEAVE_R:
        return d->value ? MDL_ALL | MDL_ROUND : MDL_ALL;
    case MDL_LEAVE_F:
        return flows(d) ? MDL_FLOWS : 0;
    default:
        return 0;
    }
}

mdl_passes mdl_passes_of(const mdl_done *d)
{
    if (mdl_has_object(d->kind) && (d->flags & WIRE_SYNC_MISUSED))
        return (mdl_passes){0};
    return (mdl_passes){learnt(d), left(d)};
}

static bool is_shared(uint8_t kind)
{
    return mdl_effect_of(kind) == MDL_EFFECT_S;
}

static uint64_t end_of(const mdl_wanted *w)
{
    return w->object + (w->size > 0 ? w->size : 1);
}

/* Memory and other objects are spaces of their own. */
static bool share_space(uint8_t a, uint8_t b)
{
    return mdl_effect_of(a) != MDL_EFFECT_N && mdl_effect_of(b) != MDL_EFFECT_N &&
           mdl_is_access(a) == mdl_is_access(b);
}

bool mdl_kinds_depend(uint8_t a, uint8_t b)
{
    return share_space(a, b) && !(is_shared(a) && is_shared(b));
}

bool mdl_meet(const mdl_wanted *a, const mdl_wanted *b)
{
    if (!share_space(a->kind, b->kind))
        return false;
    if (!mdl_is_access(a->kind))
        return a->object == b->object;
    return a->object < end_of(b) && b->object < end_of(a);
}

bool mdl_both_depend(const mdl_wanted *a, const mdl_wanted *b)
{
    return mdl_kinds_depend(a->kind, b->kind) && mdl_meet(a, b);
}

bool mdl_covers(const mdl_wanted *a, const mdl_wanted *b)
{
    return !is_shared(a->kind) && (!mdl_is_access(a->kind) ||
                                   (a->object <= b->object && end_of(a) >= end_of(b)));
}
