/* SPDX-License-Identifier: Apache-2.0 */
/* A reference count dropped with relaxed order: the free races with the other one's exchange.
 *
 * treadle:
 * expect: verdict bug
 * expect: finding race */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static struct object {
    atomic_int n;
} * o;
static void *f(void *p)
{
    if (atomic_fetch_sub_explicit(&o->n, 1, memory_order_relaxed) == 1)
        free(o);
    return p;
}

int main(void)
{
    pthread_t t, u;
    o = malloc(sizeof *o);
    atomic_init(&o->n, 2);
    pthread_create(&t, 0, f, 0);
    pthread_create(&u, 0, f, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
