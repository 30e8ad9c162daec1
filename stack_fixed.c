/* SPDX-License-Identifier: Apache-2.0 */
/* stack.c with a number in the head that grows with every push: a head that has left and
 * come back is another value. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

enum { NONE, A, B, N, PUSHES = 256 };

static atomic_int head = A;
static atomic_int next[N] = {[A] = B, [B] = NONE};

static int pop(void)
{
    int old = atomic_load(&head);
    while (old % PUSHES != NONE) {
        int after = atomic_load(&next[old % PUSHES]);
        if (atomic_compare_exchange_strong(&head, &old, old / PUSHES * PUSHES + after))
            break;
    }
    return old % PUSHES;
}

static void push(int node)
{
    int old = atomic_load(&head), new;
    do {
        atomic_store(&next[node], old % PUSHES);
        new = (old / PUSHES + 1) * PUSHES + node;
    } while (!atomic_compare_exchange_strong(&head, &old, new));
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

    int top = atomic_load(&head) % PUSHES;
    assert(top == NONE || top != (int)(intptr_t)kept);
    return 0;
}
