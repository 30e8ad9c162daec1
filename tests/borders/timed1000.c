/* SPDX-License-Identifier: Apache-2.0 */
/* A loop ends by time after three years: what it does then is not seen, and the ledger says so.
 *
 * treadle:
 * expect: ledger long loop timed1000.c:21 continuations of this loop, which ends after weeks of virtual time
 * expect: verdict incomplete */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

static atomic_int flag, late;

static void *wait_for_long(void *arg)
{
    struct timespec now, end;
    clock_gettime(CLOCK_MONOTONIC, &end);
    end.tv_sec += 1000 * 86400;
    do {
        clock_gettime(CLOCK_MONOTONIC, &now);
        if (atomic_load(&flag))
            return arg;
        usleep(100);
    } while (now.tv_sec < end.tv_sec);
    assert(atomic_load(&late));
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, wait_for_long, NULL);
    pthread_join(t, NULL);
    return 0;
}
