/* SPDX-License-Identifier: Apache-2.0 */
/* What is spent on a question: time, and how large its circuit would be. */
#include "solver/solver_int.h"

#include <time.h>

/* Measures our own processor time, so that the load of the machine does not decide what is too hard. */
uint64_t slv_now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

size_t slv_cost(const exp_tape *t)
{
    size_t cost = 0;
    for (size_t i = 0; i < t->steps.len; i++) {
        exp_step step = t->steps.at[i];
        size_t width = step.aux > step.width ? step.aux : step.width;
        bool is_square = step.op >= EXP_MUL && step.op <= EXP_SREM;
        cost += is_square ? 3 * width * width : 2 * width;
    }
    return cost;
}
