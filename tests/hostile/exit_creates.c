/* SPDX-License-Identifier: Apache-2.0 */
/* Threads at exit: a handler creates one and joins it, another leaves one behind.
 *
 * treadle: --search=all -k --time=20s
 * verdict: complete
 * runs: 2
 * lost: no */
#include "hostile.h"

static atomic_int n;

static void *late(void *arg)
{
    atomic_fetch_add(&n, 1);
    return arg;
}

static void joins(void)
{
    pthread_t t;
    pthread_create(&t, NULL, late, NULL);
    pthread_join(t, NULL);
}

static void leaves(void)
{
    pthread_t t;
    pthread_create(&t, NULL, late, NULL);
    pthread_detach(t);
}

static void evil(void)
{
    atexit(leaves);
    atexit(joins);
    exit(0);
}
