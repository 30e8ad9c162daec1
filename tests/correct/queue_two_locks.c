/* SPDX-License-Identifier: Apache-2.0 */
/* Michael and Scott's queue with one lock for each end.
 *
 * treadle:
 * expect: verdict complete
 * hand: 0 */
#include <stdatomic.h>

#include "threads.h"

typedef struct node {
    _Atomic(struct node *) next;
    int value;
} node;

static pthread_mutex_t head_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t tail_lock = PTHREAD_MUTEX_INITIALIZER;
static node *head, *tail;

static void put(int value)
{
    node *n = calloc(1, sizeof *n);
    n->value = value;
    pthread_mutex_lock(&tail_lock);
    atomic_store_explicit(&tail->next, n, memory_order_release);
    tail = n;
    pthread_mutex_unlock(&tail_lock);
}

static int take(void)
{
    pthread_mutex_lock(&head_lock);
    node *old = head, *n = atomic_load_explicit(&old->next, memory_order_acquire);
    int value = n ? n->value : 0;
    if (n) {
        head = n;
        free(old);
    }
    pthread_mutex_unlock(&head_lock);
    return value;
}

static void *worker(void *arg)
{
    put(number_of(arg) + 1);
    int value = take();
    assert(value == 1 || value == 2);
    return arg;
}

int main(void)
{
    head = tail = calloc(1, sizeof *head);
    run_threads(2, worker);
    assert(take() == 0);
    free(head);
    return 0;
}
