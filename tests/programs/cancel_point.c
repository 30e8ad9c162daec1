/* SPDX-License-Identifier: Apache-2.0 */
/* A thread is cancelled at one of its cancellation points, or at none.
 *
 * treadle: --search=all
 * expect: runs 13
 * expect: events 27
 * expect: traces 3
 * expect: verdict complete
 * hand: 0
 *
 * treadle:
 * expect: runs 3
 * expect: events 18
 * expect: verdict complete
 * hand: 0
 *
 * treadle:
 * cflags: -fexceptions
 * expect: runs 3
 * expect: events 18
 * expect: verdict complete
 * hand: 0 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int n;
static int left;

static void leave(void *p)
{
    *(int *)p += 1;
}

static void *worker(void *arg)
{
    pthread_cleanup_push(leave, &left);
    atomic_fetch_add(&n, 1);
    pthread_testcancel();
    atomic_fetch_add(&n, 1);
    pthread_testcancel();
    atomic_fetch_add(&n, 1);
    pthread_cleanup_pop(0);
    return arg;
}

int main(void)
{
    pthread_t t;
    void *value;
    pthread_create(&t, NULL, worker, NULL);
    int rc = pthread_cancel(t);
    assert(rc == 0);
    pthread_join(t, &value);
    if (value == PTHREAD_CANCELED)
        assert(left == 1 && (n == 1 || n == 2));
    else
        assert(left == 0 && n == 3 && value == NULL);
    return 0;
}
