/* SPDX-License-Identifier: Apache-2.0 */
/* A loop that ends after thirty days is no livelock.
 *
 * treadle: -k
 * expect: ledger long loop timed30.c:17 continuations of this loop, which ends after weeks of virtual time
 * expect: verdict incomplete */
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

static atomic_int flag;

static void *wait_for_long(void *arg)
{
    time_t end = time(NULL) + 30 * 86400;
    while (time(NULL) < end) {
        if (atomic_load(&flag))
            return arg;
        sleep(3600);
    }
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, wait_for_long, NULL);
    pthread_join(t, NULL);
    return 0;
}
