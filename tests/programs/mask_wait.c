/* SPDX-License-Identifier: Apache-2.0 */
/* Who waits for a thread that has failed, in a join, for a lock or in a loop, does not wait for
 * ever: the failure ends the process. There is no deadlock and no livelock.
 *
 * treadle: -k --spurious=0
 * agree: -k --search=all --spurious=0
 * expect: runs 2
 * expect: events 8
 * expect: verdict bug
 * expect: finding assert mask_wait.c:22 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

static void *first(void *arg)
{
    pthread_mutex_lock(&m);
    assert(arg != NULL);
    atomic_store(&ready, 1);
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    return arg;
}

static void *locks(void *arg)
{
    pthread_mutex_lock(&m);
    pthread_cond_wait(&c, &m);
    pthread_mutex_unlock(&m);
    return arg;
}

static void *spins(void *arg)
{
    while (!atomic_load(&ready))
        continue;
    return arg;
}

int main(void)
{
    pthread_t t[3];
    pthread_create(&t[0], NULL, first, NULL);
    pthread_create(&t[1], NULL, locks, NULL);
    pthread_create(&t[2], NULL, spins, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    return 0;
}
