/* SPDX-License-Identifier: Apache-2.0 */
/* readers N: one thread writes a variable that N others read: 2^N traces. */
#include <stdatomic.h>

#include "common.h"

static atomic_int shared;

static void *writer(void *number)
{
    atomic_store(&shared, 1);
    return NULL;
}

static void *reader(void *number)
{
    (void)atomic_load(&shared);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t t[MAX_THREADS];
    int n = size_arg(argc, argv, 1, 10, MAX_THREADS - 1);
    start(writer, 0);
    start_all(t, n, reader);
    return leave();
}
