/* SPDX-License-Identifier: Apache-2.0 */
/* reorder [THREADS]: all threads but one set two numbers, the last one looks at both.
 *
 * After CS.reorder_3 to 20. Bug: it can look when one of them is set, but only before any
 * other thread has come that far; the more of them, the fewer schedules. FIXED: a lock. */
#include <assert.h>
#include <stdatomic.h>

#include "../../programs/common.h"

enum { MOST = 128 };

static atomic_int a, b;
#ifdef FIXED
static pthread_mutex_t both = PTHREAD_MUTEX_INITIALIZER;
#endif

static void enter(void)
{
#ifdef FIXED
    pthread_mutex_lock(&both);
#endif
}

static void leave_both(void)
{
#ifdef FIXED
    pthread_mutex_unlock(&both);
#endif
}

static void *set(void *arg)
{
    enter();
    atomic_store(&a, 1);
    atomic_store(&b, -1);
    leave_both();
    return arg;
}

static void *look(void *arg)
{
    enter();
    int seen_a = atomic_load(&a), seen_b = atomic_load(&b);
    leave_both();
    assert(seen_a + seen_b == 0);
    return arg;
}

int main(int argc, char **argv)
{
    pthread_t t[MOST];
    int n = size_arg(argc, argv, 1, 3, MOST);
    start_all(t, n - 1, set);
    t[n - 1] = start(look, n - 1);
    join_all(t, n);
    return 0;
}
