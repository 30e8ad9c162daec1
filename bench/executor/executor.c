/* SPDX-License-Identifier: Apache-2.0 */
/* Ten threads and 101 visible operations: what an ordinary small test program does.
 *
 * main: 9 create, 9 join, 1 exit                        19
 * each of 9 workers: lock, unlock, twice; 5 atomics     81
 * main: 1 atomic load                                    1 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

enum { WORKERS = 9, ROUNDS = 2 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int total, table[16];
static atomic_int hits, last;

static void add(int key)
{
    pthread_mutex_lock(&lock);
    table[key % 16] += key;
    total += key;
    pthread_mutex_unlock(&lock);
}

static void *worker(void *arg)
{
    int me = (int)(intptr_t)arg;
    for (int i = 0; i < ROUNDS; i++) {
        add(me + i);
        atomic_fetch_add(&hits, 1);
        atomic_store(&last, me);
    }
    atomic_fetch_sub(&hits, 1);
    return NULL;
}

int main(void)
{
    pthread_t t[WORKERS];
    for (intptr_t i = 0; i < WORKERS; i++)
        pthread_create(&t[i], NULL, worker, (void *)i);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(t[i], NULL);
    int n = atomic_load(&hits);
    assert(n == WORKERS && total == 81);
    return 0;
}
