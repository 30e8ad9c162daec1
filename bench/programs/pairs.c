/* SPDX-License-Identifier: Apache-2.0 */
/* pairs N [join]: N pairs of threads, one writes a variable, the other reads it; pairs have
 * nothing in common. 2^N traces, and two runs see everything: all reads first, all writes
 * first. With "join" main joins all threads and asks for no results. */
#include <stdatomic.h>

#include "common.h"

static atomic_int cell[MAX_THREADS / 2];

static void *reader(void *number)
{
    (void)atomic_load(&cell[(intptr_t)number]);
    return NULL;
}

static void *writer(void *number)
{
    atomic_store(&cell[(intptr_t)number], 1);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t t[MAX_THREADS];
    int n = size_arg(argc, argv, 1, 10, MAX_THREADS / 2);
    for (int i = 0; i < n; i++) {
        t[2 * i] = start(reader, i);
        t[2 * i + 1] = start(writer, i);
    }
    if (has_word(argc, argv, "join"))
        join_all(t, 2 * n);
    return leave();
}
