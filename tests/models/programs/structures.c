/* SPDX-License-Identifier: Apache-2.0 */
/* A ring for one producer and one consumer (-DRING), a seqlock (-DSEQLOCK), a lock by tickets
 * (-DTICKET), a stack (-DSTACK), publication by a pointer. -DWEAK makes the order that matters
 * relaxed. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifdef WEAK
#define ACQ memory_order_relaxed
#define REL memory_order_relaxed
#else
#define ACQ memory_order_acquire
#define REL memory_order_release
#endif
#define RLX memory_order_relaxed

#if defined RING
static atomic_int slot[2], head, tail;

static void *one(void *p)
{
    for (int i = 1; i <= 2; i++) {
        atomic_store_explicit(&slot[i % 2], i, RLX);
        atomic_store_explicit(&head, i, REL);
    }
    return p;
}

static void *two(void *p)
{
    int n = atomic_load_explicit(&head, ACQ);
    for (int i = 1; i <= n; i++)
        assert(atomic_load_explicit(&slot[i % 2], RLX) == i);
    atomic_store_explicit(&tail, n, REL);
    return p;
}
#elif defined SEQLOCK
static atomic_int seq, a, b;

static void *one(void *p)
{
    atomic_store_explicit(&seq, 1, RLX);
    atomic_thread_fence(REL);
    atomic_store_explicit(&a, 1, RLX);
    atomic_store_explicit(&b, 1, RLX);
    atomic_store_explicit(&seq, 2, REL);
    return p;
}

static void *two(void *p)
{
    int before = atomic_load_explicit(&seq, ACQ);
    int x = atomic_load_explicit(&a, RLX), y = atomic_load_explicit(&b, RLX);
    atomic_thread_fence(ACQ);
    if (before % 2 == 0 && atomic_load_explicit(&seq, RLX) == before)
        assert(x == y);
    return p;
}
#elif defined TICKET
static atomic_int next, now, shared;

static void *one(void *p)
{
    int mine = atomic_fetch_add_explicit(&next, 1, RLX);
    while (atomic_load_explicit(&now, ACQ) != mine)
        continue;
    int v = atomic_load_explicit(&shared, RLX);
    atomic_store_explicit(&shared, v + 1, RLX);
    atomic_store_explicit(&now, mine + 1, REL);
    return p;
}
#define two one
#elif defined STACK
typedef struct node {
    struct node *_Atomic next;
    atomic_int value;
} node;
static node *_Atomic top;
static node nodes[2];

static void *one(void *p)
{
    node *n = &nodes[(long)p];
    atomic_store_explicit(&n->value, 7, RLX);
    node *old = atomic_load_explicit(&top, RLX);
    do
        atomic_store_explicit(&n->next, old, RLX);
    while (!atomic_compare_exchange_strong_explicit(&top, &old, n, REL, RLX));
    node *seen = atomic_load_explicit(&top, ACQ);
    assert(atomic_load_explicit(&seen->value, RLX) == 7);
    return 0;
}
#define two one
#else
static int *_Atomic published;

static void *one(void *p)
{
    int *data = malloc(sizeof *data);
    *data = 42;
    atomic_store_explicit(&published, data, REL);
    return p;
}

static void *two(void *p)
{
    int *data = atomic_load_explicit(&published, ACQ);
    assert(!data || *data == 42);
    return p;
}
#endif

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], 0, one, (void *)0);
    pthread_create(&t[1], 0, two, (void *)1);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
#ifdef TICKET
    assert(shared == 2);
#endif
    return 0;
}
