/* SPDX-License-Identifier: Apache-2.0 */
/* Two threads wait for each other only if a third one has come to where it fails.
 *
 * treadle: -k
 * agree: -k --search=all
 * expect: runs 5
 * expect: events 35
 * expect: verdict bug
 * expect: finding assert mask_deadlock.c:21
 * expect: finding deadlock mask_deadlock.c:28 mask_deadlock.c:38 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int turned;
static pthread_mutex_t m[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

static void *fails(void *arg)
{
    atomic_store(&turned, 1);
    assert(arg != NULL);
    return arg;
}

static void *straight(void *arg)
{
    pthread_mutex_lock(&m[0]);
    pthread_mutex_lock(&m[1]);
    pthread_mutex_unlock(&m[1]);
    pthread_mutex_unlock(&m[0]);
    return arg;
}

static void *turns(void *arg)
{
    int first = atomic_load(&turned);
    pthread_mutex_lock(&m[first]);
    pthread_mutex_lock(&m[!first]);
    pthread_mutex_unlock(&m[!first]);
    pthread_mutex_unlock(&m[first]);
    return arg;
}

int main(void)
{
    pthread_t t[3];
    pthread_create(&t[0], NULL, fails, NULL);
    pthread_create(&t[1], NULL, straight, NULL);
    pthread_create(&t[2], NULL, turns, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    return 0;
}
