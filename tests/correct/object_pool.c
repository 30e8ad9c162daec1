/* SPDX-License-Identifier: Apache-2.0 */
/* Objects come from a free list under a lock and go back to it.
 *
 * treadle:
 * expect: verdict complete
 * hand: 0 */
#include "threads.h"

typedef struct object {
    struct object *next;
    int owner;
} object;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static object objects[2] = {{&objects[1], 0}, {NULL, 0}}, *first = objects;

static object *take(void)
{
    pthread_mutex_lock(&lock);
    object *o = first;
    if (o)
        first = o->next;
    pthread_mutex_unlock(&lock);
    return o;
}

static void give(object *o)
{
    pthread_mutex_lock(&lock);
    o->next = first;
    first = o;
    pthread_mutex_unlock(&lock);
}

static void *worker(void *arg)
{
    object *o = take();
    if (!o)
        return arg;
    o->owner = number_of(arg);
    assert(o->owner == number_of(arg));
    give(o);
    return arg;
}

int main(void)
{
    run_threads(3, worker);
    assert(first && first->next && !first->next->next);
    return 0;
}
