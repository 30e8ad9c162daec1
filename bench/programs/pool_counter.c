/* SPDX-License-Identifier: Apache-2.0 */
/* Threads push to a queue and pop from it, a lock for each. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int queue[THREADS * TURNS], length, popped;

static void *work(void *arg)
{
    for (int i = 0; i < TURNS; i++) {
        pthread_mutex_lock(&lock);
        queue[length++] = i;
        pthread_mutex_unlock(&lock);
        pthread_mutex_lock(&lock);
        if (length > 0) {
            length--;
            popped++;
        }
        pthread_mutex_unlock(&lock);
    }
    return arg;
}

int main(void)
{
    pthread_t t[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&t[i], NULL, work, NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], NULL);
    assert(popped == THREADS * TURNS && length == 0);
    return 0;
}
