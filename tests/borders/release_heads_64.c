/* SPDX-License-Identifier: Apache-2.0 */
/* The numbers of the threads a and b differ by 64: b's store is none of a's release sequence.
 * treadle:
 * expect: verdict bug
 * expect: finding race release_heads_64.c:16 release_heads_64.c:32 */
#include <pthread.h>
#include <stdatomic.h>

#define FILL 63

static atomic_int f;
static int data, sink;

static void *a(void *p)
{
    data = 1;
    atomic_store_explicit(&f, 1, memory_order_release);
    return p;
}

static void *b(void *p)
{
    if (atomic_load_explicit(&f, memory_order_relaxed) == 1)
        atomic_store_explicit(&f, 2, memory_order_relaxed);
    return p;
}

static void *c(void *p)
{
    if (atomic_load_explicit(&f, memory_order_acquire) == 2) {
        /* The race. */
        sink = data;
    }
    return p;
}

static void *idle(void *p)
{
    return p;
}

int main(void)
{
    pthread_t t[FILL + 3];
    pthread_create(&t[0], 0, a, 0);
    for (int i = 0; i < FILL; i++)
        pthread_create(&t[1 + i], 0, idle, 0);
    pthread_create(&t[FILL + 1], 0, b, 0);
    pthread_create(&t[FILL + 2], 0, c, 0);
    for (int i = 0; i < FILL + 3; i++)
        pthread_join(t[i], 0);
    return 0;
}
