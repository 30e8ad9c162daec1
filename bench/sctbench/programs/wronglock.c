/* SPDX-License-Identifier: Apache-2.0 */
/* wronglock [OTHERS]: one thread adds under its lock and looks whether that is all that
 * happened; the others add as well.
 *
 * After CS.wronglock (7 others) and "wronglock_3". Bug: the others use another lock. FIXED:
 * the same one. */
#include <assert.h>
#include <stdatomic.h>

#include "../../programs/common.h"

enum { MOST = 16 };

static pthread_mutex_t lock[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static atomic_int data;

static void *careful(void *arg)
{
    pthread_mutex_lock(&lock[0]);
    int before = atomic_load(&data);
    atomic_fetch_add(&data, 1);
    int after = atomic_load(&data);
    assert(after == before + 1);
    pthread_mutex_unlock(&lock[0]);
    return arg;
}

static void *other(void *arg)
{
#ifdef FIXED
    pthread_mutex_t *mine = &lock[0];
#else
    pthread_mutex_t *mine = &lock[1];
#endif
    pthread_mutex_lock(mine);
    atomic_fetch_add(&data, 1);
    pthread_mutex_unlock(mine);
    return arg;
}

int main(int argc, char **argv)
{
    pthread_t t[MOST + 1];
    int n = size_arg(argc, argv, 1, 3, MOST);
    t[n] = start(careful, n);
    start_all(t, n, other);
    join_all(t, n + 1);
    return 0;
}
