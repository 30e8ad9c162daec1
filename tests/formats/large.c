/* SPDX-License-Identifier: Apache-2.0 */
/* What makes a search large is known: THREADS threads take lock N times each, and done once. With an argument a
 * thread never ends. */
#include <pthread.h>
#include <stdatomic.h>
#include <treadle.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int items;
static atomic_int done, stop;

static void put(void)
{
    pthread_mutex_lock(&lock);
    items++;
    pthread_mutex_unlock(&lock);
}

static void *work(void *arg)
{
    for (int i = 0; i < N; i++)
        put();
    while (arg && !atomic_load(&stop))
        atomic_fetch_add(&done, 1);
    atomic_fetch_add(&done, 1);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t t[THREADS];
    (void)argv;
#ifdef INPUTS
    for (int i = 0; i < INPUTS; i++)
        if (treadle_u8("byte") > 7)
            items++;
#endif
    for (int i = 0; i < THREADS; i++)
        pthread_create(&t[i], NULL, work, argc > 1 ? &stop : NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], NULL);
    pthread_mutex_lock(&lock); /* no thread is left */
    return 0;
}
