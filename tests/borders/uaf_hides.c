/* SPDX-License-Identifier: Apache-2.0 */
/* A write to memory that may have been freed: the race and the assertion are found as well.
 *
 * treadle: -k
 * cflags: -g -O1
 * expect: verdict bug
 * expect: finding memory uaf_hides.c:32 uaf_hides.c:24
 * expect: finding race uaf_hides.c:32 uaf_hides.c:23
 * expect: finding assert uaf_hides.c:23
 * expect: ledger cut short uaf_hides.c:32 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int *) p;

static void *f1(void *a)
{
    int *x = malloc(sizeof *x);
    *x = 23;
    p = x;
    assert(*x == 23);
    free(x);
    return a;
}

static void *f2(void *a)
{
    int *q = p;
    if (q)
        *q = 1;
    return a;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, f1, NULL);
    pthread_create(&b, NULL, f2, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
