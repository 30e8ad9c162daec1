/* SPDX-License-Identifier: Apache-2.0 */
/* Copies of a length that is known at run time only; the halves meet but do not overlap.
 *
 * treadle:
 * expect: verdict complete */
#include <string.h>

#include "threads.h"

static char target[16];
static const char source[16] = "0123456789abcde";

static void *body(void *arg)
{
    size_t half = (size_t)number_of(arg) * 8;
    memcpy(target + half, source + half, 8);
    return arg;
}

int main(void)
{
    run_threads(2, body);
    assert(memcmp(target, source, 16) == 0);
    return 0;
}
