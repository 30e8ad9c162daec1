/* SPDX-License-Identifier: Apache-2.0 */
/* A thread with a small stack takes a gigabyte of it, and writes at its far end.
 *
 * treadle: --search=all -k --time=20s
 * verdict: bug
 * runs: 2 */
#include "hostile.h"

static volatile char *volatile kept;

static void *thread(void *arg)
{
    kept = __builtin_alloca((size_t)1 << 30);
    kept[0] = 1;
    return arg;
}

static void evil(void)
{
    pthread_attr_t small;
    pthread_t t;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 65536);
    pthread_create(&t, &small, thread, NULL);
    pthread_join(t, NULL);
}
