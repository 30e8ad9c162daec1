/* SPDX-License-Identifier: Apache-2.0 */
/* As mem_use_freed_atomic.c, but counted before the thread is there.
 *
 * treadle:
 * expect: runs 3
 * expect: events 9
 * expect: verdict complete
 * treadle: --search=all --leaks
 * expect: runs 3
 * expect: events 18
 * expect: verdict complete
 * hand: 0 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct object {
    atomic_int users;
    int value;
};

static void drop(struct object *o)
{
    if (atomic_fetch_sub(&o->users, 1) == 1)
        free(o);
}

static void *worker(void *arg)
{
    struct object *o = arg;
    int seen = atomic_load(&o->users);
    drop(o);
    return seen ? arg : NULL;
}

int main(void)
{
    pthread_t t;
    struct object *o = malloc(sizeof *o);
    atomic_init(&o->users, 2);
    pthread_create(&t, NULL, worker, o);
    drop(o);
    pthread_join(t, NULL);
    return 0;
}
