/* SPDX-License-Identifier: Apache-2.0 */
/* Whether the process is under control. All other state is behind rt. */
#include "runtime/core/state.h"

RT_HIDDEN bool rt_controlled;
