/* SPDX-License-Identifier: Apache-2.0
 * minimap2's pipeline: batches pass three steps, each step takes them in their order. */
#include <assert.h>
#include <stddef.h>

#include "kthread.h"

enum { WORKERS = 2, STEPS = 2, BATCHES = 2 };

static int n_batches, next_at[STEPS];
static int batches[BATCHES];

static void *step(void *shared, int at, void *data)
{
    (void)shared;
    if (at == 0) {
        if (n_batches == BATCHES)
            return NULL;
        data = &batches[n_batches++];
    }
    assert((int *)data - batches == next_at[at]);
    next_at[at]++;
    return at == STEPS - 1 ? NULL : data;
}

int main(void)
{
    kt_pipeline(WORKERS, step, NULL, STEPS);
    assert(next_at[STEPS - 1] == BATCHES);
    return 0;
}
