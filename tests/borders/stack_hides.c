/* SPDX-License-Identifier: Apache-2.0 */
/* The same with a variable of a thread that may have ended.
 *
 * treadle: -k
 * cflags: -g -O1
 * expect: verdict bug
 * expect: finding memory stack_hides.c:29
 * expect: finding race stack_hides.c:29 stack_hides.c:21
 * expect: finding assert stack_hides.c:21
 * expect: ledger cut short stack_hides.c:29 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static _Atomic(int *) p;

static void *f1(void *a)
{
    int y = 23;
    p = &y;
    assert(y == 23);
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
