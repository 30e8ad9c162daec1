/* SPDX-License-Identifier: Apache-2.0 */
/* fib ROUNDS [join]: one thread adds j to i, the other i to j, ROUNDS times each; main reads
 * i, then j, meanwhile or, with "join", when they are done. Neither is ever more than the
 * Fibonacci number F(2 ROUNDS + 2). Traces: 4 rounds 19605, 5 rounds 218243; joined 1107 and
 * 8953. */
#include <assert.h>
#include <stdatomic.h>

#include "common.h"

static atomic_long i = 1, j = 1;
static int n_rounds;

static void add(atomic_long *to, atomic_long *from)
{
    for (int k = 0; k < n_rounds; k++) {
        long own = atomic_load(to);
        long other = atomic_load(from);
        atomic_store(to, own + other);
    }
}

static void *add_to_i(void *number)
{
    add(&i, &j);
    return NULL;
}

static void *add_to_j(void *number)
{
    add(&j, &i);
    return NULL;
}

static long fibonacci(int n)
{
    long a = 0, b = 1;
    for (int k = 0; k < n; k++) {
        long sum = a + b;
        a = b;
        b = sum;
    }
    return a;
}

int main(int argc, char **argv)
{
    n_rounds = size_arg(argc, argv, 1, 4, 40);
    pthread_t t[2] = {start(add_to_i, 0), start(add_to_j, 1)};
    if (has_word(argc, argv, "join"))
        join_all(t, 2);
    long seen_i = atomic_load(&i);
    long seen_j = atomic_load(&j);
    long most = fibonacci(2 * n_rounds + 2);
    assert(seen_i <= most && seen_j <= most);
    return leave();
}
