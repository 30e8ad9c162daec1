/* SPDX-License-Identifier: Apache-2.0 */
/* Nodes pushed with a relaxed exchange are not.
 *
 * treadle:
 * expect: verdict bug
 * expect: finding race race_stack_push.c:22 race_stack_push.c:42
 * treadle: --search=all
 * expect: verdict bug
 * expect: finding race race_stack_push.c:22 race_stack_push.c:42 */
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
    } while (!__atomic_compare_exchange_n(&top, &old, n, 0, __ATOMIC_RELAXED,
                                          __ATOMIC_RELAXED));
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
