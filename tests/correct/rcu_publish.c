/* SPDX-License-Identifier: Apache-2.0 */
/* A structure is filled, then published; readers see all of it or none.
 *
 * treadle:
 * expect: verdict complete
 * hand: 0 */
#include <stdatomic.h>

#include "threads.h"

typedef struct route {
    int from, to;
    struct route *next;
} route;

static _Atomic(route *) routes;

static void *worker(void *arg)
{
    if (number_of(arg) == 0) {
        for (int i = 1; i <= 2; i++) {
            route *r = malloc(sizeof *r);
            r->from = i;
            r->to = 10 * i;
            r->next = atomic_load_explicit(&routes, memory_order_relaxed);
            atomic_store_explicit(&routes, r, memory_order_release);
        }
        return arg;
    }
    for (route *r = atomic_load_explicit(&routes, memory_order_acquire); r; r = r->next)
        assert(r->to == 10 * r->from);
    return arg;
}

int main(void)
{
    run_threads(3, worker);
    for (route *r = atomic_load(&routes), *next; r; r = next) {
        next = r->next;
        free(r);
    }
    return 0;
}
