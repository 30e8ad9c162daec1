/* SPDX-License-Identifier: Apache-2.0 */
/* Places in a ring are taken by a compare-exchange that carries what it found into the next round. A
 * later load would have found the same, so such a round is left out.
 *
 * treadle:
 * expect: runs 183
 * expect: events 642
 * expect: verdict complete
 *
 * treadle: --goal=traces
 * expect: traces 122
 * expect: verdict complete */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_uint both, n_read,
    n_written; /* both: read in the upper half, written below */
static int ring[4];

static void *writer(void *arg)
{
    unsigned seen = both, reads, writes;
    do {
        reads = seen >> 16;
        writes = seen & 0xffff;
        if (writes == reads + 4)
            return NULL;
    } while (!atomic_compare_exchange_strong(&both, &seen, reads << 16 | (writes + 1)));
    while (n_read != reads)
        ;
    ring[writes % 4] = 1;
    atomic_fetch_add(&n_written, 1);
    return NULL;
}

static void *reader(void *arg)
{
    unsigned seen = both, reads, writes;
    do {
        reads = seen >> 16;
        writes = seen & 0xffff;
        if (writes == reads)
            return NULL;
    } while (!atomic_compare_exchange_strong(&both, &seen, seen + (1u << 16)));
    while (n_written != writes)
        ;
    assert(ring[reads % 4] == 1);
    atomic_fetch_add(&n_read, 1);
    return NULL;
}

int main(void)
{
    pthread_t t[4];
    for (size_t i = 0; i < 4; i++)
        pthread_create(&t[i], NULL, i < 2 ? writer : reader, NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], NULL);
    return 0;
}
