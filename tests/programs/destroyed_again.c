/* SPDX-License-Identifier: Apache-2.0 */
/* A destroyed object's memory is initialised again: by an initialiser, in the next frame of a function, by memset.
 *
 * treadle:
 * expect: verdict complete */
#include <pthread.h>
#include <string.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, again = PTHREAD_MUTEX_INITIALIZER;
static int n;

static void __attribute__((noinline)) add(int k)
{
    pthread_cond_t c = PTHREAD_COND_INITIALIZER;
    pthread_cond_signal(&c);
    pthread_mutex_lock(&m);
    n += k;
    pthread_mutex_unlock(&m);
    pthread_cond_destroy(&c);
}

static void *work(void *arg)
{
    add(1);
    add(2);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_mutex_destroy(&again);
    again = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&again);
    pthread_mutex_unlock(&again);
    pthread_mutex_destroy(&again);
    memset(&again, 0, sizeof again);
    pthread_mutex_lock(&again);
    pthread_mutex_unlock(&again);
    pthread_create(&t, NULL, work, NULL);
    add(3);
    add(4);
    return pthread_join(t, NULL);
}
