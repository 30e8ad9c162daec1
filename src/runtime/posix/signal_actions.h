/* SPDX-License-Identifier: Apache-2.0 */
/* runtime/posix/signal_actions.h - what becomes of a signal. */
#pragma once

#include <signal.h>

#include "runtime/core/core.h"

#define RT_N_SIGNALS 64

static inline uint64_t rt_signal_bit(int signal)
{
    RT_ASSERT(signal > 0 && signal <= RT_N_SIGNALS);
    return UINT64_C(1) << (signal - 1);
}

enum rt_fate { RT_FATE_IGNORED, RT_FATE_ENDS, RT_FATE_STOPS, RT_FATE_HANDLED };

enum rt_fate rt_action_fate(int signal, struct sigaction *action);
void rt_action_set(int signal, const struct sigaction *action);
/* An operation, if there are other threads: what they do to actions and what self sees of it is in an order. */
void rt_actions_look(uint32_t site);
