/* SPDX-License-Identifier: Apache-2.0 */
/* runtime/core/rt_assert.h - checks for bugs of the runtime.
 *
 * RT_ASSERT   O(1), in every build, never on the path of a plain access that passes inline.
 * A failed one ends the process: treadle reports a lost run with its text: an internal error, not a
 * finding. The program may have overwritten the runtime's state: values read from it are checked, not
 * asserted, wherever that can be detected.
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
