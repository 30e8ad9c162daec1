/* SPDX-License-Identifier: Apache-2.0 */
/* A mutex in memory that holds something else.
 *
 * treadle: -k
 * expect: runs 1
 * expect: events 0
 * expect: verdict bug
 * expect: finding mutex init_never.c:25
 * expect: ledger cut short init_never.c:25
 *
 * treadle: --search=all -k
 * expect: runs 1
 * expect: events 0
 * expect: verdict bug
 * expect: finding mutex init_never.c:25
 * expect: ledger cut short init_never.c:25 */
#include <pthread.h>
#include <string.h>

static pthread_mutex_t m;

int main(void)
{
    memset(&m, 0x5a, sizeof m);
    pthread_mutex_lock(&m);
    return 0;
}
