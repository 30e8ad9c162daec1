/* SPDX-License-Identifier: Apache-2.0 */
/* A barrier that was never initialised.
 *
 * treadle: -k
 * expect: runs 1
 * expect: events 0
 * expect: verdict bug
 * expect: finding misuse barrier_never_made.c:23
 * expect: ledger cut short barrier_never_made.c:23
 *
 * treadle: --search=all -k
 * expect: runs 1
 * expect: events 0
 * expect: verdict bug
 * expect: finding misuse barrier_never_made.c:23
 * expect: ledger cut short barrier_never_made.c:23 */
#include <pthread.h>

static pthread_barrier_t b;

int main(void)
{
    return pthread_barrier_wait(&b);
}
