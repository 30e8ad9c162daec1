/* SPDX-License-Identifier: Apache-2.0 */
/* A volatile flag publishes data. What that means is what treadle cc was told: an access like
 * any other, a relaxed atomic one, or one that releases and acquires. The loop needs no bound.
 *
 * treadle:
 * expect: verdict bug
 * expect: finding race volatile_flag.c:40 volatile_flag.c:49
 * treadle:
 * cflags: --volatile=relaxed
 * expect: verdict bug
 * expect: finding race volatile_flag.c:39 volatile_flag.c:51
 * expect: ledger volatile
 * treadle:
 * cflags: --volatile=atomic
 * expect: verdict complete
 * expect: runs 1
 * expect: ledger volatile
 * treadle: --search=all
 * cflags: --volatile=atomic
 * expect: verdict complete
 * expect: traces 1
 * expect: ledger volatile
 * hand: 0 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int data;
static volatile int flag;
static volatile struct {
    char small;
    short middle;
    double large;
} parts;

static void *worker(void *arg)
{
    volatile int local = 42; /* nobody else's: no operation */
    data = local;
    flag = 1;
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    parts.small = 1;
    while (!flag)
        ;
    assert(data == 42);
    parts.middle = 2;
    parts.large = parts.small + parts.middle;
    pthread_join(t, NULL);
    return parts.large == 3 ? 0 : 1;
}
