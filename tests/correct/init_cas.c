/* SPDX-License-Identifier: Apache-2.0 */
/* Whoever is first installs its object; the others free theirs.
 *
 * treadle:
 * expect: verdict complete
 * hand: 0 */
#include <stdatomic.h>

#include "threads.h"

static _Atomic(int *) instance;

static int *get(int value)
{
    int *v = atomic_load(&instance);
    if (v)
        return v;
    int *mine = malloc(sizeof *mine);
    *mine = value;
    if (atomic_compare_exchange_strong(&instance, &v, mine))
        return mine;
    free(mine);
    return v;
}

static void *worker(void *arg)
{
    int value = *get(number_of(arg));
    assert(value >= 0 && value < 3);
    return arg;
}

int main(void)
{
    run_threads(3, worker);
    free(atomic_load(&instance));
    return 0;
}
