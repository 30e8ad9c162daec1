/* SPDX-License-Identifier: Apache-2.0 */
/* base/stop.h - tells long computations to end early.
 *
 * Purpose     A search without a clock checks in every long loop whether it must stop: the time is
 *             over, or the user has requested it.
 * Invariants  (S1) once the answer was yes it stays yes; (S2) the function that answers yes ensures
 *             that no result counts as complete.
 * Cost        Most calls count only; asks() is called once in TD_STOP_EVERY.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TD_STOP_EVERY 32u

/* All zero, and NULL: it never ends early. */
typedef struct td_stop {
    bool (*asks)(void *ctx); /* true: the computation is to end */
    void *ctx;
    uint32_t n_asked;
    bool is_set; /* it was true */
} td_stop;

/* Calls asks() at once, for steps that take long by themselves. */
static inline bool td_stops_now(td_stop *s)
{
    if (s && s->asks && !s->is_set)
        s->is_set = s->asks(s->ctx);
    return s && s->is_set;
}

static inline bool td_stops(td_stop *s)
{
    if (!s || s->is_set || ++s->n_asked % TD_STOP_EVERY != 0)
        return s && s->is_set;
    return td_stops_now(s);
}
