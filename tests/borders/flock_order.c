/* SPDX-License-Identifier: Apache-2.0 */
/* Locks of two streams in two orders.
 *
 * treadle:
 * expect: finding deadlock
 * expect: verdict bug */
#include <pthread.h>
#include <stdio.h>

static void *forth(void *arg)
{
    flockfile(stdout);
    flockfile(stderr);
    funlockfile(stderr);
    funlockfile(stdout);
    return arg;
}

static void *back(void *arg)
{
    flockfile(stderr);
    flockfile(stdout);
    funlockfile(stdout);
    funlockfile(stderr);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, forth, NULL);
    pthread_create(&b, NULL, back, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
