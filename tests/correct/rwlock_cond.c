/* SPDX-License-Identifier: Apache-2.0 */
/* A lock for readers and writers from conditions; writers go first.
 *
 * treadle:
 * expect: verdict complete
 * hand: 0 */
#include "threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int n_readers, n_writers_waiting, is_writing, low, high;

static void read_begin(void)
{
    pthread_mutex_lock(&lock);
    while (is_writing || n_writers_waiting > 0)
        pthread_cond_wait(&changed, &lock);
    n_readers++;
    pthread_mutex_unlock(&lock);
}

static void read_end(void)
{
    pthread_mutex_lock(&lock);
    if (--n_readers == 0)
        pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

static void write_begin(void)
{
    pthread_mutex_lock(&lock);
    n_writers_waiting++;
    while (is_writing || n_readers > 0)
        pthread_cond_wait(&changed, &lock);
    n_writers_waiting--;
    is_writing = 1;
    pthread_mutex_unlock(&lock);
}

static void write_end(void)
{
    pthread_mutex_lock(&lock);
    is_writing = 0;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

static void *reader(void *arg)
{
    read_begin();
    assert(low + high == 0);
    read_end();
    return arg;
}

static void *writer(void *arg)
{
    write_begin();
    low++;
    high--;
    write_end();
    return arg;
}

int main(void)
{
    run_two(reader, writer);
    return 0;
}
