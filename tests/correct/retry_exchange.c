/* SPDX-License-Identifier: Apache-2.0 */
/* Threads add by compare-exchange and try again until nobody came between.
 *
 * treadle:
 * expect: verdict complete */
#include <stdatomic.h>

#include "threads.h"

static atomic_int sum;

static void *body(void *arg)
{
    int seen = atomic_load(&sum);
    while (!atomic_compare_exchange_weak(&sum, &seen, seen + number_of(arg) + 1))
        ;
    return arg;
}

int main(void)
{
    run_threads(3, body);
    assert(sum == 6);
    return 0;
}
