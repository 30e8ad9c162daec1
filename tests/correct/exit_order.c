/* SPDX-License-Identifier: Apache-2.0 */
/* Handlers run last first, a destructor after all of them.
 *
 * treadle:
 * expect: verdict complete */
#define _GNU_SOURCE
#include <stdlib.h>

#include "threads.h"

static int n_run;

static __attribute__((destructor)) void last(void)
{
    assert(n_run == 2);
}

static void second(void)
{
    assert(n_run++ == 1);
}

static void first(int status, void *arg)
{
    assert(status == 0 && arg == &n_run && n_run++ == 0);
}

static void *body(void *arg)
{
    return arg;
}

int main(void)
{
    atexit(second);
    on_exit(first, &n_run);
    run_threads(1, body);
    return 0;
}
