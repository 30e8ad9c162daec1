/* SPDX-License-Identifier: Apache-2.0 */
/* Each thread formats into its own half of a buffer, to its last byte.
 *
 * treadle:
 * expect: verdict complete */
#include <stdio.h>
#include <string.h>

#include "threads.h"

static char buffer[8];

static void *body(void *arg)
{
    snprintf(buffer + 4 * number_of(arg), 4, "%03d", number_of(arg) + 41);
    return arg;
}

int main(void)
{
    run_threads(2, body);
    assert(strcmp(buffer, "041") == 0 && strcmp(buffer + 4, "042") == 0);
    return 0;
}
