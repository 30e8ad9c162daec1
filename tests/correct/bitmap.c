/* SPDX-License-Identifier: Apache-2.0 */
/* Places of a bitmap are taken by "fetch_or"; nobody gets the same.
 *
 * treadle:
 * expect: verdict complete
 * hand: 0 */
#include <stdatomic.h>

#include "threads.h"

enum { PLACES = 3 };

static atomic_uint used;
static int owner[PLACES];

static int allocate(void)
{
    for (int i = 0; i < PLACES; i++)
        if (!(atomic_fetch_or(&used, 1u << i) >> i & 1))
            return i;
    return -1;
}

static void *worker(void *arg)
{
    int at = allocate();
    assert(at >= 0);
    owner[at] = number_of(arg) + 1;
    assert(owner[at] == number_of(arg) + 1);
    return arg;
}

int main(void)
{
    run_threads(3, worker);
    assert(owner[0] + owner[1] + owner[2] == 6);
    return 0;
}
