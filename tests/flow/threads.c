/* SPDX-License-Identifier: Apache-2.0 */
/* Symbolic values between threads: by argument, result, shared memory and atomics. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <treadle.h>

#ifdef __TREADLE__
extern void treadle_check(uint64_t value);
#else
#define treadle_check(value) ((void)(value))
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int shared;
static _Atomic int counter;

static void *work(void *arg)
{
    long mine = (long)arg;
    int own = treadle_int("own");
    pthread_mutex_lock(&lock);
    shared += (int)mine * 3 + own;
    pthread_mutex_unlock(&lock);
    atomic_fetch_add(&counter, (int)mine);
    int seen = 5;
    if (atomic_compare_exchange_strong(&counter, &seen, 7))
        treadle_check(1);
    if (mine > 100)
        treadle_check((uint64_t)seen);
    return (void *)(mine ^ 0x55);
}

static int by_value(const void *a, const void *b)
{
    return (*(const int *)a > *(const int *)b) - (*(const int *)a < *(const int *)b);
}

int main(void)
{
    pthread_t threads[2];
    int x = treadle_int("x");
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, (void *)(long)(x + i));
    for (int i = 0; i < 2; i++) {
        void *value;
        pthread_join(threads[i], &value);
        treadle_check((uint64_t)value);
    }
    treadle_check((uint64_t)shared);
    treadle_check((uint64_t)counter);
    int row[4] = {3, x, 1, shared};
    qsort(row, 4, sizeof row[0],
          by_value); /* moves what has labels without our knowledge */
    for (int i = 0; i < 4; i++)
        treadle_check((uint64_t)row[i]);
    return 0;
}
