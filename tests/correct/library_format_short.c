/* SPDX-License-Identifier: Apache-2.0 */
/* snprintf writes what it has to, not what it may: bytes behind it belong to another thread.
 *
 * treadle:
 * expect: verdict complete */
#include <stdio.h>

#include "threads.h"

static char buffer[32];

static void *formats(void *arg)
{
    snprintf(buffer, sizeof buffer, "%d", 12);
    return arg;
}

static void *writes(void *arg)
{
    buffer[3] = 'x';
    return arg;
}

int main(void)
{
    run_two(formats, writes);
    assert(buffer[0] == '1' && buffer[2] == 0 && buffer[3] == 'x');
    return 0;
}
