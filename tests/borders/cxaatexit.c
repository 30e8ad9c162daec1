/* SPDX-License-Identifier: Apache-2.0 */
/* A handler of at_quick_exit sees what a thread was about to change.
 *
 * treadle:
 * expect: verdict bug
 * expect: finding assert cxaatexit.c:24
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int x;

static void *set(void *p)
{
    atomic_store(&x, 1);
    atomic_store(&x, 2);
    return p;
}

static void fin(void)
{
    assert(atomic_load(&x) != 1);
}

int main(void)
{
    at_quick_exit(fin);
    pthread_t t;
    pthread_create(&t, 0, set, 0);
    pthread_detach(t);
    quick_exit(0);
}
