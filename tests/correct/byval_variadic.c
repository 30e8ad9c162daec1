/* SPDX-License-Identifier: Apache-2.0 */
/* Structures through "...", each thread its own.
 *
 * treadle:
 * expect: verdict complete */
#include <stdarg.h>

#include "threads.h"

struct line {
    int words[6];
};

static int sum(int n, ...)
{
    va_list list;
    int all = 0;
    va_start(list, n);
    for (int i = 0; i < n; i++) {
        struct line line = va_arg(list, struct line);
        all += line.words[5];
    }
    va_end(list);
    return all;
}

static void *body(void *arg)
{
    struct line mine = {{0, 0, 0, 0, 0, number_of(arg)}};
    assert(sum(2, mine, mine) == 2 * number_of(arg));
    return arg;
}

int main(void)
{
    run_threads(3, body);
    return 0;
}
