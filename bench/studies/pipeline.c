/* SPDX-License-Identifier: Apache-2.0 */
/* pipeline [stages]: each stage takes a value from the connector before it, adds one and puts
 * it into the connector behind it; a listener at the end looks at the result. A stage that
 * has found nothing for a few times gives up.
 *
 * Seeded bug: a connector says that it is full, and is filled after it was unlocked. FIXED:
 * it is filled first. */
#include <assert.h>
#include <stdatomic.h>

#include "../programs/common.h"

enum { MAX_STAGES = 4, TRIES = 2 };

typedef struct connector {
    pthread_mutex_t lock;
    int is_full, value;
} connector;

static connector link[MAX_STAGES + 1];
static int n_stages;
static atomic_int n_puts;

static void put(connector *c, int value)
{
    pthread_mutex_lock(&c->lock);
#ifdef FIXED
    c->value = value;
#endif
    c->is_full = 1;
    pthread_mutex_unlock(&c->lock);
    atomic_fetch_add(&n_puts, 1);
#ifndef FIXED
    c->value = value;
#endif
}

static int take(connector *c, int *value)
{
    pthread_mutex_lock(&c->lock);
    int was_full = c->is_full;
    if (was_full)
        *value = c->value;
    c->is_full = 0;
    pthread_mutex_unlock(&c->lock);
    return was_full;
}

static int take_soon(connector *c, int *value)
{
    for (int i = 0; i < TRIES; i++)
        if (take(c, value))
            return 1;
    return 0;
}

static void *stage(void *number)
{
    int k = (int)(intptr_t)number, value;
    if (take_soon(&link[k], &value))
        put(&link[k + 1], value + 1);
    return NULL;
}

static void *listener(void *arg)
{
    int value;
    if (take_soon(&link[n_stages], &value))
        assert(value == 100 + n_stages);
    return arg;
}

int main(int argc, char **argv)
{
    pthread_t t[MAX_STAGES];
    n_stages = size_arg(argc, argv, 1, 3, MAX_STAGES);
    for (int k = 0; k <= n_stages; k++)
        pthread_mutex_init(&link[k].lock, NULL);
    start_all(t, n_stages, stage);
    start(listener, 0);
    put(&link[0], 100);
    return leave();
}
