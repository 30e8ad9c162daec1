/* SPDX-License-Identifier: Apache-2.0 */
/* What chooses an ifunc has no hooks: called once more, by a thread, it is not watched.
 * treadle:
 * expect: verdict incomplete
 * expect: ledger not watched ifunc_again.c:24 resolve */
#include <pthread.h>

static int x;

static int impl(void)
{
    return 0;
}

static void *resolve(void)
{
    x++;
    return impl;
}
int chosen(void) __attribute__((ifunc("resolve")));

static void *one(void *p)
{
    return resolve() ? 0 : p;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, one, 0);
    x = 1;
    pthread_join(t, 0);
    return chosen();
}
