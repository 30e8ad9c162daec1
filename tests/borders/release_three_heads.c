/* SPDX-License-Identifier: Apache-2.0 */
/* Three release sequences at a time, of exchanges; the relaxed store of the second thread keeps its
 * own one only. Who reads 30 knows what b wrote (no race at its read of second), but not what a
 * and d did.
 * treadle: -k
 * expect: verdict bug
 * expect: finding race release_three_heads.c:26 release_three_heads.c:57
 * expect: finding race release_three_heads.c:44 release_three_heads.c:58 */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int f, done;
static int first, second, third, sink;

static void relaxed(atomic_int *x, int v)
{
    atomic_store_explicit(x, v, memory_order_relaxed);
}
static int seen(atomic_int *x)
{
    return atomic_load_explicit(x, memory_order_relaxed);
}

static void *a(void *p)
{
    first = 1;
    atomic_fetch_add_explicit(&f, 1, memory_order_release);
    return p;
}

static void *b(void *p)
{
    second = 1;
    atomic_fetch_add_explicit(&f, 10, memory_order_release);
    if (seen(&done) && seen(&f) == 111)
        relaxed(&f, 30);
    return p;
}

static void *d(void *p)
{
    if (seen(&f) != 11)
        return p;
    third = 1;
    atomic_fetch_add_explicit(&f, 100, memory_order_release);
    relaxed(&done, 1);
    return p;
}

static void *c(void *p)
{
    if (atomic_load_explicit(&f, memory_order_acquire) != 30)
        return p;
    sink = second;
    if (sink != 1)
        return p;
    sink = first;
    sink = third;
    return p;
}

int main(void)
{
    pthread_t t[4];
    pthread_create(&t[0], 0, a, 0);
    pthread_create(&t[1], 0, b, 0);
    pthread_create(&t[2], 0, d, 0);
    pthread_create(&t[3], 0, c, 0);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], 0);
    return 0;
}
