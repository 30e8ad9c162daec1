/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of the program that make inputs and ask about them: treadle.h, SV-COMP, KLEE. */
#include "runtime/posix/posix.h"

#include <string.h>

#include "runtime/memory/accesses.h"
#include "runtime/symbolic/values.h"
#include "wire/sym.h"

#define TYPE_OF(type, bits)                                                              \
    RT_INPUT_TYPE(bits, (bits) > 1 && (type)-1 < (type)1 ? WIRE_SIGNED : WIRE_UNSIGNED)

/* An object is one variable if it can be, else one for every byte. */
static void make_object(void *object, size_t size, const char *name, uint32_t site)
{
    uint64_t p = (uint64_t)object;
    rt_input_fixed(object, size, name);
    if (!rt_on())
        return;
    bool whole = size == 1 || size == 2 || size == 4 || size == 8;
    size_t step = whole ? size : 1;
    rt_access(p, size, true, site);
    for (size_t i = 0; i < size; i += step) {
        uint64_t value = rt_peek(p + i, (uint32_t)step);
        uint32_t label = rt_input_make(rt_input_key(rt->self), (uint32_t)step * 8, &value,
                                       name, whole ? -1 : (long)i, site);
        memcpy((uint8_t *)object + i, &value, step);
        if (rt->symbolic)
            rt_sym_put(p + i, (uint32_t)step, label);
    }
}

/* A result of so many bits; its label is left for the caller of self. */
static uint64_t make_value(const void *self, uint32_t type, const char *name)
{
    uint32_t bits = type & 0xff;
    RT_ASSERT(bits >= 1 && bits <= 64);
    uint64_t value = 0;
    rt_input_fixed(&value, (bits + 7) / 8, name);
    if (bits < 8)
        value &= (1u << bits) - 1;
    if (!rt_on())
        return value;
    uint32_t site = rt_call_site();
    rt_sym_arrive();
    uint32_t label = rt_input_make(rt_input_key(rt->self), type, &value, name, -1, site);
    if (bits < 8 && rt->symbolic)
        label = rt_sym_extended(label, 8);
    rt_sym_return(self, label);
    return value;
}

RT_API void __treadle_treadle_symbolic(void *object, size_t size, const char *name);
void __treadle_treadle_symbolic(void *object, size_t size, const char *name)
{
    uint32_t site = rt_on() ? rt_call_site() : 0;
    rt_sym_arrive();
    make_object(object, size, name, site);
}

RT_API void __treadle_klee_make_symbolic(void *object, size_t size, const char *name);
void __treadle_klee_make_symbolic(void *object, size_t size, const char *name)
{
    __treadle_treadle_symbolic(object, size, name);
}

#define NAMED(name, type, bits)                                                          \
    RT_API type __treadle_##name(const char *text);                                      \
    type __treadle_##name(const char *text)                                              \
    {                                                                                    \
        return (type)make_value((const void *)__treadle_##name, TYPE_OF(type, bits),     \
                                text);                                                   \
    }

