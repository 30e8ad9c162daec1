/* SPDX-License-Identifier: Apache-2.0 */
/* indexer THREADS: each thread enters four numbers into one hash table by compare and swap.
 * Up to 11 threads never meet: one trace; then 8, 64, 512, 4096 for 12 to 15. After Flanagan
 * and Godefroid, POPL 2005. */
#include <stdatomic.h>

#include "common.h"

enum { SLOTS = 128, MESSAGES = 4 };

static atomic_int table[SLOTS];

static void *enter(void *number)
{
    for (int m = 1; m <= MESSAGES; m++) {
        int w = 11 * m + (int)(intptr_t)number;
        int h = 7 * w % SLOTS, empty = 0;
        while (!atomic_compare_exchange_strong(&table[h], &empty, w)) {
            h = (h + 1) % SLOTS;
            empty = 0;
        }
    }
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t t[MAX_THREADS];
    start_all(t, size_arg(argc, argv, 1, 13, 30), enter);
    return leave();
}
