/* SPDX-License-Identifier: Apache-2.0 */
/* Plain and atomic accesses of different bytes of one word.
 *
 * treadle:
 * expect: verdict complete */
#include <pthread.h>
#include <stdatomic.h>

static struct {
    atomic_char a;
    char b;
} s;
static atomic_int flag;
static void *t0(void *p)
{
    atomic_store_explicit(&s.a, 1, memory_order_relaxed);
    atomic_store_explicit(&flag, 1, memory_order_relaxed);

    return p;
}

static void *t1(void *p)
{
    if (atomic_load_explicit(&flag, memory_order_relaxed))
        s.b = 2;
    return p;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], 0, t0, 0);
    pthread_create(&t[1], 0, t1, 0);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    return 0;
}
