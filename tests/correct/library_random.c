/* SPDX-License-Identifier: Apache-2.0 */
/* rand() is one sequence behind a lock of its own; rand_r has its seed in the thread.
 *
 * treadle:
 * expect: verdict complete */
#include "threads.h"

static void *body(void *arg)
{
    unsigned seed = (unsigned)number_of(arg);
    assert(rand() >= 0 && rand_r(&seed) >= 0);
    return arg;
}

int main(void)
{
    run_threads(2, body);
    return 0;
}
