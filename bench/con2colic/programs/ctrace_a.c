/* SPDX-License-Identifier: Apache-2.0 */
/* ctrace-a: a thread traces while another one ends tracing.
 *
 * After the ctrace library: Table 1 has 3 threads, no inputs, k = 1. A thread looks whether tracing
 * is on, then looks up its own record. If tracing ends in between, the record it wrote itself was
 * cleared by the other thread, and the assertion that it has one fails. FIXED: one lock round look
 * and look-up. */
#include "subject.h"

enum { N_RECORDS = 3, LOW = 1, HIGH = 2 };

static pthread_mutex_t table_lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int is_on = 1, owner[N_RECORDS], level[N_RECORDS];
static atomic_int n_lines;

static void hold(void)
{
#ifdef FIXED
    lock(&table_lock);
#endif
}

static void let_go(void)
{
#ifdef FIXED
    unlock(&table_lock);
#endif
}

/* The record of a thread, -1: it has none. */
static int find(int thread)
{
    for (int i = 0; i < N_RECORDS; i++)
        if (atomic_load(&owner[(thread + i) % N_RECORDS]) == thread)
            return (thread + i) % N_RECORDS;
    return -1;
}

static void add_thread(int thread, int its_level)
{
    lock(&table_lock);
    int at = find(0);
    if (at >= 0 && atomic_load(&is_on)) {
        atomic_store(&owner[at], thread);
        atomic_store(&level[at], its_level);
    }
    unlock(&table_lock);
}

static void remove_thread(int thread)
{
    lock(&table_lock);
    int at = find(thread);
    if (at >= 0)
        atomic_store(&owner[at], 0);
    unlock(&table_lock);
}

static void trace(int thread, int line_level)
{
    hold();
    if (atomic_load(&is_on)) {
        int at = find(thread);
        assert(at >= 0);
        if (atomic_load(&level[at]) >= line_level)
            atomic_fetch_add(&n_lines, 1);
    }
    let_go();
}

static void end_tracing(void)
{
    lock(&table_lock);
    if (atomic_load(&is_on)) {
        atomic_store(&is_on, 0);
        for (int i = 0; i < N_RECORDS; i++)
            atomic_store(&owner[i], 0);
    }
    unlock(&table_lock);
}

static void *use(void *number)
{
    int me = (int)(intptr_t)number;
    add_thread(me, LOW);
    trace(me, LOW);
    trace(me, HIGH);
    remove_thread(me);
    return number;
}

static void *end(void *arg)
{
    end_tracing();
    return arg;
}

int main(void)
{
    pthread_t t[2] = {start(use, 1), start(end, 2)};
    join_all(t, 2);
    return 0;
}
