/* SPDX-License-Identifier: Apache-2.0 */
/* A pointer that is consumed, as readers of RCU do.
 *
 * treadle:
 * expect: verdict complete
 * expect: runs 2
 * expect: events 5
 * treadle: --search=all
 * expect: verdict complete
 * expect: runs 2
 * expect: events 11
 * expect: traces 2
 * hand: 0 */
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
    atomic_store_explicit(&shared, &node, memory_order_release);
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
