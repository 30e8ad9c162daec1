/* SPDX-License-Identifier: Apache-2.0 */
/* Threads that wait on an object until they are woken.
 *
 * A signal does not choose the thread that it wakes: it leaves a mark, and any thread that waited when it
 * came may take it. So the woken thread is the one that continues first, which is the scheduler's choice
 * like any other. A mark is the number of threads, in order of arrival, that may take it; marks rise, and
 * there are never more of them than threads: a signal that comes when every thread is woken already is lost. */
#include "runtime/core/core.h"

#include <string.h>

struct rt_queue {
    uint32_t n, n_marks, cap;
    uint32_t *threads; /* in order of arrival */
    uint32_t *marks;
};

static rt_queue *queue_of(rt_object *o)
{
    if (!o->queue)
        o->queue = rt_bump(sizeof *o->queue);
    return o->queue;
}

static void grow(rt_queue *q)
{
    uint32_t cap = q->cap ? 2 * q->cap : 8;
    uint32_t *threads = rt_bump(cap * sizeof *threads);
    uint32_t *marks = rt_bump(cap * sizeof *marks);
    if (q->n > 0)
        memcpy(threads, q->threads, q->n * sizeof *threads);
    if (q->n_marks > 0)
        memcpy(marks, q->marks, q->n_marks * sizeof *marks);
    q->threads = threads;
    q->marks = marks;
    q->cap = cap;
}

void rt_queue_add(rt_object *o, uint32_t thread)
{
    RT_ASSERT(thread < rt->n_threads);
    rt_queue *q = queue_of(o);
    if (q->n == q->cap)
        grow(q);
    q->threads[q->n++] = thread;
    rt->threads[thread].let_go = 0;
    RT_ASSERT(q->n_marks <= q->n);
}

/* Returns how many threads, in order of arrival, are woken. */
static uint32_t n_woken(const rt_queue *q)
{
    return q && q->n_marks > 0 ? q->marks[q->n_marks - 1] : 0;
}

bool rt_queue_woken(const rt_object *o, uint32_t thread)
{
    for (uint32_t i = 0; i < n_woken(o->queue); i++)
        if (o->queue->threads[i] == thread)
            return true;
    return false;
}

uint32_t rt_queue_blocked(const rt_object *o)
{
    return o->queue ? o->queue->n - o->queue->n_marks : 0;
}

void rt_queue_leave(rt_object *o, uint32_t thread)
{
    rt_queue *q = queue_of(o);
    uint32_t at = 0, mark = 0, kept = 0;
    while (at < q->n && q->threads[at] != thread)
        at++;
    if (at == q->n)
        return;
    q->n--;
    memmove(&q->threads[at], &q->threads[at + 1], (q->n - at) * sizeof q->threads[0]);
    while (mark < q->n_marks && q->marks[mark] <= at)
        mark++;
    for (uint32_t i = 0; i < q->n_marks; i++)
        if (i != mark)
            q->marks[kept++] = q->marks[i] - (q->marks[i] > at);
    q->n_marks = kept;
    RT_ASSERT(kept <= q->n);
}

void rt_queue_let_go(const rt_object *o)
{
    RT_ASSERT(rt_queue_blocked(o) == 0);
    for (uint32_t i = 0; o->queue && i < o->queue->n; i++)
        rt->threads[o->queue->threads[i]].let_go = o->address;
}

uint32_t rt_queue_wake(rt_object *o, uint32_t n)
{
    rt_queue *q = queue_of(o);
    uint32_t before = q->n_marks;
    while (q->n_marks < q->n && q->n_marks - before < n)
        q->marks[q->n_marks++] = q->n;
    RT_ASSERT(q->n_marks <= q->cap);
    return q->n_marks - before;
}

void rt_queue_wake_all(rt_object *o)
{
    rt_queue *q = queue_of(o);
    for (uint32_t i = 0; i < q->n; i++)
        q->marks[i] = q->n;
    q->n_marks = q->n;
}

void rt_queue_tell(const rt_object *o)
{
    wire_rec *r = NULL;
    for (uint32_t i = 0; i < n_woken(o->queue); i++) {
        if (!r || r->size == WIRE_IDS)
            r = rt_emit(WIRE_NOTE_WOKEN);
        r->ids[r->size++] = o->queue->threads[i];
    }
}
