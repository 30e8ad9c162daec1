/* SPDX-License-Identifier: Apache-2.0 */
/* A buffer of two places: half of the threads put, the others take. */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

enum { PLACES = 2, PUTTERS = THREADS / 2 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER,
                      emptied = PTHREAD_COND_INITIALIZER;
static int buffer[PLACES], length, n_put, n_taken;
static bool is_over;

static void *put(void *arg)
{
    for (int i = 0; i < TURNS; i++) {
        pthread_mutex_lock(&lock);
        while (length == PLACES)
            pthread_cond_wait(&emptied, &lock);
        buffer[length++] = i;
        n_put++;
        pthread_cond_signal(&filled);
        pthread_mutex_unlock(&lock);
    }
    return arg;
}

static void *take(void *arg)
{
    pthread_mutex_lock(&lock);
    for (;;) {
        while (length == 0 && !is_over)
            pthread_cond_wait(&filled, &lock);
        if (length == 0)
            break;
        length--;
        n_taken++;
        pthread_cond_signal(&emptied);
    }
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t t[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&t[i], NULL, i < PUTTERS ? put : take, NULL);
    for (int i = 0; i < PUTTERS; i++)
        pthread_join(t[i], NULL);
    pthread_mutex_lock(&lock);
    is_over = true;
    pthread_cond_broadcast(&filled);
    pthread_mutex_unlock(&lock);
    for (int i = PUTTERS; i < THREADS; i++)
        pthread_join(t[i], NULL);
    assert(n_put == n_taken && length == 0);
    return 0;
}
