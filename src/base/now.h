/* SPDX-License-Identifier: Apache-2.0 */
/* base/now.h - the time that passes, whatever the clock on the wall does. */
#pragma once

#include <stdint.h>
#include <time.h>

/* Milliseconds since some moment. */
static inline uint64_t td_now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}
