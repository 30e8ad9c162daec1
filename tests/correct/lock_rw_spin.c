/* SPDX-License-Identifier: Apache-2.0 */
/* A lock for readers and writers in one word: a count of readers, or -1.
 *
 * treadle:
 * expect: verdict complete
 * hand: 0 */
#include <stdatomic.h>

#include "threads.h"

static atomic_int word;
static int data[2];

static void *reader(void *arg)
{
    int n = atomic_load(&word);
    while (n < 0 || !atomic_compare_exchange_weak(&word, &n, n + 1))
        if (n < 0)
            n = atomic_load(&word);
    assert(data[0] == data[1]);
    atomic_fetch_sub(&word, 1);
    return arg;
}

static void *worker(void *arg)
{
    if (number_of(arg) > 0)
        return reader(arg);
    int expected = 0;
    while (!atomic_compare_exchange_weak(&word, &expected, -1))
        expected = 0;
    data[0]++;
    data[1]++;
    atomic_store(&word, 0);
    return arg;
}

int main(void)
{
    run_threads(3, worker);
    return 0;
}
