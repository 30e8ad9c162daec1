/* SPDX-License-Identifier: Apache-2.0 */
/* Static initialisers of the other types, and attributes.
 *
 * treadle: --search=all
 * expect: runs 1
 * expect: verdict complete
 * hand: 0 */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t r = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_mutex_t a = PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP;

static void check(int want, int got)
{
    assert(want == got);
}

int main(void)
{
    check(0, pthread_mutex_lock(&r));
    check(0, pthread_mutex_lock(&r));
    check(0, pthread_mutex_unlock(&r));
    check(0, pthread_mutex_unlock(&r));

    check(0, pthread_mutex_lock(&a));
    check(EBUSY, pthread_mutex_trylock(&a));
    check(0, pthread_mutex_unlock(&a));

    pthread_mutexattr_t attr;
    int type;
    check(0, pthread_mutexattr_init(&attr));
    check(0, pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_ERRORCHECK));
    check(0, pthread_mutexattr_gettype(&attr, &type));
    check(PTHREAD_MUTEX_ERRORCHECK, type);

    pthread_mutex_t *m = malloc(sizeof *m);
    check(0, pthread_mutex_init(m, &attr));
    check(0, pthread_mutexattr_destroy(&attr));
    check(0, pthread_mutex_lock(m));
    check(EDEADLK, pthread_mutex_lock(m));
    check(0, pthread_mutex_unlock(m));
    check(0, pthread_mutex_destroy(m));
    check(0, pthread_mutex_init(m, NULL));
    check(0, pthread_mutex_lock(m));
    check(0, pthread_mutex_unlock(m));
    check(0, pthread_mutex_destroy(m));
    free(m);
    return 0;
}
