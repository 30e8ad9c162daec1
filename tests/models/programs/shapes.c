/* SPDX-License-Identifier: Apache-2.0 */
/* Shapes whose number of execution graphs grows with N: which one is -DSHAPE. Orders are relaxed, acquire and release;
 * -DSTRONG makes all of them seq_cst. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifndef N
#define N 3
#endif

#ifdef STRONG
#define RLX memory_order_seq_cst
#define ACQ memory_order_seq_cst
#define REL memory_order_seq_cst
#define BOTH memory_order_seq_cst
#else
#define RLX memory_order_relaxed
#define ACQ memory_order_acquire
#define REL memory_order_release
#define BOTH memory_order_acq_rel
#endif

#define LOAD(x, o) atomic_load_explicit(&(x), o)
#define STORE(x, v, o) atomic_store_explicit(&(x), v, o)
#define ADD(x, v, o) atomic_fetch_add_explicit(&(x), v, o)

static atomic_int x, y, cells[N + 1];

#if SHAPE ==                                                                             \
    1 /* a ring of store buffering: each thread stores to its cell and looks at the next */
static void *thread(void *p)
{
    long i = (long)p;
    STORE(cells[i], 1, RLX);
    return (void *)(long)LOAD(cells[(i + 1) % N], RLX);
}
#elif SHAPE == 2 /* one writes twice, the others read twice */
static void *thread(void *p)
{
    if (!p) {
        STORE(x, 1, RLX);
        STORE(x, 2, REL);
        return 0;
    }
    int a = LOAD(x, ACQ);
    return (void *)(long)(LOAD(x, RLX) - a);
}
#elif SHAPE == 3 /* a chain of messages, each thread hands on what it has seen */
static void *thread(void *p)
{
    long i = (long)p;
    if (!i)
        STORE(x, 1, RLX);
    else if (!LOAD(cells[i - 1], ACQ))
        return 0;
    STORE(cells[i], 1, REL);
    return (void *)(long)LOAD(x, RLX);
}
#elif SHAPE == 4 /* a counter by compare-exchange, one try */
static void *thread(void *p)
{
    int seen = LOAD(x, RLX);
    if (atomic_compare_exchange_strong_explicit(&x, &seen, seen + 1, BOTH, ACQ))
        ADD(y, 1, RLX);
    return p;
}
#elif SHAPE == 5 /* additions to two counters in turns */
static void *thread(void *p)
{
    atomic_int *first = (long)p % 2 ? &x : &y, *second = (long)p % 2 ? &y : &x;
    ADD(*first, 1, REL);
    return (void *)(long)LOAD(*second, ACQ);
}
#elif SHAPE ==                                                                           \
    6 /* publication of blocks, the last one wins; a reader looks into what it finds */
static struct block {
    atomic_int value;
} * _Atomic published;
static void *thread(void *p)
{
    if (!p) {
        struct block *found = LOAD(published, ACQ);
        return (void *)(long)(found ? LOAD(found->value, RLX) : 0);
    }
    struct block *mine = malloc(sizeof *mine);
    STORE(mine->value, (int)(long)p, RLX);
    STORE(published, mine, REL);
    return 0;
}
#elif SHAPE == 7  /* a lock by tickets, waiting in a loop */
static int shared;
static void *thread(void *p)
{
    int mine = ADD(x, 1, RLX);
    while (LOAD(y, ACQ) != mine)
        continue;
    shared++;
    STORE(y, mine + 1, REL);
    return p;
}
#elif SHAPE == 8  /* a lock by exchange, tried once, else the thread notes it */
static int shared;
static void *thread(void *p)
{
    if (atomic_exchange_explicit(&x, 1, ACQ)) {
        ADD(y, 1, RLX);
        return p;
    }
    shared++;
    STORE(x, 0, REL);
    return p;
}
#elif SHAPE == 9  /* a mutex, and a flag that is read outside it */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void *thread(void *p)
{
    pthread_mutex_lock(&mutex);
    STORE(x, (int)(long)p, RLX);
    pthread_mutex_unlock(&mutex);
    return (void *)(long)LOAD(x, RLX);
}
#elif SHAPE == 10 /* Peterson's way in and out, two threads, N is not used */
static void *thread(void *p)
{
    long i = (long)p;
    if (i > 1)
        return 0;
    STORE(cells[i], 1, RLX);
    STORE(y, 1 - (int)i, RLX);
    atomic_thread_fence(memory_order_seq_cst);
    if (LOAD(cells[1 - i], ACQ) && LOAD(y, ACQ) != i)
        return 0;
    ADD(x, 1, RLX);
    STORE(cells[i], 0, REL);
    return 0;
}
#elif SHAPE == 11 /* two that write both ways, the others look at both */
static void *thread(void *p)
{
    if (!p) {
        STORE(x, 1, REL);
        return (void *)(long)(LOAD(y, ACQ) + LOAD(x, ACQ));
    }
    STORE(x, 2, RLX);
    STORE(y, (int)(long)p, REL);
    return 0;
}
#else /* a stack: each pushes its cell, tries again until it is in, then looks at the top */
static void *thread(void *p)
{
    int mine = (int)(long)p + 1, top = LOAD(x, RLX);
    do
        STORE(cells[mine - 1], top, RLX);
    while (!atomic_compare_exchange_strong_explicit(&x, &top, mine, REL, RLX));
    return (void *)(long)LOAD(cells[LOAD(x, ACQ) - 1], RLX);
}
#endif

int main(void)
{
    pthread_t t[N];
    for (long i = 0; i < N; i++)
        if (pthread_create(&t[i], 0, thread, (void *)i))
            abort();
    for (int i = 0; i < N; i++)
        if (pthread_join(t[i], 0))
            abort();
    return 0;
}
