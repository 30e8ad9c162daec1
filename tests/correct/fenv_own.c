/* SPDX-License-Identifier: Apache-2.0 */
/* Every thread computes in the rounding mode that it has set.
 *
 * treadle:
 * cflags: -lm
 * expect: verdict complete
 * hand: 0 */
#include "threads.h"

#include <fenv.h>
#include <stdatomic.h>

static atomic_int turns;

static void *work(void *arg)
{
    int mode = number_of(arg) ? FE_UPWARD : FE_TOWARDZERO;
    assert(fegetround() == FE_DOWNWARD);
    fesetround(mode);
    atomic_fetch_add(&turns, 1);
    assert(fegetround() == mode);
    atomic_fetch_add(&turns, 1);
    assert(fegetround() == mode);
    return NULL;
}

int main(void)
{
    fesetround(FE_DOWNWARD);
    run_threads(2, work);
    assert(fegetround() == FE_DOWNWARD);
    return 0;
}