#define UNNAMED(name, type, bits)                                                        \
    RT_API type __treadle___VERIFIER_nondet_##name(void);                                \
    type __treadle___VERIFIER_nondet_##name(void)                                        \
    {                                                                                    \
        return (type)make_value((const void *)__treadle___VERIFIER_nondet_##name,        \
                                TYPE_OF(type, bits), #name);                             \
    }

/* Makes an input of exactly n bits, zero-extended; a symbolic n is a decision. */
RT_API uint64_t __treadle_treadle_bits(unsigned n, const char *name);
uint64_t __treadle_treadle_bits(unsigned n, const char *name)
{
    const void *self = (const void *)__treadle_treadle_bits;
    if (n == 0 || n > 64)
        __treadle___assert_fail("treadle_bits is given 1 to 64 bits", "treadle.h", 0,
                                "treadle_bits");
    uint64_t value = 0;
    rt_input_fixed(&value, (n + 7) / 8, name);
    value &= UINT64_MAX >> (64 - n);
    if (!rt_on())
        return value;
    uint32_t site = rt_call_site();
    uint32_t label = rt_sym_argument(self, 0);
    rt_sym_arrive();
    rt_sym_concrete(label, n, site);
    uint32_t type = RT_INPUT_TYPE(n, WIRE_UNSIGNED);
    label = rt_input_make(rt_input_key(rt->self), type, &value, name, -1, site);
    rt_sym_return(self, rt->symbolic ? rt_sym_extended(label, 64) : 0);
    return value;
}

NAMED(treadle_int, int, 32)
NAMED(treadle_uint, unsigned, 32)
NAMED(treadle_long, long, 64)
NAMED(treadle_ulong, unsigned long, 64)
NAMED(treadle_bool, bool, 1)
NAMED(treadle_i8, int8_t, 8)
NAMED(treadle_i16, int16_t, 16)
NAMED(treadle_i32, int32_t, 32)
NAMED(treadle_i64, int64_t, 64)
NAMED(treadle_u8, uint8_t, 8)
NAMED(treadle_u16, uint16_t, 16)
NAMED(treadle_u32, uint32_t, 32)
NAMED(treadle_u64, uint64_t, 64)
NAMED(klee_int, int, 32)
UNNAMED(bool, bool, 1)
UNNAMED(char, char, 8)
UNNAMED(schar, signed char, 8)
UNNAMED(uchar, unsigned char, 8)
UNNAMED(short, short, 16)
UNNAMED(ushort, unsigned short, 16)
UNNAMED(int, int, 32)
UNNAMED(uint, unsigned, 32)
UNNAMED(unsigned, unsigned, 32)
UNNAMED(long, long, 64)
UNNAMED(ulong, unsigned long, 64)
UNNAMED(longlong, long long, 64)
UNNAMED(ulonglong, unsigned long long, 64)
UNNAMED(size_t, size_t, 64)
UNNAMED(u8, uint8_t, 8)
UNNAMED(u16, uint16_t, 16)
UNNAMED(u32, uint32_t, 32)
UNNAMED(loff_t, long, 64)
UNNAMED(pointer, uintptr_t, 64)
UNNAMED(pchar, uintptr_t, 64)

/* Not followed: one fixed value, and a ledger line. */
#define UNFOLLOWED(name, type)                                                           \
    RT_API type __treadle___VERIFIER_nondet_##name(void);                                \
    type __treadle___VERIFIER_nondet_##name(void)                                        \
    {                                                                                    \
        if (rt_on()) {                                                                   \
            rt_gap(WIRE_GAP_CONCRETE, rt_call_site(), "__VERIFIER_nondet_" #name);       \
            rt_sym_arrive();                                                             \
        }                                                                                \
        return 0;                                                                        \
    }

UNFOLLOWED(float, float)
UNFOLLOWED(double, double)

RT_API void __treadle___VERIFIER_nondet_memory(void *object, size_t size);
void __treadle___VERIFIER_nondet_memory(void *object, size_t size)
{
    __treadle_treadle_symbolic(object, size, "memory");
}

/* ---- about symbolic values ---- */

/* Ends the program quietly where it does not hold. */
static void assume(const void *self, uint64_t holds)
{
    if (rt_on()) {
        uint32_t site = rt_call_site();
        uint32_t label = rt_sym_truth(rt_sym_argument(self, 0), holds);
        rt_sym_arrive();
        rt_sym_branch(label, holds != 0, site);
    }
    if (!holds)
        rt_assumption_fails();
}

RT_API void __treadle_klee_assume(uintptr_t holds);
void __treadle_klee_assume(uintptr_t holds)
{
    assume((const void *)__treadle_klee_assume, holds);
}

RT_API void __treadle___VERIFIER_assume(int holds);
void __treadle___VERIFIER_assume(int holds)
{
    assume((const void *)__treadle___VERIFIER_assume, (uint32_t)holds);
}

/* Records the value with its node: for tests of the data flow. */
RT_API void __treadle_treadle_check(uint64_t value);
void __treadle_treadle_check(uint64_t value)
{
    if (!rt_on())
        return;
    uint32_t site = rt_call_site();
    uint32_t label = rt_sym_argument((const void *)__treadle_treadle_check, 0);
    rt_sym_arrive();
    rt_sym_concrete(label, value, site);
}

RT_API unsigned __treadle_klee_is_symbolic(uintptr_t value);
unsigned __treadle_klee_is_symbolic(uintptr_t value)
{
    (void)value;
    if (!rt_on())
        return 0;
    rt_call_site();
    uint32_t label = rt_sym_argument((const void *)__treadle_klee_is_symbolic, 0);
    rt_sym_arrive();
    return label != 0;
}

/* A value in [start, end); what is outside ends the program quietly. */
RT_API int __treadle_klee_range(int start, int end, const char *name);
int __treadle_klee_range(int start, int end, const char *name)
{
    const void *self = (const void *)__treadle_klee_range;
    uint32_t site = rt_on() ? rt_call_site() : 0;
    int value = (int)make_value(self, RT_INPUT_TYPE(32, WIRE_SIGNED), name);
    if (rt_on()) {
        uint32_t label = PLAN_CTL->results[0];
        rt_sym_branch(rt_sym_less(label, value, start), value < start, site);
        rt_sym_branch(rt_sym_less(label, value, end), value < end, site);
    }
    if (value < start || value >= end)
        rt_assumption_fails();
    return value;
}
