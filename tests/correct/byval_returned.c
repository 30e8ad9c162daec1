/* SPDX-License-Identifier: Apache-2.0 */
/* A structure is returned by value into what only the joiner reads.
 *
 * treadle:
 * expect: verdict complete */
#include "threads.h"

struct result {
    int values[10];
};

static struct result results[2];

static __attribute__((noinline)) struct result compute(int n)
{
    struct result r;
    for (int i = 0; i < 10; i++)
        r.values[i] = n * i;
    return r;
}

static void *body(void *arg)
{
    results[number_of(arg)] = compute(number_of(arg));
    return arg;
}

int main(void)
{
    run_threads(2, body);
    assert(results[0].values[9] == 0 && results[1].values[9] == 9);
    return 0;
}
