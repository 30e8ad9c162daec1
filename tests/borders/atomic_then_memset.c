/* SPDX-License-Identifier: Apache-2.0 */
/* What memset clears was accessed atomically before, in another thread.
 *
 * treadle:
 * expect: verdict bug
 * expect: finding race */
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

static struct {
    atomic_int a, b, c, d;
} s;
static atomic_int flag;
static void *t0(void *p)
{
    atomic_store_explicit(&s.c, 1, memory_order_relaxed);
    atomic_store_explicit(&flag, 1, memory_order_relaxed);

    return p;
}

static void *t1(void *p)
{
    if (atomic_load_explicit(&flag, memory_order_relaxed))
        memset(&s, 0, sizeof s);
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
