/* SPDX-License-Identifier: Apache-2.0 */
/* fix: section
 * edit: for the preprocessor
 * traces
 * idea: one section of lock for both fields, in both threads */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int low, high;

static void *move(void *arg)
{
    pthread_mutex_lock(&lock);
    low = 5;
#ifndef FIXED
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
#endif
    high = 5;
    pthread_mutex_unlock(&lock);
    return arg;
}

static void *look(void *arg)
{
    pthread_mutex_lock(&lock);
    assert(low <= high);
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, move, NULL);
    pthread_create(&b, NULL, look, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
