/* SPDX-License-Identifier: Apache-2.0
 * A lock of libvsync, MCS with -DMCS, else by tickets: three threads add to a plain number under it. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

enum { THREADS = 3 };

#ifdef MCS
#include <vsync/spinlock/mcslock.h>
static mcslock_t lock = MCSLOCK_INIT();
static mcs_node_t nodes[THREADS];
#define ACQUIRE(i) mcslock_acquire(&lock, &nodes[i])
#define RELEASE(i) mcslock_release(&lock, &nodes[i])
#else
#include <vsync/spinlock/ticketlock.h>
static ticketlock_t lock = TICKETLOCK_INIT();
#define ACQUIRE(i) ((void)(i), ticketlock_acquire(&lock))
#define RELEASE(i) ((void)(i), ticketlock_release(&lock))
#endif

static int numbers[THREADS];
static int count;

static void *add(void *arg)
{
    ptrdiff_t i = (int *)arg - numbers;
    ACQUIRE(i);
    count++;
    RELEASE(i);
    return NULL;
}

int main(void)
{
    pthread_t t[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&t[i], NULL, add, &numbers[i]);
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], NULL);
    assert(count == THREADS);
    return 0;
}
