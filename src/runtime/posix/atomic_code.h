/* SPDX-License-Identifier: Apache-2.0 */
/* runtime/posix/atomic_code.h - whether machine code synchronises threads. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* True if code[0..n) has an atomic instruction, a fence or a system call. True as well for what cannot be decoded. */
bool rt_code_synchronises(const uint8_t *code, size_t n);
