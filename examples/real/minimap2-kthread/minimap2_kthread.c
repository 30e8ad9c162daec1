/* SPDX-License-Identifier: Apache-2.0
 * minimap2's parallel loop: two workers that steal, each index is done once. */
#include <assert.h>

#include "kthread.h"

enum { WORKERS = 2, ITEMS = 3 };

static int done[ITEMS];

static void item(void *data, long i, int worker)
{
    (void)data;
    assert(0 <= worker && worker < WORKERS);
    done[i]++;
}

int main(void)
{
    kt_for(WORKERS, item, 0, ITEMS);
    for (int i = 0; i < ITEMS; i++)
        assert(done[i] == 1);
    return 0;
}
