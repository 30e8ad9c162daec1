/* SPDX-License-Identifier: Apache-2.0 */
/* A worker goes through three phases without end. The rounds of all three leave everything as it was, so a run undoes
 * the lock with which the next one begins; the schedule of the finding must not ask a replay for it. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int level;

static void *work(void *arg)
{
    for (int phase = 0;; phase = (phase + 1) % 3) {
        pthread_mutex_lock(&lock);
        level = !level;
        pthread_mutex_unlock(&lock);
        if (phase == 2) {
            pthread_mutex_lock(&lock);
            level = 2;
            pthread_mutex_unlock(&lock);
        }
    }
    return arg;
}

static void *check(void *arg)
{
    for (;;) {
        pthread_mutex_lock(&lock);
        assert(level != 2);
        pthread_mutex_unlock(&lock);
    }
    return arg;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, NULL, work, NULL);
    pthread_create(&second, NULL, check, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
