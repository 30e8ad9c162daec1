/* SPDX-License-Identifier: Apache-2.0 */
/* A sorted list; a thread locks the next node before it lets go of the last.
 *
 * treadle:
 * expect: verdict complete
 * hand: 0 */
#include "threads.h"

typedef struct node {
    pthread_mutex_t lock;
    int key;
    struct node *next;
} node;

static node last = {PTHREAD_MUTEX_INITIALIZER, 100, NULL};
static node head = {PTHREAD_MUTEX_INITIALIZER, 0, &last};
static node nodes[2];

static void insert(node *n)
{
    node *before = &head;
    pthread_mutex_lock(&before->lock);
    node *at = before->next;
    pthread_mutex_lock(&at->lock);
    while (at->key < n->key) {
        pthread_mutex_unlock(&before->lock);
        before = at;
        at = at->next;
        pthread_mutex_lock(&at->lock);
    }
    n->next = at;
    before->next = n;
    pthread_mutex_unlock(&at->lock);
    pthread_mutex_unlock(&before->lock);
}

static void *worker(void *arg)
{
    node *n = &nodes[number_of(arg)];
    pthread_mutex_init(&n->lock, NULL);
    n->key = number_of(arg) + 1;
    insert(n);
    return arg;
}

int main(void)
{
    run_threads(2, worker);
    assert(head.next->key == 1 && head.next->next->key == 2);
    assert(head.next->next->next == &last);
    return 0;
}
