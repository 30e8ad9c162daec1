/* SPDX-License-Identifier: Apache-2.0 */
/* A hash table with chaining: inserts, lookups and removals of random keys. */
#include "kernel.h"

#include <stdlib.h>

#define N_BUCKETS 16384u
#define N_KEYS 20000u

typedef struct entry {
    struct entry *next;
    uint32_t key;
    uint32_t count;
} entry;

typedef struct table {
    entry *buckets[N_BUCKETS];
    uint32_t n_entries;
} table;

static table counts;

static uint32_t bucket_of(uint32_t key)
{
    return (key * 2654435761u) >> 18;
}

static entry *find(table *t, uint32_t key)
{
    entry *e = t->buckets[bucket_of(key)];
    while (e && e->key != key)
        e = e->next;
    return e;
}

static void count(table *t, uint32_t key)
{
    entry *e = find(t, key);
    if (e == NULL) {
        e = malloc(sizeof *e);
        e->key = key;
        e->count = 0;
        e->next = t->buckets[bucket_of(key)];
        t->buckets[bucket_of(key)] = e;
        t->n_entries++;
    }
    e->count++;
}

static uint32_t drop(table *t, uint32_t key)
{
    entry **link = &t->buckets[bucket_of(key)];
    for (; *link; link = &(*link)->next) {
        entry *e = *link;
        if (e->key != key)
            continue;
        uint32_t n = e->count;
        *link = e->next;
        free(e);
        t->n_entries--;
        return n;
    }
    return 0;
}

static uint64_t kernel(uint32_t round)
{
    uint64_t state = round % 4, sum = 0;
    for (uint32_t i = 0; i < 4 * N_KEYS; i++)
        count(&counts, kernel_random(&state) % N_KEYS);
    for (uint32_t i = 0; i < 2 * N_KEYS; i++)
        sum += find(&counts, i) != NULL;
    for (uint32_t key = 0; key < N_KEYS; key += 1 + (key & 1))
        sum += drop(&counts, key);
    return sum + counts.n_entries;
}

KERNEL_MAIN(24)
