/* SPDX-License-Identifier: Apache-2.0 */
/* True once the process is under treadle's control. All other state is in rt. */
#include "runtime/core/state.h"

RT_HIDDEN bool rt_controlled;
