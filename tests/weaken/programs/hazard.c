/* SPDX-License-Identifier: Apache-2.0 */
/* A hazard pointer: a reader names what it is about to use, and whoever takes that out frees it only if
 * nobody has named it. */
#include "orders.h"

#include <stdlib.h>

static _Atomic(int *) shared;
static _Atomic(int *) hazard;

__attribute__((constructor)) static void make(void)
{
    int *made = malloc(sizeof *made);
    *made = 7;
    atomic_init(&shared, made);
}

static void *one(void *p)
{
    int *seen = atomic_load_explicit(&shared, RLX);
    /* weaken: store release fails */
    atomic_store(&hazard, seen);
    /* weaken: load acquire fails */
    if (atomic_load(&shared) == seen && seen)
        assert(*seen == 7);
    /* weaken: store relaxed fails */
    atomic_store_explicit(&hazard, NULL, REL);
    return p;
}

static void *two(void *p)
{
    /* weaken: rmw acq_rel fails */
    int *old = atomic_exchange(&shared, NULL);
    /* weaken: load acquire fails */
    if (atomic_load(&hazard) != old)
        free(old);
    return p;
}

static void check(void)
{
}
