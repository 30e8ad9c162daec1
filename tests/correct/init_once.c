/* SPDX-License-Identifier: Apache-2.0 */
/* An initialisation that one does and the others wait for.
 *
 * treadle:
 * expect: verdict complete
 * hand: 0 */
#include <stdatomic.h>

#include "threads.h"

enum { NEW, BUSY, DONE };

static atomic_int state;
static int table[2];

static void init_table(void)
{
    int expected = NEW;
    if (atomic_compare_exchange_strong(&state, &expected, BUSY)) {
        table[0] = 1;
        table[1] = 2;
        atomic_store_explicit(&state, DONE, memory_order_release);
        return;
    }
    while (atomic_load_explicit(&state, memory_order_acquire) != DONE)
        continue;
}

static void *worker(void *arg)
{
    init_table();
    assert(table[0] + table[1] == 3);
    return arg;
}

int main(void)
{
    run_threads(3, worker);
    return 0;
}
