/* SPDX-License-Identifier: Apache-2.0 */
/* klee/klee.h - so that a program marked for KLEE builds with treadle cc as it is.
 *
 * Inputs and assumptions mean what they mean there. Hints about how to search, and what prints
 * expressions, do nothing. treadle cc finds this header behind all other directories. */
#ifndef TREADLE_KLEE_H
#define TREADLE_KLEE_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <treadle.h>

#ifdef __cplusplus
extern "C" {
#endif

void klee_make_symbolic(void *object, size_t size, const char *name);
int klee_int(const char *name);
int klee_range(int start, int end, const char *name); /* end is not in it */
void klee_assume(uintptr_t holds);
unsigned klee_is_symbolic(uintptr_t value);

#define klee_assert(c) treadle_assert(c)

__attribute__((noreturn)) static inline void klee_silent_exit(int code)
{
    exit(code);
}

__attribute__((noreturn)) static inline void klee_abort(void)
{
    abort();
}

__attribute__((noreturn)) static inline void
klee_report_error(const char *file, int line, const char *message, const char *suffix)
{
    (void)suffix;
    __assert_fail(message, file, (unsigned)line, "");
}

#define TREADLE_KLEE_VALUE(suffix, type)                                                 \
    static inline type klee_get_value##suffix(type value)                                \
    {                                                                                    \
        return value;                                                                    \
    }
TREADLE_KLEE_VALUE(_i32, int32_t)
TREADLE_KLEE_VALUE(_i64, int64_t)
TREADLE_KLEE_VALUE(f, float)
TREADLE_KLEE_VALUE(d, double)
TREADLE_KLEE_VALUE(l, long)
TREADLE_KLEE_VALUE(ll, long long)
#undef TREADLE_KLEE_VALUE

static inline void klee_prefer_cex(void *object, uintptr_t holds)
{
    (void)object;
    (void)holds;
}

static inline void klee_posix_prefer_cex(void *object, uintptr_t holds)
{
    (void)object;
    (void)holds;
}

static inline void klee_mark_global(void *object)
{
    (void)object;
}

static inline void klee_warning(const char *message)
{
    (void)message;
}

static inline void klee_warning_once(const char *message)
{
    (void)message;
}

static inline void klee_set_forking(unsigned enable)
{
    (void)enable;
}

static inline void klee_stack_trace(void)
{
}

static inline void klee_open_merge(void)
{
}

static inline void klee_close_merge(void)
{
}

#define klee_print_expr(message, ...) ((void)(message))
#define klee_print_range(name, value) ((void)(name))

#ifdef __cplusplus
}
#endif

#endif
