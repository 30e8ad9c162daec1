/* SPDX-License-Identifier: Apache-2.0 */
/* A lock-free stack of numbered buffers that suffers from ABA: pop compares the head only,
 * and the head may have left and come back in between, with another successor. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

enum { NONE, A, B, N };

static atomic_int head = A;
static atomic_int next[N] = {[A] = B, [B] = NONE};

static int pop(void)
{
    int old = atomic_load(&head);
    while (old != NONE) {
        int after = atomic_load(&next[old]);
        if (atomic_compare_exchange_strong(&head, &old, after))
            break;
    }
    return old;
}

static void push(int node)
{
    int old = atomic_load(&head);
    do
        atomic_store(&next[node], old);
    while (!atomic_compare_exchange_strong(&head, &old, node));
}

static void *taker(void *arg)
{
    pop();
    return arg;
}

/* Takes two buffers, gives the first one back, keeps the second. */
static void *keeper(void *arg)
{
    int first = pop(), second = pop();
    if (first != NONE)
        push(first);
    return (void *)(intptr_t)second;
}

int main(void)
{
    pthread_t t, k;
    void *kept;
    pthread_create(&t, NULL, taker, NULL);
    pthread_create(&k, NULL, keeper, NULL);
    pthread_join(t, NULL);
    pthread_join(k, &kept);

    int top = atomic_load(&head);
    assert(top == NONE || top != (int)(intptr_t)kept);
    return 0;
}
