/* SPDX-License-Identifier: Apache-2.0 */
/* Handlers that set the type of cancellation as well.
 *
 * treadle: --search=all
 * expect: runs 1
 * expect: events 7
 * expect: traces 1
 * expect: verdict complete
 * hand: 0
 *
 * treadle:
 * expect: runs 1
 * expect: events 2
 * expect: verdict complete
 * hand: 0 */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int n;

static void leave(void *p)
{
    n++;
    assert(p == &n);
}

static void *worker(void *arg)
{
    int type;
    pthread_cleanup_push_defer_np(leave, &n);
    pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &type);
    assert(type == PTHREAD_CANCEL_DEFERRED);
    if (arg)
        pthread_exit(arg);
    pthread_cleanup_pop_restore_np(1);
    pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &type);
    assert(type == PTHREAD_CANCEL_ASYNCHRONOUS);
    return NULL;
}

static void *start(void *arg)
{
    int type;
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &type);
    assert(type == PTHREAD_CANCEL_DEFERRED);
    return worker(arg);
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, start, NULL);
    pthread_join(a, NULL);
    pthread_create(&b, NULL, start, &n);
    pthread_join(b, NULL);
    assert(n == 2);
    return 0;
}
