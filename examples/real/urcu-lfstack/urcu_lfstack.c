/* SPDX-License-Identifier: Apache-2.0
 * The lock-free stack of liburcu with three nodes: three threads take one and put it back, and must find one
 * each. A node that comes back at once would be the ABA problem if takers did not exclude each other
 * (-DWITHOUT_LOCK), as the library says they must. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

#include <urcu/lfstack.h>

enum { NODES = 3, THREADS = 3 };

struct item {
    struct cds_lfs_node node;
    int n_owners;
};

static struct cds_lfs_stack stack;
static struct item items[NODES];

static struct item *pop(void)
{
#ifdef WITHOUT_LOCK
    return (struct item *)__cds_lfs_pop(&stack);
#else
    return (struct item *)cds_lfs_pop_blocking(&stack);
#endif
}

static void *take_and_put(void *arg)
{
    struct item *mine = pop();
    assert(mine != NULL && mine->n_owners++ == 0); /* nobody else has it */
    mine->n_owners--;
    cds_lfs_push(&stack, &mine->node);
    return arg;
}

int main(void)
{
    pthread_t t[THREADS];
    int n_left = 0;
    cds_lfs_init(&stack);
    for (int i = 0; i < NODES; i++)
        cds_lfs_push(&stack, &items[i].node);
    for (int i = 0; i < THREADS; i++)
        pthread_create(&t[i], NULL, take_and_put, NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], NULL);
    while (pop())
        n_left++;
    assert(n_left == NODES);
    cds_lfs_destroy(&stack);
    return 0;
}
