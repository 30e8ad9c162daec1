/* SPDX-License-Identifier: Apache-2.0 */
/* Nothing is lost: the list is freed, and what is not is still pointed to, from data, from
 * thread-local storage, from a stack, from other blocks, and by a pointer to its middle.
 *
 * treadle: --leaks
 * expect: runs 1
 * expect: events 6
 * expect: verdict complete
 * treadle: --leaks --search=all
 * expect: runs 3
 * expect: events 9
 * expect: verdict complete
 * hand: 0 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    struct node *next;
    long payload[4];
};

static _Atomic(struct node *) head;
static struct node *kept;
static long *inner;
static __thread void *local;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg)
{
    struct node *n = malloc(sizeof *n);
    n->next = atomic_load(&head);
    while (!atomic_compare_exchange_strong(&head, &n->next, n))
        continue;
    return arg;
}

/* Does not end before the process does. */
static void *waiter(void *arg)
{
    void *volatile block = malloc(30);
    local = malloc(40);
    pthread_mutex_lock(&m);
    free(block);
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    kept = malloc(sizeof *kept);
    kept->next = malloc(sizeof *kept);
    kept->next->next = NULL;
    inner = &((struct node *)malloc(sizeof *kept))->payload[2];
    pthread_mutex_lock(&m);
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, waiter, NULL);
    pthread_join(a, NULL);
    free(head);
    exit(0);
}
