/* SPDX-License-Identifier: Apache-2.0 */
/* Unmaps the stack of a thread that waits.
 *
 * treadle: --search=all -k --time=20s
 * verdict: bug incomplete
 * runs: 2 */
#include "hostile.h"

#include <stdint.h>
#include <sys/mman.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static _Atomic(char *) stack;

static void *waits(void *arg)
{
    char here;
    atomic_store(&stack, &here);
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    return arg;
}

static void evil(void)
{
    pthread_t t;
    pthread_mutex_lock(&m);
    pthread_create(&t, NULL, waits, NULL);
    uintptr_t at = (uintptr_t)atomic_load(&stack) & ~UINT64_C(4095);
    if (at)
        munmap((void *)(at - 16384), 32768);
    pthread_mutex_unlock(&m);
    pthread_join(t, NULL);
}
