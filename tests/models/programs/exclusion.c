/* SPDX-License-Identifier: Apache-2.0 */
/* Mutual exclusion by plain loads and stores: Dekker's way in (-DDEKKER), Peterson's, Szymanski's first
 * door (-DDOOR); each thread tries once. -DFENCE puts a seq_cst fence behind what a thread says
 * of itself. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag[2], turn, inside;

static void say(int i, int v)
{
    atomic_store_explicit(&flag[i], v, memory_order_relaxed);
}

static int other_says(int i)
{
    return atomic_load_explicit(&flag[1 - i], memory_order_acquire);
}

static void fence(void)
{
#ifdef FENCE
    atomic_thread_fence(memory_order_seq_cst);
#endif
}

static int may_enter(int i)
{
#if defined DEKKER
    say(i, 1);
    fence();
    return !other_says(i);
#elif defined DOOR
    say(i, 1);
    fence();
    if (other_says(i) >= 3)
        return 0;
    say(i, 3);
    fence();
    if (other_says(i) == 1)
        return 0;
    say(i, 4);
    fence();
    return i == 0 || other_says(i) < 2;
#else
    say(i, 1);
    fence();
    atomic_store_explicit(&turn, 1 - i, memory_order_relaxed);
    fence();
    return !other_says(i) || atomic_load_explicit(&turn, memory_order_acquire) == i;
#endif
}

static void *thread(void *p)
{
    int i = (int)(long)p;
    if (may_enter(i)) {
        assert(atomic_fetch_add_explicit(&inside, 1, memory_order_relaxed) == 0);
#if !defined DEKKER
        atomic_fetch_sub_explicit(&inside, 1, memory_order_relaxed);
        atomic_store_explicit(&flag[i], 0, memory_order_release);
#endif
    }
    return 0;
}

int main(void)
{
    pthread_t t[2];
    for (long i = 0; i < 2; i++)
        pthread_create(&t[i], 0, thread, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
    return 0;
}
