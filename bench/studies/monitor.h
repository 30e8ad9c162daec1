/* SPDX-License-Identifier: Apache-2.0 */
/* bench/studies/monitor.h - waiting without condition variables, which treadle does not model.
 *
 * A thread that waits notes its number and comes to its end; whoever wakes it starts a thread
 * that goes on with what is left for that number. So a body must be able to go on where it
 * stopped: its state is kept outside. Whoever waits or ends as the last one that is awake,
 * while others wait, gets stuck, as all of them would be: that shows as a deadlock. */
#pragma once

#include "../programs/common.h"

enum { MAX_ASLEEP = 16 };

typedef struct monitor {
    pthread_mutex_t lock; /* held in every call but monitor_enter */
    int awake;            /* threads that neither wait nor have ended */
    int asleep[MAX_ASLEEP], n_asleep;
    body *go_on;
} monitor;

static inline void monitor_enter(monitor *m)
{
    pthread_mutex_lock(&m->lock);
}

static inline void monitor_exit(monitor *m)
{
    pthread_mutex_unlock(&m->lock);
}

/* Gives up being awake; the lock is released. The caller returns from its body. */
static inline void monitor_rest(monitor *m)
{
    m->awake--;
    if (m->awake == 0 && m->n_asleep > 0)
        pthread_mutex_lock(&m->lock); /* for ever */
    monitor_exit(m);
}

static inline void monitor_wait(monitor *m, int who)
{
    m->asleep[m->n_asleep++] = who;
    monitor_rest(m);
}

/* Wakes the one that has waited longest. */
static inline void monitor_notify(monitor *m)
{
    if (m->n_asleep == 0)
        return;
    int who = m->asleep[0];
    m->n_asleep--;
    for (int i = 0; i < m->n_asleep; i++)
        m->asleep[i] = m->asleep[i + 1];
    m->awake++;
    start(m->go_on, who);
}

static inline void monitor_notify_all(monitor *m)
{
    while (m->n_asleep > 0)
        monitor_notify(m);
}
