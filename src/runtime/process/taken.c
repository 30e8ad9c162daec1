/* SPDX-License-Identifier: Apache-2.0 */
/* The addresses of replaced functions, to distinguish a call through a pointer from a call of uninstrumented
 * code. Those that are not linked are NULL. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wire/api.h"

#define ALL(X)                                                                           \
    WIRE_REPLACED(X)                                                                     \
    WIRE_DESCRIPTORS(X)                                                                  \
    WIRE_INPUTS(X)                                                                       \
    WIRE_SYMBOLIC(X)                                                                     \
    WIRE_MARKS(X)                                                                        \
    WIRE_LIBC(X)                                                                         \
    WIRE_LIBC_PURE(X) WIRE_STDIN(X) WIRE_REFUSED(X) WIRE_TAINTING(X) WIRE_FILES(X)

#define X(name) extern const char __treadle_##name[] __attribute__((weak));
ALL(X)
#undef X

#define X(name) __treadle_##name,
static const char *const all[] = {ALL(X)};
#undef X

__attribute__((visibility("hidden"))) bool rt_is_taken_over(uint64_t function);
bool rt_is_taken_over(uint64_t function)
{
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if ((uint64_t)(uintptr_t)all[i] == function)
            return function != 0;
    return false;
}
