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
 *     treadle_specify(&s, &spec)         operations of s are checked against spec: for every
 *                                        history that is explored there must be an order of
 *                                        its operations that gives the same results
 *     treadle_op_begin(&s, "put", k, v)  self starts an operation of s; up to 4 arguments
 *     treadle_op_end(&s, result)         it is done; without a result: treadle_op_end(&s)
 *
 * Built by treadle cc and under its control, inputs are followed as symbolic values and take
 * the values that treadle chooses. Otherwise an input takes one fixed value, which depends
 * on its name and on the environment variable TREADLE_SEED (a number; 0 if it is not set),
 * in every build alike. The same name gives the same value each time. Marks of operations do
 * nothing then.
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

/* One operation, as its specification sees it. */
struct treadle_call {
    const char *op;  /* as given to treadle_op_begin */
    uint64_t arg[4]; /* 0 beyond n_args */
    unsigned int n_args;
    unsigned int choice; /* see step */
};

/* What the operations of a structure mean if they happen one after the other. The state is
 * state_size bytes, at most 65536, without pointers to other memory of its own: it is copied and
 * compared byte by byte. */
struct treadle_spec {
    size_t state_size;
    /* Makes the first state; NULL: all bytes are zero. */
    void (*init)(void *state);
    /* Carries out call on the state and puts what it returns into *result, which is 0 before.
     * Returns 1; 0 if the operation cannot happen in this state and has to wait for another;
     * n > 1 if there are n ways for it to happen: then it is asked again, with the same state and
     * choice 1 to n - 1. It must do the same whenever it is called with the same. */
    int (*step)(void *state, const struct treadle_call *call, uint64_t *result);
};

/* Numbers and pointers alike. */
#define TREADLE_U64(x) ((uint64_t)(x))
#define TREADLE_PICK(object, a, b, c, d, e, picked, ...) picked
#define TREADLE_OP0(object, op) treadle_op_begin_args(object, op, 0, 0, 0, 0, 0)
#define TREADLE_OP1(object, op, a)                                                       \
    treadle_op_begin_args(object, op, 1, TREADLE_U64(a), 0, 0, 0)
#define TREADLE_OP2(object, op, a, b)                                                    \
    treadle_op_begin_args(object, op, 2, TREADLE_U64(a), TREADLE_U64(b), 0, 0)
#define TREADLE_OP3(object, op, a, b, c)                                                 \
    treadle_op_begin_args(object, op, 3, TREADLE_U64(a), TREADLE_U64(b), TREADLE_U64(c), \
                          0)
#define TREADLE_OP4(object, op, a, b, c, d)                                              \
    treadle_op_begin_args(object, op, 4, TREADLE_U64(a), TREADLE_U64(b), TREADLE_U64(c), \
                          TREADLE_U64(d))
#define TREADLE_END0(object) treadle_op_end_result(object, 0, 0)
#define TREADLE_END1(object, result) treadle_op_end_result(object, 1, TREADLE_U64(result))

#define treadle_op_begin(...)                                                            \
    TREADLE_PICK(__VA_ARGS__, TREADLE_OP4, TREADLE_OP3, TREADLE_OP2, TREADLE_OP1,        \
                 TREADLE_OP0, 0)                                                         \
    (__VA_ARGS__)
#define treadle_op_end(...)                                                              \
    TREADLE_PICK(__VA_ARGS__, 0, 0, 0, 0, TREADLE_END1, TREADLE_END0, 0)(__VA_ARGS__)

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
void treadle_specify(const volatile void *object, const struct treadle_spec *spec);
void treadle_op_begin_args(const volatile void *object, const char *op,
                           unsigned int n_args, uint64_t a, uint64_t b, uint64_t c,
                           uint64_t d);
void treadle_op_end_result(const volatile void *object, unsigned int n, uint64_t result);

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

/* Nothing is checked: threads run as they like. */
static inline void treadle_specify(const volatile void *object,
                                   const struct treadle_spec *spec)
{
    (void)object;
    (void)spec;
}

static inline void treadle_op_begin_args(const volatile void *object, const char *op,
                                         unsigned int n_args, uint64_t a, uint64_t b,
                                         uint64_t c, uint64_t d)
{
    (void)object;
    (void)op;
    (void)n_args;
    (void)a;
    (void)b;
    (void)c;
    (void)d;
}

static inline void treadle_op_end_result(const volatile void *object, unsigned int n,
                                         uint64_t result)
{
    (void)object;
    (void)n;
    (void)result;
}

#endif

#ifdef __cplusplus
}
#endif

#endif
