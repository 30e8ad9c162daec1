/* SPDX-License-Identifier: Apache-2.0 */
/* A loop waits for a volatile flag, which the sources mean as an atomic.
 *
 * treadle:
 * cflags: --volatile=atomic
 * expect: verdict complete
 * expect: ledger volatile */
#include "threads.h"

static volatile int ready;
static int data;

static void *writer(void *arg)
{
    data = 1;
    ready = 1;
    return arg;
}

static void *reader(void *arg)
{
    while (!ready)
        ;
    assert(data == 1);
    return arg;
}

int main(void)
{
    run_two(writer, reader);
    return 0;
}
