/* SPDX-License-Identifier: Apache-2.0 */
/* nested_monitor [items]: a buffer as a monitor that counts with semaphores.
 *
 * The semaphore of an item is a mutex that the producer holds until the item is there.
 * Known bug: the consumer waits for the item inside the monitor, which the producer needs
 * to put it there. FIXED: it waits outside. */
#include <assert.h>

#include "../programs/common.h"

enum { MAX_ITEMS = 4 };

static pthread_mutex_t monitor = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t ready[MAX_ITEMS] = {PTHREAD_MUTEX_INITIALIZER,
                                           PTHREAD_MUTEX_INITIALIZER,
                                           PTHREAD_MUTEX_INITIALIZER,
                                           PTHREAD_MUTEX_INITIALIZER};
static int buffer[MAX_ITEMS], n_items;

static int get(int k)
{
#ifdef FIXED
    pthread_mutex_lock(&ready[k]);
    pthread_mutex_lock(&monitor);
#else
    pthread_mutex_lock(&monitor);
    pthread_mutex_lock(&ready[k]);
#endif
    int item = buffer[k];
    pthread_mutex_unlock(&ready[k]);
    pthread_mutex_unlock(&monitor);
    return item;
}

static void put(int k, int item)
{
    pthread_mutex_lock(&monitor);
    buffer[k] = item;
    pthread_mutex_unlock(&monitor);
    pthread_mutex_unlock(&ready[k]);
}

static void *consumer(void *arg)
{
    for (int k = 0; k < n_items; k++)
        assert(get(k) == 10 + k);
    return arg;
}

static void *producer(void *arg)
{
    for (int k = 0; k < n_items; k++)
        pthread_mutex_lock(&ready[k]);
    start(consumer, 0);
    for (int k = 0; k < n_items; k++)
        put(k, 10 + k);
    return arg;
}

int main(int argc, char **argv)
{
    n_items = size_arg(argc, argv, 1, 2, MAX_ITEMS);
    start(producer, 0);
    return leave();
}
