/* SPDX-License-Identifier: Apache-2.0 */
/* A misuse that is suppressed ends the run, and hides what comes after it: never COMPLETE. What other
 * threads do before it is found.
 *
 * treadle:
 * suppress: mutex:suppress_mutex.c
 * expect: verdict incomplete
 * expect: ledger suppressed
 * expect: ledger cut short
 * treadle:
 * args: others
 * suppress: mutex:suppress_mutex.c
 * expect: verdict bug
 * expect: finding race
 * treadle:
 * suppress: mutex:nobody
 * expect: verdict bug
 * expect: finding mutex
 * expect: ledger cut short */
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t m;
static int shared;

static void *add(void *arg)
{
    shared++;
    return arg;
}

int main(int argc, char **argv)
{
    pthread_t t, u;
    (void)argv;
    if (argc > 1) {
        pthread_create(&t, NULL, add, NULL);
        pthread_create(&u, NULL, add, NULL);
    }
    pthread_mutex_init(&m, NULL);
    pthread_mutex_init(&m, NULL); /* fails here */
    pthread_create(&t, NULL, add, NULL);
    shared++;
    pthread_join(t, NULL);
    return 0;
}
