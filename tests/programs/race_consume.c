/* SPDX-License-Identifier: Apache-2.0 */
/* The same, stored too weakly.
 *
 * treadle:
 * expect: verdict bug
 * expect: finding race race_consume.c:21 race_consume.c:32
 * treadle: --search=all
 * expect: verdict bug
 * expect: finding race race_consume.c:21 race_consume.c:32 */
#include <pthread.h>
#include <stdatomic.h>

static struct node {
    int value;
} node;
static struct node *_Atomic shared;
static volatile int sink;

static void *worker(void *arg)
{
    node.value = 42;
    atomic_store_explicit(&shared, &node, memory_order_relaxed);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    struct node *p = atomic_load_explicit(&shared, memory_order_consume);
    if (p)
        sink = p->value;
    pthread_join(t, NULL);
    return 0;
}
