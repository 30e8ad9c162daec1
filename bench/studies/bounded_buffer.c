/* SPDX-License-Identifier: Apache-2.0 */
/* bounded_buffer [pairs]: producers and consumers, one item each, a buffer of one place.
 *
 * Known bug: both kinds wait in one queue, and a change wakes one thread. It may be one of
 * the wrong kind, which waits again; then all wait. FIXED: a change wakes all. */
#include "monitor.h"

enum { MAX_PAIRS = 4, CAPACITY = 1 };

static void *worker(void *number);

static monitor m = {.lock = PTHREAD_MUTEX_INITIALIZER, .go_on = worker};
static int n_pairs, n_items;

static void tell(void)
{
#ifdef FIXED
    monitor_notify_all(&m);
#else
    monitor_notify(&m);
#endif
}

/* Numbers below n_pairs produce, the others consume. */
static void *worker(void *number)
{
    int me = (int)(intptr_t)number, is_producer = me < n_pairs;
    monitor_enter(&m);
    if (n_items == (is_producer ? CAPACITY : 0)) {
        monitor_wait(&m, me);
        return NULL;
    }
    n_items += is_producer ? 1 : -1;
    tell();
    monitor_rest(&m);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t t[2 * MAX_PAIRS];
    n_pairs = size_arg(argc, argv, 1, 4, MAX_PAIRS);
    m.awake = 2 * n_pairs;
    start_all(t, 2 * n_pairs, worker);
    return leave();
}
