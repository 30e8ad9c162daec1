/* SPDX-License-Identifier: Apache-2.0 */
/* The worker is started before what it needs is there. */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct config {
    int limit;
};

static struct config defaults = {10};
static struct config *_Atomic config;
static int sum;

static void *worker(void *arg)
{
    struct config *c = atomic_load(&config);
    for (int i = 0; i < c->limit; i++)
        sum += i;
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    atomic_store(&config, &defaults);
    pthread_join(t, NULL);
    return sum == 45 ? 0 : 1;
}
