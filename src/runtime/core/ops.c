/* SPDX-License-Identifier: Apache-2.0 */
/* The table of operations, for the runtime: trace/depend.c is made of the same rows. */
#include "runtime/core/ops.h"

#include <assert.h>

static_assert(WIRE_N_OPS < UINT8_MAX && WIRE_N_TYPES < UINT8_MAX, "a byte each");

const uint8_t rt_effect[WIRE_N_OPS] = {
#define OP(name, text, effect, ...) [WIRE_##name] = RT_EFFECT_##effect,
#include "wire/ops.def"
#undef OP
};

const uint8_t rt_when[WIRE_N_OPS] = {
#define OP(name, text, effect, when, ...) [WIRE_##name] = RT_WHEN_##when,
#include "wire/ops.def"
#undef OP
};

const uint8_t rt_does[WIRE_N_OPS] = {
#define OP(name, text, effect, when, object, type, does, ...)                            \
    [WIRE_##name] = WIRE_DOES_##does,
#include "wire/ops.def"
#undef OP
};

const uint8_t rt_type[WIRE_N_OPS] = {
#define OP(name, text, effect, when, object, type, ...) [WIRE_##name] = WIRE_TYPE_##type,
#include "wire/ops.def"
#undef OP
};

enum { OBJECT_A, OBJECT_B };
const bool rt_on_bytes[WIRE_N_OPS] = {
#define OP(name, text, effect, when, object, ...) [WIRE_##name] = OBJECT_##object,
#include "wire/ops.def"
#undef OP
};

enum { N, Y };
const bool rt_looks[WIRE_N_OPS] = {
#define OP(name, text, effect, when, object, type, does, asked, fails, fails_if, looks,  \
           drains, digest)                                                               \
    [WIRE_##name] = looks,
#include "wire/ops.def"
#undef OP
};

const char *rt_kind_text(uint8_t kind)
{
    static const char *const texts[WIRE_N_OPS] = {
#define OP(name, text, ...) [WIRE_##name] = text,
#include "wire/ops.def"
#undef OP
    };
    return texts[kind];
}

bool rt_kinds_depend(uint8_t a, uint8_t b)
{
    return rt_effect[a] != RT_EFFECT_N && rt_effect[b] != RT_EFFECT_N &&
           (rt_effect[a] == RT_EFFECT_E || rt_effect[b] == RT_EFFECT_E) &&
           rt_on_bytes[a] == rt_on_bytes[b];
}
