/* SPDX-License-Identifier: Apache-2.0 */
/* A thread computes for ever. */
#include <pthread.h>

static volatile unsigned turns;

static void *turn(void *arg)
{
    for (;;)
        turns++;
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, turn, NULL);
    pthread_join(t, NULL);
    return 0;
}
