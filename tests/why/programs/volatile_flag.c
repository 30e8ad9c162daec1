/* SPDX-License-Identifier: Apache-2.0 */
/* A stop flag that is volatile: that orders nothing between threads. */
#include <pthread.h>

static volatile int stop;

static void *loop(void *x)
{
    while (!stop)
        ;
    return x;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, loop, 0);
    stop = 1;
    pthread_join(t, 0);
}
