/* SPDX-License-Identifier: Apache-2.0 */
/* sync01: a place for one item, filled by one thread and emptied by the other.
 *
 * After CS.sync01. Bug: the place is full at the start, the filler waits for it to be empty,
 * and the emptier waits for a word of the filler: both wait, in every schedule. FIXED: the
 * emptier looks at the place. */
#include <assert.h>

#include "../../programs/common.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t is_empty = PTHREAD_COND_INITIALIZER,
                      is_full = PTHREAD_COND_INITIALIZER;
static int n_items = 1, n_filled;

static void *filler(void *arg)
{
    pthread_mutex_lock(&lock);
    while (n_items > 0)
        pthread_cond_wait(&is_empty, &lock);
    n_items++;
    n_filled++;
    pthread_cond_signal(&is_full);
    pthread_mutex_unlock(&lock);
    return arg;
}

static void *emptier(void *arg)
{
    pthread_mutex_lock(&lock);
#ifdef FIXED
    while (n_items == 0)
#else
    while (n_filled == 0)
#endif
        pthread_cond_wait(&is_full, &lock);
    n_items--;
    pthread_cond_signal(&is_empty);
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t t[2] = {start(filler, 0), start(emptier, 1)};
    join_all(t, 2);
    assert(n_items == 1);
    return 0;
}
