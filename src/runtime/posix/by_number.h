/* SPDX-License-Identifier: Apache-2.0 */
/* runtime/posix/by_number.h - system calls that a program makes by number (by_number.c, futex.c). */
#pragma once

#include "runtime/core/core.h"

/* syscall(SYS_futex, a[0], ...) */
long rt_futex(const long *a, uint32_t site);
/* The run ends: what, with that number, is not modelled. */
_Noreturn void rt_refuse_number(const char *what, long number, uint32_t site);
