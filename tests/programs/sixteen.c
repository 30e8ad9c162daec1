/* SPDX-License-Identifier: Apache-2.0 */
/* Atomics of sixteen bytes: a struct that a library function handles.
 *
 * treadle: --search=all
 * cflags: -latomic
 * expect: runs 1
 * expect: verdict complete
 * hand: 0 */
#include <assert.h>
#include <stdatomic.h>
#include <stdbool.h>

struct pair {
    long a, b;
};

static _Atomic struct pair pair;

int main(void)
{
    struct pair one = {1, -1}, two = {2, -2}, seen;
    atomic_store(&pair, one);
    seen = atomic_load(&pair);
    assert(seen.a == 1 && seen.b == -1);
    seen = atomic_exchange(&pair, two);
    assert(seen.a == 1 && seen.b == -1);
    bool swapped = atomic_compare_exchange_strong(&pair, &one, two);
    assert(!swapped && one.a == 2 && one.b == -2);
    one.a = 3;
    swapped = atomic_compare_exchange_strong(&pair, &two, one);
    assert(swapped);
    seen = atomic_load(&pair);
    assert(seen.a == 3 && seen.b == -2);
    return 0;
}
