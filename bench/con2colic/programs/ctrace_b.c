/* SPDX-License-Identifier: Apache-2.0 */
/* ctrace-b: two threads register with a trace library, set their level and trace.
 *
 * After the second driver of ctrace: Table 1 has 3 threads, no inputs, k = 1. A free record is
 * searched without the lock, so both threads can take the same one: the one that was first reads
 * what the other wrote there, and the assertion that the record is its own fails. FIXED: searched
 * under the lock. */
#include "subject.h"

enum { N_RECORDS = 2 };
enum { OFF, ENTRY, ALL };

static pthread_mutex_t table_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t out_lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int owner[N_RECORDS], level[N_RECORDS];
static GUARDED int n_lines, depth;

static int find(int thread)
{
    for (int i = 0; i < N_RECORDS; i++)
        if (atomic_load(&owner[i]) == thread)
            return i;
    return -1;
}

static int add_thread(int thread, int its_level)
{
#ifdef FIXED
    lock(&table_lock);
#endif
    int at = find(0);
#ifndef FIXED
    lock(&table_lock);
#endif
    if (at >= 0) {
        atomic_store(&owner[at], thread);
        atomic_store(&level[at], its_level);
    }
    unlock(&table_lock);
    return at;
}

static void remove_thread(int at)
{
    lock(&table_lock);
    atomic_store(&owner[at], 0);
    atomic_store(&level[at], OFF);
    unlock(&table_lock);
}

/* A line is written, by: how much deeper the next one is. */
static void write_line(int by)
{
    lock(&out_lock);
    n_lines = n_lines + 1;
    depth = depth + by;
    if (depth < 0)
        depth = 0;
    unlock(&out_lock);
}

static void trace(int thread, int at, int line_level, int by)
{
    int its_owner = atomic_load(&owner[at]);
    assert(its_owner == thread);
    int its_level = atomic_load(&level[at]);
    if (its_level == OFF)
        return;
    if (its_level >= line_level)
        write_line(by);
}

static void *use(void *number)
{
    int me = (int)(intptr_t)number;
    int at = add_thread(me, me == 1 ? ALL : ENTRY);
    if (at < 0)
        return number;
    trace(me, at, ENTRY, 1);
    trace(me, at, ALL, -1);
    remove_thread(at);
    return number;
}

int main(void)
{
    pthread_t t[2] = {start(use, 1), start(use, 2)};
    join_all(t, 2);
    return 0;
}
