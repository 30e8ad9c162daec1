/* SPDX-License-Identifier: Apache-2.0 */
/* Threads search a table that nobody writes; keys and results are their own.
 *
 * treadle:
 * expect: verdict complete */
#include <search.h>

#include "threads.h"

static const int table[4] = {1, 3, 5, 7};

static int compare(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

static void *body(void *arg)
{
    int key = 2 * number_of(arg) + 1;
    size_t n = 4;
    const int *found = bsearch(&key, table, 4, sizeof key, compare);
    assert(found == &table[number_of(arg)]);
    assert(lfind(&key, table, &n, sizeof key, compare) == found);
    return arg;
}

int main(void)
{
    run_threads(3, body);
    return 0;
}
