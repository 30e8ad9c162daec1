/* SPDX-License-Identifier: Apache-2.0 */
/* Other threads go on while handlers and destructors run, and see what these do.
 *
 * treadle:
 * expect: verdict bug
 * expect: finding assert exit_others.c:33
 *
 * treadle:
 * cflags: -DDESTRUCTOR
 * expect: verdict bug
 * expect: finding assert exit_others.c:33
 *
 * treadle: --search=all
 * expect: verdict bug
 * expect: finding assert exit_others.c:33 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int a;

#ifdef DESTRUCTOR
__attribute__((destructor))
#endif
static void
handler(void)
{
    atomic_store(&a, 2);
}
static void *see(void *arg)
{
    assert(atomic_load(&a) != 2);
    return arg;
}

int main(void)
{
    pthread_t t;
#ifndef DESTRUCTOR
    atexit(handler);
#endif
    pthread_create(&t, NULL, see, NULL);
    return 0;
}
