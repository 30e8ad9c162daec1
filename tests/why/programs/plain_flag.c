/* SPDX-License-Identifier: Apache-2.0 */
/* A stop flag that is a plain member: it is told as a flag. */
#include <pthread.h>
#include <stdbool.h>

static struct pool {
    pthread_mutex_t m;
    bool stop;
} pool = {PTHREAD_MUTEX_INITIALIZER, false};

static void *loop(void *x)
{
    while (!pool.stop) {
        pthread_mutex_lock(&pool.m);
        pthread_mutex_unlock(&pool.m);
    }
    return x;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, loop, 0);
    pool.stop = true;
    pthread_join(t, 0);
}
