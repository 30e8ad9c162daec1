/* SPDX-License-Identifier: Apache-2.0 */
/* apache-b: two threads write records into one log buffer.
 *
 * After the Apache drivers of the paper and the log buffer of BugBench: Table 1 has 3 threads, 3
 * inputs, k = 1. Whether a record fits is decided by one look at the fill level, where it goes by
 * another. A record of the other thread in between, and the assertion that it fits fails, for
 * lengths that together exceed the buffer. FIXED: one lock round both. */
#include "subject.h"

enum { SIZE = 16 };

static atomic_int n_used;

#ifdef FIXED
static pthread_mutex_t log_lock = PTHREAD_MUTEX_INITIALIZER;

static void hold(void)
{
    lock(&log_lock);
}

static void let_go(void)
{
    unlock(&log_lock);
}
#else
static void hold(void)
{
}

static void let_go(void)
{
}
#endif

static void add_record(int len)
{
    if (len <= 0 || len > SIZE)
        return;
    hold();
    if (len > SIZE - atomic_load(&n_used))
        atomic_store(&n_used, 0);
    int at = atomic_load(&n_used);
    assert(at + len <= SIZE);
    atomic_store(&n_used, at + len);
    let_go();
}

static void *write_request(void *arg)
{
    add_record(treadle_int("request"));
    return arg;
}

static void *write_error(void *arg)
{
    int level = treadle_int("level"), len = treadle_int("error");
    if (level >= 3)
        add_record(len);
    return arg;
}

int main(void)
{
    pthread_t t[2] = {start(write_request, 0), start(write_error, 1)};
    join_all(t, 2);
    return 0;
}
