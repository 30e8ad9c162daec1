/* SPDX-License-Identifier: Apache-2.0 */
/* A Treiber stack that frees its nodes; hazard pointers keep those in use.
 *
 * treadle:
 * expect: verdict complete
 * hand: 0 */
#include <stdatomic.h>

#include "threads.h"

typedef struct node {
    struct node *next;
    int value;
} node;

static _Atomic(node *) top, hazard[2];

static void push(int value)
{
    node *n = malloc(sizeof *n);
    n->value = value;
    n->next = atomic_load(&top);
    while (!atomic_compare_exchange_strong(&top, &n->next, n))
        continue;
}

/* The first node, which nobody frees until the hazard is taken back. */
static node *protect(int me)
{
    node *n = atomic_load(&top);
    for (;;) {
        atomic_store(&hazard[me], n);
        node *again = atomic_load(&top);
        if (again == n)
            return n;
        n = again;
    }
}

static node *pop(int me)
{
    for (;;) {
        node *n = protect(me);
        if (!n)
            return NULL;
        node *expected = n;
        if (atomic_compare_exchange_strong(&top, &expected, n->next)) {
            atomic_store(&hazard[me], NULL);
            return n;
        }
    }
}

static void *worker(void *arg)
{
    int me = number_of(arg);
    node *n = pop(me);
    assert(n && (n->value == 1 || n->value == 2));
    /* What the other one still looks at is left to main. */
    if (atomic_load(&hazard[1 - me]) != n) {
        free(n);
        n = NULL;
    }
    return n;
}

int main(void)
{
    pthread_t t[2];
    push(1);
    push(2);
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, worker, (void *)(intptr_t)i);
    void *left[2];
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], &left[i]);
    for (int i = 0; i < 2; i++)
        free(left[i]);
    return 0;
}
