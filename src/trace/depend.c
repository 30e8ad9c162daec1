/* SPDX-License-Identifier: Apache-2.0 */
/* The table of operations for the tool, and the one rule of dependence. runtime/core/ops.c is made of
 * the same rows. */
#include "trace/depend.h"

#include "base/assert.h"

enum { OBJECT_A, OBJECT_B };
enum { N, Y };

const trc_kind_row trc_kinds[UINT8_MAX + 1] = {
#define OP(name, shown, effect_, when_, object, type_, does_, asked_, fails_, if_,       \
           looks_, drains_, digest_)                                                     \
    [WIRE_##name] = {.text = shown,                                                      \
                     .effect = TRC_EFFECT_##effect_,                                     \
                     .when = TRC_WHEN_##when_,                                           \
                     .type = WIRE_TYPE_##type_,                                          \
                     .does = WIRE_DOES_##does_,                                          \
                     .asked = WIRE_##asked_,                                             \
                     .fails = WIRE_##fails_,                                             \
                     .fails_if = WIRE_FAILS_##if_,                                       \
                     .drains = TRC_DRAIN_##drains_,                                      \
                     .is_access = OBJECT_##object,                                       \
                     .looks = looks_,                                                    \
                     .digest = digest_},
#include "wire/ops.def"
#undef OP
};

static_assert(sizeof trc_kinds / sizeof trc_kinds[0] > WIRE_N_KINDS,
              "any byte is looked up");

const char *trc_kind_text(uint8_t kind)
{
    return trc_kinds[kind].text ? trc_kinds[kind].text : "?";
}

bool trc_waits(uint8_t kind, const trc_found *f)
{
    switch (trc_when_of(kind)) {
    case TRC_WHEN_O:
        return f->is_closed;
    case TRC_WHEN_R:
        return f->is_closed || f->is_read;
    case TRC_WHEN_W:
        return !f->is_woken;
    case TRC_WHEN_J:
        return !f->has_ended;
    default:
        return false;
    }
}

bool trc_fails(uint8_t kind, const trc_found *f)
{
    switch (trc_fails_if(kind)) {
    case WIRE_FAILS_UNKNOWN:
        return trc_has_object(kind) && f->is_closed;
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

bool trc_can_be(uint8_t kind, const trc_found *f)
{
    return !trc_waits(kind, f) &&
           trc_fails(trc_asked_kind(kind), f) == trc_has_failed(kind);
}

static bool is_shared(uint8_t kind)
{
    return trc_effect_of(kind) == TRC_EFFECT_S;
}

static uint64_t end_of(const trc_wanted *w)
{
    return w->object + (w->size > 0 ? w->size : 1);
}

/* Memory and other objects are spaces of their own. */
static bool share_space(uint8_t a, uint8_t b)
{
    return trc_effect_of(a) != TRC_EFFECT_N && trc_effect_of(b) != TRC_EFFECT_N &&
           trc_is_access(a) == trc_is_access(b);
}

bool trc_kinds_depend(uint8_t a, uint8_t b)
{
    return share_space(a, b) && !(is_shared(a) && is_shared(b));
}

bool trc_meet(const trc_wanted *a, const trc_wanted *b)
{
    if (!share_space(a->kind, b->kind))
        return false;
    if (!trc_is_access(a->kind))
        return a->object == b->object;
    return a->object < end_of(b) && b->object < end_of(a);
}

bool trc_both_depend(const trc_wanted *a, const trc_wanted *b)
{
    return trc_kinds_depend(a->kind, b->kind) && trc_meet(a, b);
}

bool trc_covers(const trc_wanted *a, const trc_wanted *b)
{
    TD_DASSERT(trc_meet(a, b));
    return !is_shared(a->kind) && (!trc_is_access(a->kind) ||
                                   (a->object <= b->object && end_of(a) >= end_of(b)));
}
