/* SPDX-License-Identifier: Apache-2.0 */
/* A handler reads what a thread wrote before it was joined.
 *
 * treadle:
 * expect: verdict complete */
#include "threads.h"

static int value;

static void handler(void)
{
    assert(value == 1);
}

static void *body(void *arg)
{
    value = 1;
    return arg;
}

int main(void)
{
    atexit(handler);
    run_threads(1, body);
    return 0;
}
