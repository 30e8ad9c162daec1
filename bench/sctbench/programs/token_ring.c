/* SPDX-License-Identifier: Apache-2.0 */
/* token_ring: four stations pass a number on, each takes it from the one before.
 *
 * After CS.token_ring. Bug: once all stations have run, all should show the same number,
 * whatever the order; that needs the order of the ring. FIXED: each waits for the one before
 * it to end. */
#include <assert.h>

#include "../../programs/common.h"

enum { STATIONS = 4 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_t thread_of[STATIONS];
static int token[STATIONS] = {7, 6, 5, 4}, n_passed;

static void *station(void *number)
{
    int me = (int)(intptr_t)number;
#ifdef FIXED
    if (me > 0)
        pthread_join(thread_of[me - 1], NULL);
#endif
    pthread_mutex_lock(&lock);
    if (me > 0)
        token[me] = token[me - 1];
    n_passed++;
    if (n_passed == STATIONS)
        for (int i = 1; i < STATIONS; i++)
            assert(token[i] == token[0]);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    start_all(thread_of, STATIONS, station);
#ifdef FIXED
    pthread_join(thread_of[STATIONS - 1], NULL);
#else
    join_all(thread_of, STATIONS);
#endif
    return 0;
}
