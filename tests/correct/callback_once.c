/* SPDX-License-Identifier: Apache-2.0 */
/* The routine of pthread_once sorts with a comparison of its own; everybody reads the result.
 *
 * treadle:
 * expect: verdict complete */
#include "threads.h"

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int sorted[3] = {3, 1, 2};

static int compare(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

static void prepare(void)
{
    qsort(sorted, 3, sizeof sorted[0], compare);
}

static void *body(void *arg)
{
    pthread_once(&once, prepare);
    assert(sorted[0] == 1 && sorted[2] == 3);
    return arg;
}

int main(void)
{
    run_threads(2, body);
    return 0;
}
