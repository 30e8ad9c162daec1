/* SPDX-License-Identifier: Apache-2.0 */
/* (d) The indexer example of Flanagan and Godefroid (POPL 2005): N threads
 * insert MAX messages each into a hash table of SIZE slots.  The insertion is
 * an atomic compare-and-swap; with -DLOCKS it is guarded by one mutex per
 * slot.  Conflicts begin at 12 threads.  */
#include "bench.h"
#include <stdatomic.h>
#ifndef N
#define N 12
#endif
#define SIZE 128
#define MAX 4
#ifdef LOCKS
int table[SIZE];
pthread_mutex_t lock[SIZE];
static int cas(int h, int w)
{
    int ok = 0;
    pthread_mutex_lock(&lock[h]);
    if (table[h] == 0) {
        table[h] = w;
        ok = 1;
    }
    pthread_mutex_unlock(&lock[h]);
    return ok;
}
#else
atomic_int table[SIZE];
static int cas(int h, int w)
{
    int zero = 0;
    return atomic_compare_exchange_strong(&table[h], &zero, w);
}
#endif

void *thread(void *arg)
{
    int tid = (int)(long)arg;
    for (int m = 0; m < MAX; m++) {
        int w = (m + 1) * 11 + tid;
        int h = (w * 7) % SIZE;
        while (!cas(h, w))
            h = (h + 1) % SIZE;
    }
    return NULL;
}

int main(void)
{
    pthread_t t[N];
#ifdef LOCKS
    for (int i = 0; i < SIZE; i++)
        pthread_mutex_init(&lock[i], NULL);
#endif
    for (long i = 0; i < N; i++)
        spawn(&t[i], thread, i);
    for (int i = 0; i < N; i++)
        join(t[i]);
    return 0;
}
