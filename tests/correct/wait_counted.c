/* SPDX-License-Identifier: Apache-2.0 */
/* A loop that waits counts its rounds up to a bound: after that a round changes nothing.
 *
 * treadle:
 * expect: verdict complete */
#include <stdatomic.h>

#include "threads.h"

static atomic_int ready;

static void *writer(void *arg)
{
    ready = 1;
    return arg;
}

static void *reader(void *arg)
{
    int rounds = 0;
    while (!ready)
        if (rounds < 3)
            rounds++;
    assert(rounds <= 3);
    return arg;
}

int main(void)
{
    run_two(writer, reader);
    return 0;
}
