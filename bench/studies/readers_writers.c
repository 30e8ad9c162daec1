/* SPDX-License-Identifier: Apache-2.0 */
/* readers_writers [readers [writers]]: a framework that lets in many readers or one writer,
 * and prefers writers. Who may not enter after a few times gives up.
 *
 * Seeded bug: a writer that asks whether it may enter forgets the readers inside. */
#include <assert.h>
#include <stdatomic.h>

#include "../programs/common.h"

enum { MAX_EACH = 4, TRIES = 2 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int active_readers, active_writers, waiting_writers;
static int data;
static atomic_int n_reads;

static int reader_may_enter(void)
{
    return active_writers == 0 && waiting_writers == 0;
}

static int writer_may_enter(void)
{
#ifdef FIXED
    return active_writers == 0 && active_readers == 0;
#else
    return active_writers == 0;
#endif
}

static int try_read(void)
{
    pthread_mutex_lock(&lock);
    int may = reader_may_enter();
    active_readers += may;
    pthread_mutex_unlock(&lock);
    return may;
}

static void after_read(void)
{
    pthread_mutex_lock(&lock);
    active_readers--;
    pthread_mutex_unlock(&lock);
}

/* The first try announces the writer, the last one takes the announcement back. */
static int try_write(int try)
{
    pthread_mutex_lock(&lock);
    int may = writer_may_enter();
    waiting_writers += (try == 0) - (may || try == TRIES - 1);
    active_writers += may;
    pthread_mutex_unlock(&lock);
    return may;
}

static void after_write(void)
{
    pthread_mutex_lock(&lock);
    active_writers--;
    pthread_mutex_unlock(&lock);
}

static void *reader(void *arg)
{
    for (int try = 0; try < TRIES; try++) {
        if (!try_read())
            continue;
        int before = data;
        atomic_fetch_add(&n_reads, 1);
        assert(data == before);
        after_read();
        break;
    }
    return arg;
}

static void *writer(void *arg)
{
    for (int try = 0; try < TRIES; try++) {
        if (!try_write(try))
            continue;
        data++;
        after_write();
        break;
    }
    return arg;
}

int main(int argc, char **argv)
{
    pthread_t t[MAX_EACH];
    start_all(t, size_arg(argc, argv, 1, 2, MAX_EACH), reader);
    start_all(t, size_arg(argc, argv, 2, 2, MAX_EACH), writer);
    return leave();
}
