/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers are read from a text that nobody writes; ends and results are each thread's own.
 *
 * treadle:
 * expect: verdict complete */
#include "threads.h"

static const char text[] = "12 34";

static void *body(void *arg)
{
    char *end;
    long first = strtol(text, &end, 10);
    long second = strtol(end, &end, 10);
    assert(first == 12 && second == 34 && *end == 0);
    assert(strtod(text, NULL) == 12.0 && atoi(text) == 12);
    return arg;
}

int main(void)
{
    run_threads(2, body);
    return 0;
}
