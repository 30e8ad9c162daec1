/* SPDX-License-Identifier: Apache-2.0 */
/* The lock of a stream is recursive, and another thread finds it busy; who forgets to look races.
 *
 * treadle: -k
 * expect: finding race flock_try.c:17 flock_try.c:26
 * expect: verdict bug */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static int x;

static void *hold(void *arg)
{
    flockfile(stderr);
    assert(ftrylockfile(stderr) == 0);
    x = 1;
    funlockfile(stderr);
    funlockfile(stderr);
    return arg;
}

static void *try_it(void *arg)
{
    int busy = ftrylockfile(stderr);
    x = 2;
    if (!busy)
        funlockfile(stderr);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, hold, NULL);
    pthread_create(&b, NULL, try_it, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
