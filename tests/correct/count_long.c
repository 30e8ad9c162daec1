/* SPDX-License-Identifier: Apache-2.0 */
/* A loop with many rounds that waits for nobody.
 *
 * treadle:
 * expect: verdict complete */
#include "threads.h"

static volatile int n;

static void *body(void *arg)
{
    while (n < 20000)
        n++;
    return arg;
}

int main(void)
{
    run_threads(1, body);
    assert(n == 20000);
    return 0;
}
