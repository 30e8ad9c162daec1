/* SPDX-License-Identifier: Apache-2.0 */
/* carter: two kinds of users share a resource; the first of a kind takes it, the last one
 * gives it back. Two more threads do nothing.
 *
 * After CS.carter01. Bug: one kind takes the resource while it holds its counter, the other
 * takes its counter while it has the resource. FIXED: both hold the counter first. */
#include "../../programs/common.h"

static pthread_mutex_t count = PTHREAD_MUTEX_INITIALIZER,
                       resource = PTHREAD_MUTEX_INITIALIZER;
static int n_users, n_done;

static void *user(void *arg)
{
    pthread_mutex_lock(&count);
    n_users++;
    if (n_users == 1)
        pthread_mutex_lock(&resource);
    n_users--;
    if (n_users == 0)
        pthread_mutex_unlock(&resource);
    pthread_mutex_unlock(&count);
    return arg;
}

static void *owner(void *arg)
{
#ifdef FIXED
    pthread_mutex_lock(&count);
    pthread_mutex_lock(&resource);
#else
    pthread_mutex_lock(&resource);
    pthread_mutex_lock(&count);
#endif
    n_done++;
    pthread_mutex_unlock(&count);
    pthread_mutex_unlock(&resource);
    return arg;
}

static void *idle(void *arg)
{
    return arg;
}

int main(void)
{
    pthread_t t[4] = {start(user, 0), start(owner, 1), start(idle, 2), start(idle, 3)};
    join_all(t, 4);
    return 0;
}
