/* SPDX-License-Identifier: Apache-2.0 */
/* A barrier is destroyed while a thread waits at it.
 *
 * treadle: -k
 * expect: runs 2
 * expect: events 6
 * expect: verdict bug
 * expect: finding misuse barrier_destroy_waited.c:36
 * expect: finding misuse barrier_destroy_waited.c:27
 * expect: ledger cut short barrier_destroy_waited.c:27
 * expect: ledger cut short barrier_destroy_waited.c:36
 *
 * treadle: --search=all -k
 * expect: runs 2
 * expect: events 6
 * expect: verdict bug
 * expect: finding misuse barrier_destroy_waited.c:36
 * expect: finding misuse barrier_destroy_waited.c:27
 * expect: ledger cut short barrier_destroy_waited.c:27
 * expect: ledger cut short barrier_destroy_waited.c:36 */
#include <pthread.h>

static pthread_barrier_t b;

static void *go(void *arg)
{
    pthread_barrier_wait(&b);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_barrier_init(&b, NULL, 2);
    pthread_create(&t, NULL, go, NULL);
    pthread_barrier_destroy(&b);
    pthread_join(t, NULL);
    return 0;
}
