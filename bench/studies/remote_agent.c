/* SPDX-License-Identifier: Apache-2.0 */
/* remote_agent [rounds]: two tasks of a spacecraft, each waits for an event of the other.
 *
 * Known bug: a task that has seen no new event since last time waits for the next one, but
 * looks before it takes the lock. An event in between is lost, and both wait. FIXED: looking
 * and waiting are one step. The rounds are bounded. */
#include <stdatomic.h>

#include "../programs/common.h"

typedef struct event {
    pthread_mutex_t lock;
    int count;      /* how often it was signalled */
    int has_waiter; /* the task that waits for it, and has ended meanwhile */
} event;

/* A task goes on where it stopped: has_waited is set while it waits. */
typedef struct task {
    int seen, left, has_waited;
} task;

static void *run(void *number);

/* Task k waits for event k and signals the other; task 1 signals first. */
static event events[2] = {{.lock = PTHREAD_MUTEX_INITIALIZER},
                          {.lock = PTHREAD_MUTEX_INITIALIZER}};
static task tasks[2];
static atomic_int awake = 2;

/* The thread gives up being awake, with the lock of an event. If nobody is left who could
 * wake a task that waits, all are stuck. */
static void rest(event *e, int may_wait)
{
    if (atomic_fetch_sub(&awake, 1) == 1 && (may_wait || e->has_waiter))
        pthread_mutex_lock(&e->lock); /* for ever */
}

static void signal_event(int k)
{
    event *e = &events[k];
    pthread_mutex_lock(&e->lock);
    e->count++;
    if (e->has_waiter) {
        e->has_waiter = 0;
        atomic_fetch_add(&awake, 1);
        start(run, k);
    }
    pthread_mutex_unlock(&e->lock);
}

/* Whether the task has to finish and is restarted by the event. */
static int wait_for_event(int k)
{
    event *e = &events[k];
    int must_wait;
#ifdef FIXED
    pthread_mutex_lock(&e->lock);
    must_wait = tasks[k].seen == e->count;
#else
    if (tasks[k].seen != e->count)
        return 0;
    pthread_mutex_lock(&e->lock);
    must_wait = 1;
#endif
    if (must_wait) {
        tasks[k].has_waited = 1;
        e->has_waiter = 1;
        rest(e, 1);
    }
    pthread_mutex_unlock(&e->lock);
    return must_wait;
}

static int count_of(event *e)
{
    pthread_mutex_lock(&e->lock);
    int count = e->count;
    pthread_mutex_unlock(&e->lock);
    return count;
}

static void *run(void *number)
{
    int me = (int)(intptr_t)number;
    task *t = &tasks[me];
    for (; t->left > 0; t->left--) {
        if (!t->has_waited) {
            if (me == 1)
                signal_event(0);
            if (wait_for_event(me))
                return NULL;
        }
        t->has_waited = 0;
        t->seen = count_of(&events[me]);
        if (me == 0)
            signal_event(1);
    }
    event *other = &events[!me];
    pthread_mutex_lock(&other->lock);
    rest(other, 0);
    pthread_mutex_unlock(&other->lock);
    return NULL;
}

int main(int argc, char **argv)
{
    tasks[0].left = tasks[1].left = size_arg(argc, argv, 1, 2, 10);
    start(run, 0);
    start(run, 1);
    return leave();
}
