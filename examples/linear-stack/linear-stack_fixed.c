/* SPDX-License-Identifier: Apache-2.0 */
/* linear-stack.c with a number in the head that grows with every push: a head that has left and
 * come back is another value. */
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <treadle.h>

enum { NONE, A, B, N, PUSHES = 256 };

/* ---- the stack ---- */

static atomic_int head;
static atomic_int next[N];

static void push(int node)
{
    treadle_op_begin(&head, "push", node);
    int old = atomic_load(&head), new;
    do {
        atomic_store(&next[node], old % PUSHES);
        new = (old / PUSHES + 1) * PUSHES + node;
    } while (!atomic_compare_exchange_strong(&head, &old, new));
    treadle_op_end(&head);
}

static int pop(void)
{
    treadle_op_begin(&head, "pop");
    int old = atomic_load(&head);
    while (old % PUSHES != NONE) {
        int after = atomic_load(&next[old % PUSHES]);
        if (atomic_compare_exchange_strong(&head, &old, old / PUSHES * PUSHES + after))
            break;
    }
    treadle_op_end(&head, old % PUSHES);
    return old % PUSHES;
}

/* ---- what a stack is, one operation after the other ---- */

struct stack {
    int n, node[N];
};

static int step(void *state, const struct treadle_call *call, uint64_t *result)
{
    struct stack *s = state;
    if (strcmp(call->op, "push") == 0)
        s->node[s->n++] = (int)call->arg[0];
    else
        *result = s->n > 0 ? (uint64_t)s->node[--s->n] : NONE;
    return 1;
}

static const struct treadle_spec stack = {sizeof(struct stack), NULL, step};

/* ---- the test ---- */

static void *taker(void *arg)
{
    pop();
    return arg;
}

/* Takes two nodes and gives the first one back. */
static void *keeper(void *arg)
{
    int first = pop();
    pop();
    if (first != NONE)
        push(first);
    return arg;
}

int main(void)
{
    pthread_t t, k;
    treadle_specify(&head, &stack);
    push(B);
    push(A);
    pthread_create(&t, NULL, taker, NULL);
    pthread_create(&k, NULL, keeper, NULL);
    pthread_join(t, NULL);
    pthread_join(k, NULL);
    pop();
    return 0;
}
