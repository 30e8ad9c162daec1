/* SPDX-License-Identifier: Apache-2.0 */
/* The same, and the pointer is a plain variable too.
 *
 * treadle: -k
 * cflags: -g -O1
 * expect: verdict bug
 * expect: finding memory stack_escape.c:29
 * expect: finding race stack_escape.c:29 stack_escape.c:22
 * expect: finding race stack_escape.c:29 stack_escape.c:21
 * expect: finding race stack_escape.c:29 stack_escape.c:23
 * expect: finding assert stack_escape.c:23
 * expect: ledger cut short stack_escape.c:29 */
#include <assert.h>
#include <pthread.h>

static int g;
static int *p = &g;

static void *f1(void *a)
{
    int x = 23;
    p = &x;
    assert(x == 23);
    return a;
}

static void *f2(void *a)
{
    *p = 1;
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
