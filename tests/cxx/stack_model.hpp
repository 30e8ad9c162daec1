// SPDX-License-Identifier: Apache-2.0
/* The specification of a stack of four at most, with operations push and pop. */
#pragma once

#include <cstdint>
#include <cstring>
#include <treadle.hpp>

struct model {
    int n, at[4];
};

static int step(void *state, const struct treadle_call *call, uint64_t *result)
{
    model *m = static_cast<model *>(state);
    if (std::strcmp(call->op, "push") == 0)
        m->at[m->n++] = static_cast<int>(call->arg[0]);
    else
        *result = m->n > 0 ? static_cast<uint64_t>(m->at[--m->n]) : 0;
    return 1;
}

static const treadle_spec spec = {sizeof(model), nullptr, step};
