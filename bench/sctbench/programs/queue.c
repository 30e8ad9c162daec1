/* SPDX-License-Identifier: Apache-2.0 */
/* queue [N]: one thread puts N numbers into a queue, another takes N out.
 *
 * After CS.queue. Bug: two flags say whose turn it is, and the putter gives the turn away
 * before it has put. FIXED: what the queue holds decides, under the lock. */
#include <assert.h>
#include <stdatomic.h>

#include "../../programs/common.h"

enum { MOST = 8 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int may_put = 1, may_take;
static int item[MOST], head, tail, n;

static void put(int value)
{
    pthread_mutex_lock(&lock);
    item[tail++] = value;
    pthread_mutex_unlock(&lock);
}

static void take(void)
{
    pthread_mutex_lock(&lock);
#ifdef FIXED
    int is_empty = head == tail;
#else
    int is_empty = 0;
#endif
    if (!is_empty) {
        assert(head < tail);
        head++;
    }
    pthread_mutex_unlock(&lock);
}

static void *putter(void *arg)
{
    for (int i = 0; i < n; i++)
        if (atomic_load(&may_put)) {
            atomic_store(&may_take, 1);
            put(i);
            atomic_store(&may_put, 0);
        }
    return arg;
}

static void *taker(void *arg)
{
    for (int i = 0; i < n; i++)
        if (atomic_load(&may_take)) {
            take();
            atomic_store(&may_put, 1);
            atomic_store(&may_take, 0);
        }
    return arg;
}

int main(int argc, char **argv)
{
    n = size_arg(argc, argv, 1, 3, MOST);
    pthread_t t[2] = {start(putter, 0), start(taker, 1)};
    join_all(t, 2);
    return 0;
}
