/* SPDX-License-Identifier: Apache-2.0 */
/* The lock of Mellor-Crummey and Scott, three threads, twice each; what it protects is in
 * loop_mcs_count.c.
 *
 * treadle:
 * expect: runs 28689
 * expect: events 154167
 * expect: verdict complete */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#define THREADS 3
#define TIMES 2

typedef struct node {
    _Atomic(struct node *) next;
    atomic_int waits;
} node;

static _Atomic(node *) tail;
static node nodes[THREADS];

static void lock(node *me)
{
    atomic_store(&me->next, NULL);
    node *before = atomic_exchange(&tail, me);
    if (!before)
        return;
    atomic_store(&me->waits, 1);
    atomic_store(&before->next, me);
    while (atomic_load(&me->waits))
        continue;
}

static void unlock(node *me)
{
    node *after = atomic_load(&me->next);
    if (!after) {
        node *expected = me;
        if (atomic_compare_exchange_strong(&tail, &expected, NULL))
            return;
        while (!(after = atomic_load(&me->next)))
            continue;
    }
    atomic_store(&after->waits, 0);
}

static void *worker(void *arg)
{
    for (int i = 0; i < TIMES; i++) {
        lock(arg);
        unlock(arg);
    }
    return NULL;
}

int main(void)
{
    pthread_t t[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&t[i], NULL, worker, &nodes[i]);
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], NULL);
    return 0;
}
