/* SPDX-License-Identifier: Apache-2.0
 * A queue for many producers and consumers that is never empty: there are two values, and whoever
 * takes one puts it back. So a consumer must never hear that it is empty. */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#include <ck_fifo.h>

static ck_fifo_mpmc_t fifo __attribute__((aligned(64)));
static ck_fifo_mpmc_entry_t entries[3] __attribute__((aligned(64)));
static int values[2];

static void *take(void *arg)
{
    ck_fifo_mpmc_entry_t *entry;
    int *value = NULL;
    bool is_there = ck_fifo_mpmc_dequeue(&fifo, &value, &entry);
    assert(is_there);
    assert(value == &values[0] || value == &values[1]);
    return arg;
}

/* The entry that comes free is used again, as the documentation allows. */
static void *take_and_put(void *arg)
{
    ck_fifo_mpmc_entry_t *entry;
    int *value = NULL;
    bool is_there = ck_fifo_mpmc_dequeue(&fifo, &value, &entry);
    assert(is_there);
    ck_fifo_mpmc_enqueue(&fifo, entry, value);
    return arg;
}

int main(void)
{
    pthread_t t;
    ck_fifo_mpmc_init(&fifo, &entries[0]);
    for (int i = 0; i < 2; i++)
        ck_fifo_mpmc_enqueue(&fifo, &entries[1 + i], &values[i]);
    pthread_create(&t, NULL, take_and_put, NULL);
    take(NULL);
    pthread_join(t, NULL);
    return 0;
}
