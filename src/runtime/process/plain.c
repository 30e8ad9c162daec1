/* SPDX-License-Identifier: Apache-2.0 */
/* The same for static programs: nothing is exported, and the C library's functions have their own
 * names. Threads that other code makes are noticed (trap.c). */
#define RT_REAL_NAMES
#include "runtime/core/core.h"

#include "runtime/process/real.h"

#if defined(__x86_64__)
#define JUMP "jmp "
#else
#define JUMP "b "
#endif

#define ENTRY(name, use)                                                                 \
    __asm__(".text\n\t.globl __treadle_real_" #name "\n\t.hidden __treadle_real_" #name  \
            "\n__treadle_real_" #name ":\n\t" JUMP #name "\n\t");
#define X(name) ENTRY(name, 0)
RT_EXPORTED(X)
#undef X
RT_EXPORTED_WATCHED(ENTRY)
