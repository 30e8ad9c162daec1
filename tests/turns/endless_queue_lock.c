/* SPDX-License-Identifier: Apache-2.0 */
/* A queue lock: each thread waits for the node of the one before it, and takes that node over for its next round. Which
 * node it has depends on what it has read, in every round. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

enum { THREADS = 2 };

static atomic_int tail, is_held[THREADS + 1];
static int inside;

static void *work(void *arg)
{
    int own = (int)(intptr_t)arg;
    for (;;) {
        atomic_store(&is_held[own], 1);
        int before = atomic_exchange(&tail, own);
        while (atomic_load(&is_held[before]))
            ;
        assert(++inside == 1);
        inside--;
        atomic_store(&is_held[own], 0);
        own = before;
    }
    return arg;
}

int main(void)
{
    pthread_t t[THREADS];
    for (intptr_t i = 0; i < THREADS; i++)
        pthread_create(&t[i], NULL, work, (void *)(i + 1));
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], NULL);
    return 0;
}
