/* SPDX-License-Identifier: Apache-2.0 */
/* treadle.h - what a program may say to treadle. For C and C++.
 *
 * A program that uses this header builds with any compiler and needs no library.
 *
 *     treadle_assert(c)                  fails if c is false, with NDEBUG as well
 *     treadle_assume(c)                  ends the program quietly (exit 0) if c is false
 *     int n = treadle_int("n");          an input; also uint, long, ulong, bool,
 *                                        i8..i64, u8..u64
 *     treadle_bits(3, "n")               an input of 1 to 64 bits: here 0..7
 *     treadle_symbolic(&v, sizeof v, "v");   any object as an input
 *
 * Built by treadle cc and under its control, inputs are followed as symbolic values and take
 * the values that treadle chooses. Otherwise an input takes one fixed value, which depends
 * on its name and on the environment variable TREADLE_SEED (a number; 0 if it is not set),
 * in every build alike. The same name gives the same value each time.
 */
#ifndef TREADLE_H
#define TREADLE_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#ifdef __cplusplus
extern "C" {
#else
#include <stdbool.h>
#endif

/* As the C library has it; not declared by assert.h where NDEBUG is defined. */
#ifdef __THROW
extern void __assert_fail(const char *text, const char *file, unsigned int line,
                          const char *function) __THROW __attribute__((__noreturn__));
#else
extern void __assert_fail(const char *text, const char *file, unsigned int line,
                          const char *function) __attribute__((__noreturn__));
#endif

#define treadle_assert(c)                                                                \
    ((c) ? (void)0 : __assert_fail(#c, __FILE__, __LINE__, __extension__ __func__))

#define treadle_assume(c) ((c) ? (void)0 : exit(0))

#ifdef __TREADLE__ /* treadle cc: the runtime has them */

void treadle_symbolic(void *object, size_t size, const char *name);
int treadle_int(const char *name);
unsigned int treadle_uint(const char *name);
long treadle_long(const char *name);
unsigned long treadle_ulong(const char *name);
bool treadle_bool(const char *name);
int8_t treadle_i8(const char *name);
int16_t treadle_i16(const char *name);
int32_t treadle_i32(const char *name);
int64_t treadle_i64(const char *name);
uint8_t treadle_u8(const char *name);
uint16_t treadle_u16(const char *name);
uint32_t treadle_u32(const char *name);
uint64_t treadle_u64(const char *name);
uint64_t treadle_bits(unsigned int n, const char *name);

#else

/* Fills the object with the fixed value of the input called name. */
static inline void treadle_symbolic(void *object, size_t size, const char *name)
{
    const char *seed = getenv("TREADLE_SEED");
    uint64_t state = seed ? (uint64_t)strtoull(seed, NULL, 0) : 0;
    unsigned char *byte = (unsigned char *)object;
    size_t i;
    for (; *name; name++)
        state = (state ^ (unsigned char)*name) * UINT64_C(0x100000001b3);
    for (i = 0; i < size; i++) {
        uint64_t z = (state += UINT64_C(0x9e3779b97f4a7c15));
        z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
        z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
        byte[i] = (unsigned char)(z >> 56);
    }
}

#define TREADLE_INPUT(suffix, type)                                                      \
    static inline type treadle_##suffix(const char *name)                                \
    {                                                                                    \
        type value;                                                                      \
        treadle_symbolic(&value, sizeof value, name);                                    \
        return value;                                                                    \
    }

TREADLE_INPUT(int, int)
TREADLE_INPUT(uint, unsigned int)
TREADLE_INPUT(long, long)
TREADLE_INPUT(ulong, unsigned long)
TREADLE_INPUT(i8, int8_t)
TREADLE_INPUT(i16, int16_t)
TREADLE_INPUT(i32, int32_t)
TREADLE_INPUT(i64, int64_t)
TREADLE_INPUT(u8, uint8_t)
TREADLE_INPUT(u16, uint16_t)
TREADLE_INPUT(u32, uint32_t)
TREADLE_INPUT(u64, uint64_t)
#undef TREADLE_INPUT

static inline bool treadle_bool(const char *name)
{
    return treadle_u8(name) & 1;
}

static inline uint64_t treadle_bits(unsigned int n, const char *name)
{
    uint64_t value = 0;
    unsigned int i;
    unsigned char bytes[8];
    treadle_assert(n >= 1 && n <= 64);
    treadle_symbolic(bytes, (n + 7) / 8, name);
    for (i = 0; i < (n + 7) / 8; i++)
        value |= (uint64_t)bytes[i] << 8 * i;
    return value & UINT64_MAX >> (64 - n);
}

#endif

#ifdef __cplusplus
}
#endif

#endif
