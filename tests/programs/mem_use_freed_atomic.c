/* SPDX-License-Identifier: Apache-2.0 */
/* The count of users is itself part of the block: it is raised after the last user has gone.
 *
 * treadle:
 * expect: verdict bug
 * expect: finding memory mem_use_freed_atomic.c:23
 * expect: says in a block of 8 bytes freed at mem_use_freed_atomic.c:31 by main
 * treadle: --search=all
 * expect: verdict bug
 * expect: finding memory mem_use_freed_atomic.c:23 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct object {
    atomic_int users;
    int value;
};

static void *worker(void *arg)
{
    struct object *o = arg;
    atomic_fetch_add(&o->users, 1);
    atomic_fetch_sub(&o->users, 1);
    return NULL;
}

static void drop(struct object *o)
{
    if (atomic_fetch_sub(&o->users, 1) == 1)
        free(o);
}

int main(void)
{
    pthread_t t;
    struct object *o = malloc(sizeof *o);
    atomic_init(&o->users, 1);
    pthread_create(&t, NULL, worker, o);
    drop(o);
    pthread_join(t, NULL);
    return 0;
}
