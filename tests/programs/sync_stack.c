/* SPDX-License-Identifier: Apache-2.0 */
/* Nodes pushed with __sync_bool_compare_and_swap are seen whole.
 *
 * treadle:
 * expect: verdict complete
 * expect: runs 5
 * expect: events 16
 * treadle: --search=all
 * expect: verdict complete
 * expect: runs 10
 * expect: events 26
 * expect: traces 5
 * hand: 0 */
#include <pthread.h>
#include <stddef.h>

static struct node {
    struct node *next;
    int value;
} nodes[2];
static struct node *top;
static volatile int sink;

static void push(struct node *n, int value)
{
    n->value = value;
    struct node *old = NULL;
    do {
        n->next = old = __atomic_load_n(&top, __ATOMIC_RELAXED);
    } while (!__sync_bool_compare_and_swap(&top, old, n));
}

static void *worker(void *arg)
{
    push(&nodes[1], 1);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    push(&nodes[0], 2);
    struct node *n = __atomic_load_n(&top, __ATOMIC_ACQUIRE);
    sink = n->value;
    pthread_join(t, NULL);
    return 0;
}
