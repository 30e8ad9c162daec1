/* SPDX-License-Identifier: Apache-2.0 */
/* Two threads that count. */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int n;

static void *add(void *arg)
{
    pthread_mutex_lock(&m);
    n++;
    pthread_mutex_unlock(&m);
    return arg;
}

/* Another thread may come between: a number is lost. */
static void *lose(void *arg)
{
    pthread_mutex_lock(&m);
    int seen = n;
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&m);
    n = seen + 1;
    pthread_mutex_unlock(&m);
    return arg;
}

static void *race(void *arg)
{
    n++;
    return arg;
}

static int twice(void *(*f)(void *))
{
    pthread_t a, b;
    n = 0;
    pthread_create(&a, NULL, f, NULL);
    pthread_create(&b, NULL, f, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return n;
}
