/* SPDX-License-Identifier: Apache-2.0 */
/* base/assert.h - our own mistakes.
 *
 * TD_ASSERT   O(1), in every build.      TD_DASSERT  all but release builds.
 * TD_AUDIT    whole structures, builds with -Daudit=true.
 * Switched off they still type-check. A failed one prints and exits with 70.
 */
#pragma once

#include <stdbool.h>

_Noreturn void td_assert_failed(const char *text, const char *file, int line);

#define TD_ASSERT(cond) ((cond) ? (void)0 : td_assert_failed(#cond, __FILE__, __LINE__))

#ifdef TD_RELEASE_BUILD
#define TD_DASSERT(cond) ((void)sizeof(!(cond)))
#else
#define TD_DASSERT(cond) TD_ASSERT(cond)
#endif

#ifdef TD_AUDIT_BUILD
#define TD_AUDIT(cond) TD_ASSERT(cond)
#else
#define TD_AUDIT(cond) ((void)sizeof(!(cond)))
#endif
