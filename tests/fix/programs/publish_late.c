/* SPDX-License-Identifier: Apache-2.0 */
/* fix: order
 * edit
 * idea: set the address before the thread is created */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct config {
    int level;
};

static _Atomic(struct config *) config;

static void *work(void *arg)
{
    struct config *c = atomic_load(&config);
    *(int *)arg = c->level;
    return NULL;
}

int main(void)
{
    static struct config first = {3};
    pthread_t t;
    int level = 0;
    pthread_create(&t, NULL, work, &level);
    atomic_store(&config, &first);
    pthread_join(t, NULL);
    return level == 3 ? 0 : 1;
}
