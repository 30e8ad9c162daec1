/* SPDX-License-Identifier: Apache-2.0 */
/* A thread registers a handler while main returns: it is called if it comes in time.
 *
 * treadle:
 * expect: verdict bug
 * expect: finding assert exit_late.c:17
 *
 * treadle: --search=all
 * expect: verdict bug
 * expect: finding assert exit_late.c:17 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static void handler(void)
{
    assert(!"called");
}

static void *body(void *arg)
{
    atexit(handler);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, body, NULL);
    return 0;
}
