/* SPDX-License-Identifier: Apache-2.0 */
/* Weak functions of the program whose place is taken by what gcc built.
 *
 * treadle:
 * gcc: weak_lib.c
 * expect: verdict incomplete
 * expect: ledger not watched weak_linked.c:31 helper
 *
 * treadle:
 * expect: verdict bug
 * expect: finding race weak_linked.c:19 weak_linked.c:39
 */
#include <pthread.h>

int shared;

__attribute__((weak)) void helper(void)
{
    shared++;
}

__attribute__((weak)) void both(void)
{
    shared++;
}

static void *calls(void *p)
{
    if (p)
        both();
    helper();
    return p;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, calls, NULL);
    shared++;
    pthread_join(t, NULL);
    return 0;
}
