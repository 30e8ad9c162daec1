/* SPDX-License-Identifier: Apache-2.0 */
/* A function whose row says that it is not watched is a line of the ledger where it is called, and only there.
 *
 * treadle:
 * expect: verdict complete
 *
 * treadle:
 * args: sort
 * expect: verdict incomplete
 * expect: ledger not watched library_unwatched.c:28 qsort_r */
#define _GNU_SOURCE 1
#include <pthread.h>
#include <stdlib.h>

static int numbers[4] = {3, 1, 2, 4};
static int sorts;

static int compare(const void *a, const void *b, void *arg)
{
    (void)arg;
    return *(const int *)a - *(const int *)b;
}

static void *work(void *arg)
{
    if (!sorts)
        return arg;
    qsort_r(numbers, 4, sizeof numbers[0], compare, NULL);
    return arg;
}

int main(int argc, char **argv)
{
    pthread_t t;
    (void)argv;
    sorts = argc > 1;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    return 0;
}
