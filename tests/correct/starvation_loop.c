/* SPDX-License-Identifier: Apache-2.0 */
/* Readers come until the writer has written, which may never be: not a bug.
 * A round changes the count of readers, so it does not just wait: rounds have no end.
 *
 * treadle: --runs=60
 * expect: runs 60
 * expect: verdict incomplete
 * expect: ledger runs
 * hand: 0 */
#include <stdatomic.h>

#include "threads.h"

static atomic_int n_readers, is_written;

static void *reader(void *arg)
{
    while (!atomic_load(&is_written)) {
        atomic_fetch_add(&n_readers, 1);
        atomic_fetch_sub(&n_readers, 1);
    }
    return arg;
}

static void *writer(void *arg)
{
    while (atomic_load(&n_readers) > 0)
        continue;
    atomic_store(&is_written, 1);
    return arg;
}

int main(void)
{
    run_two(reader, writer);
    return 0;
}
