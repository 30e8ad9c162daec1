/* SPDX-License-Identifier: Apache-2.0 */
/* Broken-down time in a structure of the thread.
 *
 * treadle:
 * expect: verdict complete */
#include <time.h>

#include "threads.h"

static void *body(void *arg)
{
    time_t day = 86400 * number_of(arg);
    struct tm parts;
    gmtime_r(&day, &parts);
    assert(parts.tm_mday == 1 + number_of(arg) && parts.tm_year == 70);
    return arg;
}

int main(void)
{
    run_threads(2, body);
    return 0;
}
