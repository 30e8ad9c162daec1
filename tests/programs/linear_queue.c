/* SPDX-License-Identifier: Apache-2.0 */
/* The queue of Michael and Scott, nodes used once. BUG: dequeue moves the head without looking
 * whether another has moved it, and two take the same value.
 *
 * treadle: -k
 * expect: runs 180
 * expect: events 747
 * expect: verdict complete
 * hand: 0
 * treadle: -k
 * cflags: -DBUG
 * expect: finding linear linear_queue.c:85
 * expect: runs 234
 * expect: events 939
 * expect: verdict bug */
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <treadle.h>

enum { EMPTY = 0, DUMMY = 1, N = 4 };

static struct queue {
    _Atomic(int) head, tail;
    _Atomic(int) next[N]; /* 0: none */
    int value[N];
} q = {.head = DUMMY, .tail = DUMMY};

struct fifo {
    int n, at[N];
};

static int step(void *state, const struct treadle_call *call, uint64_t *result)
{
    struct fifo *f = state;
    if (strcmp(call->op, "enqueue") == 0) {
        f->at[f->n++] = (int)call->arg[0];
    } else if (f->n == 0) {
        *result = EMPTY;
    } else {
        *result = (uint64_t)f->at[0];
        memmove(f->at, f->at + 1, (size_t)--f->n * sizeof f->at[0]);
        f->at[f->n] = 0;
    }
    return 1;
}

static void enqueue(int node, int value)
{
    treadle_op_begin(&q, "enqueue", value);
    q.value[node] = value;
    for (;;) {
        int tail = atomic_load(&q.tail), none = 0;
        if (atomic_compare_exchange_strong(&q.next[tail], &none, node)) {
            atomic_compare_exchange_strong(&q.tail, &tail, node);
            break;
        }
        atomic_compare_exchange_strong(&q.tail, &tail, none);
    }
    treadle_op_end(&q);
}

static int dequeue(void)
{
    int value = EMPTY;
    treadle_op_begin(&q, "dequeue");
    for (;;) {
        int head = atomic_load(&q.head), tail = atomic_load(&q.tail);
        int next = atomic_load(&q.next[head]);
        if (next == 0)
            break;
        if (head == tail)
            atomic_compare_exchange_strong(&q.tail, &tail, next);
#ifdef BUG
        value = q.value[next];
        atomic_store(&q.head, next);
        break;
#else
        value = q.value[next];
        if (atomic_compare_exchange_strong(&q.head, &head, next))
            break;
        value = EMPTY;
#endif
    }
    treadle_op_end(&q, value);
    return value;
}

static void *producer(void *arg)
{
    enqueue(2, 20);
    return arg;
}

static void *consumer(void *arg)
{
    dequeue();
    return arg;
}

int main(void)
{
    static const struct treadle_spec spec = {sizeof(struct fifo), NULL, step};
    pthread_t p, c, d;
    treadle_specify(&q, &spec);
    enqueue(3, 30);
    pthread_create(&p, NULL, producer, NULL);
    pthread_create(&c, NULL, consumer, NULL);
    pthread_create(&d, NULL, consumer, NULL);
    pthread_join(p, NULL);
    pthread_join(c, NULL);
    pthread_join(d, NULL);
    return 0;
}
