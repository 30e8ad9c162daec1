/* SPDX-License-Identifier: Apache-2.0 */
/* bounded_buffer [PRODUCERS [CONSUMERS [ITEMS]]]: a buffer of one place; each producer brings
 * ITEMS, the consumers take as many in turns.
 *
 * After the bounded buffers of the CS and inspect groups. Bug: all wait for one condition and
 * a change wakes one of them, who may be of the wrong kind. FIXED: it wakes all. */
#include "../../programs/common.h"

enum { MOST = 8 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int is_full, n_each, n_left;

static void tell(void)
{
#ifdef FIXED
    pthread_cond_broadcast(&changed);
#else
    pthread_cond_signal(&changed);
#endif
}

static void *producer(void *arg)
{
    for (int i = 0; i < n_each; i++) {
        pthread_mutex_lock(&lock);
        while (is_full)
            pthread_cond_wait(&changed, &lock);
        is_full = 1;
        tell();
        pthread_mutex_unlock(&lock);
    }
    return arg;
}

static void *consumer(void *arg)
{
    for (;;) {
        pthread_mutex_lock(&lock);
        int is_last = n_left == 0;
        if (!is_last)
            n_left--;
        while (!is_last && !is_full)
            pthread_cond_wait(&changed, &lock);
        if (!is_last) {
            is_full = 0;
            tell();
        }
        pthread_mutex_unlock(&lock);
        if (is_last)
            return arg;
    }
}

int main(int argc, char **argv)
{
    pthread_t t[2 * MOST];
    int n_producers = size_arg(argc, argv, 1, 2, MOST);
    int n_consumers = size_arg(argc, argv, 2, 1, MOST);
    n_each = size_arg(argc, argv, 3, 1, 100);
    n_left = n_producers * n_each;
    start_all(t, n_producers, producer);
    start_all(t + n_producers, n_consumers, consumer);
    join_all(t, n_producers + n_consumers);
    return 0;
}
