/* SPDX-License-Identifier: Apache-2.0 */
/* Two threads count hits, one of them without the lock. */
#include <pthread.h>
#include <stdio.h>

static long hits;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *careful(void *arg)
{
    pthread_mutex_lock(&lock);
    hits++;
    pthread_mutex_unlock(&lock);
    return arg;
}

static void *hasty(void *arg)
{
    hits++;
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, careful, NULL);
    pthread_create(&b, NULL, hasty, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    printf("%ld hits\n", hits);
    return 0;
}
