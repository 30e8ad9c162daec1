/* SPDX-License-Identifier: Apache-2.0 */
/* runtime/core/rt_assert.h - our own mistakes, inside the program under test.
 *
 * RT_ASSERT   O(1), in every build, never on the path of a plain access that passes inline.
 * A failed one ends the process: treadle reports a lost run with its text, an internal error and no
 * finding about the program. The program may have written over the runtime's state: what is read
 * from it is checked, not asserted, where that can be told.
 */
#pragma once

#include <stdbool.h>

_Noreturn void rt_assert_failed(const char *text);

#define RT_TEXT_OF(x) #x
#define RT_LINE_TEXT(x) RT_TEXT_OF(x)
#define RT_ASSERT(cond)                                                                  \
    (__builtin_expect(!(cond), 0)                                                        \
         ? rt_assert_failed(__FILE_NAME__ ":" RT_LINE_TEXT(__LINE__) ": " #cond)         \
         : (void)0)
