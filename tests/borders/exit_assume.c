/* SPDX-License-Identifier: Apache-2.0 */
/* Where an assumption does not hold there is no run, and no handler of it.
 *
 * treadle:
 * expect: verdict complete */
#include <assert.h>
#include <stdlib.h>
#include <treadle.h>

void klee_assume(unsigned long holds);

static int n;
static void handler(void)
{
    assert(n < 3);
}

int main(void)
{
    atexit(handler);
    n = treadle_u8("n");
    klee_assume(n < 3);
    return 0;
}
