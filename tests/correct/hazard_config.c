/* SPDX-License-Identifier: Apache-2.0 */
/* A reader protects what it reads; the writer frees what nobody protects.
 *
 * treadle:
 * expect: verdict complete
 * hand: 0 */
#include <stdatomic.h>

#include "threads.h"

typedef struct config {
    int a, b;
} config;

static _Atomic(config *) current, hazard;

static config *config_new(int a)
{
    config *c = malloc(sizeof *c);
    c->a = a;
    c->b = -a;
    return c;
}

static void *reader(void *arg)
{
    config *c = atomic_load(&current);
    atomic_store(&hazard, c);
    if (atomic_load(&current) == c)
        assert(c->a + c->b == 0);
    atomic_store(&hazard, NULL);
    return arg;
}

static void *writer(void *arg)
{
    config *old = atomic_exchange(&current, config_new(2));
    if (atomic_load(&hazard) != old) {
        free(old);
        old = NULL;
    }
    (void)arg;
    return old;
}

int main(void)
{
    pthread_t r, w;
    void *left;
    atomic_store(&current, config_new(1));
    pthread_create(&r, NULL, reader, NULL);
    pthread_create(&w, NULL, writer, NULL);
    pthread_join(r, NULL);
    pthread_join(w, &left);
    free(left);
    free(atomic_load(&current));
    return 0;
}
