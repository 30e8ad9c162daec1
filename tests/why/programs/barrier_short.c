/* SPDX-License-Identifier: Apache-2.0 */
/* A barrier for three that two threads reach. */
#include <pthread.h>

static pthread_barrier_t b;

static void *worker(void *arg)
{
    pthread_barrier_wait(&b);
    return arg;
}

int main(void)
{
    pthread_t t[2];
    pthread_barrier_init(&b, NULL, 3);
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, worker, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
