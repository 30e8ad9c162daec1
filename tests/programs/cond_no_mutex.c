/* SPDX-License-Identifier: Apache-2.0 */
/* A wait by a thread that does not hold the mutex.
 *
 * treadle: -k
 * expect: runs 1
 * expect: events 0
 * expect: verdict bug
 * expect: finding misuse cond_no_mutex.c:26
 * expect: ledger cut short cond_no_mutex.c:26
 *
 * treadle: --search=all -k
 * expect: runs 1
 * expect: events 0
 * expect: verdict bug
 * expect: finding misuse cond_no_mutex.c:26
 * expect: ledger cut short cond_no_mutex.c:26 */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready;

int main(void)
{
    while (!ready)
        pthread_cond_wait(&c, &m);
    return 0;
}
