/* SPDX-License-Identifier: Apache-2.0 */
/* Two threads push onto a list without a lock around both steps: in some schedules a node is lost.
 *
 * treadle: --leaks
 * expect: verdict bug
 * expect: finding leak mem_leak.c:27
 * expect: says 1 block, 8 bytes, allocated at mem_leak.c:27 by T
 * treadle: --leaks --search=all
 * expect: verdict bug
 * expect: finding leak mem_leak.c:27
 * treadle:
 * expect: runs 4
 * expect: events 18
 * expect: verdict complete */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    struct node *next;
};

static _Atomic(struct node *) head;

static void *worker(void *arg)
{
    struct node *n = malloc(sizeof *n);
    n->next = atomic_load(&head);
    atomic_store(&head, n);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    for (struct node *n = head, *next; n; n = next) {
        next = n->next;
        free(n);
    }
    return 0;
}
