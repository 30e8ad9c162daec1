/* SPDX-License-Identifier: Apache-2.0 */
/* runtime/cxx/cxx_int.h - parts of libstdc++ that treadle compiles.
 *
 * Purpose     What libstdc++ does inside is not seen. What the program can notice of it, its own memory and the order
 *             of threads, is done here.
 * Invariants  A definition replaces the library's of that name in the whole process, so it does the same for every
 *             caller; memory that both know has the library's layout (Itanium C++ ABI, 64 bits).
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* The name that compiled C++ has for a function. */
#define CXX_NAME(name) __asm__(name)

/* In the runtime; outside a run they do nothing. */
void __treadle_once_left(void);
/* Reports that text, NULL: the exception that is not caught. */
void __treadle_terminated(const char *text);
/* Reports the exception that is not caught, whose object the caller knows. */
void __treadle_uncaught(void *object);
void __treadle_add(int32_t *word, int32_t by);
void __treadle_mark(uint32_t *word);
void __treadle_rethrown(void);
void __treadle_throw_behind(void (*function)(void *, void *, void (*)(void *)),
                            void *object, void *type, void (*destructor)(void *));
void __treadle_call_behind(void (*function)(void *), void *arg);
bool __treadle_is_marked(const uint32_t *word);
