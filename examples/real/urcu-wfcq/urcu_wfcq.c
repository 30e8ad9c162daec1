/* SPDX-License-Identifier: Apache-2.0
 * The wait-free queue of liburcu: two threads put a node each, main takes them. What comes
 * out went in, once, with its content; each thread's own order is kept; nothing is lost. */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#include <urcu/wfcqueue.h>

enum { PRODUCERS = 2, NODES = 1 };

struct item {
    struct cds_wfcq_node node;
    int producer, number;
};

static struct cds_wfcq_head head;
static struct cds_wfcq_tail tail;
static struct item items[PRODUCERS][NODES];
static int next_number[PRODUCERS];

static void *put(void *arg)
{
    struct item *mine = arg;
    for (int i = 0; i < NODES; i++) {
        cds_wfcq_node_init(&mine[i].node);
        mine[i].producer = (int)((struct item(*)[NODES])arg - items);
        mine[i].number = i;
        cds_wfcq_enqueue(&head, &tail, &mine[i].node);
    }
    return NULL;
}

/* Whether there was something. */
static bool take(void)
{
    struct cds_wfcq_node *node = __cds_wfcq_dequeue_blocking(&head, &tail);
    if (node == NULL)
        return false;
    struct item *it = (struct item *)node;
    assert(it->number == next_number[it->producer]);
    next_number[it->producer]++;
    node->next = NULL; /* a node that was taken is ours */
    return true;
}

int main(void)
{
    pthread_t t[PRODUCERS];
    int n_taken = 0;
    cds_wfcq_init(&head, &tail);
    for (int i = 0; i < PRODUCERS; i++)
        pthread_create(&t[i], NULL, put, items[i]);
    for (int i = 0; i < PRODUCERS * NODES; i++)
        n_taken += take();
    for (int i = 0; i < PRODUCERS; i++)
        pthread_join(t[i], NULL);
    while (take())
        n_taken++;
    assert(n_taken == PRODUCERS * NODES && cds_wfcq_empty(&head, &tail));
    cds_wfcq_destroy(&head, &tail);
    return 0;
}
