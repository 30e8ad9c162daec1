/* SPDX-License-Identifier: Apache-2.0 */
/* arithmetic [N]: a sender passes 1 to N through a slot, a receiver adds them up.
 *
 * After CS.arithmetic_prog. Bug: the receiver stops one number early, in every schedule. */
#include <assert.h>

#include "../../programs/common.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int slot, n, total;

/* 0 is an empty slot: nothing that is sent. */
static void put(int value)
{
    pthread_mutex_lock(&lock);
    while (slot != 0)
        pthread_cond_wait(&changed, &lock);
    slot = value;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
}

static int get(void)
{
    pthread_mutex_lock(&lock);
    while (slot == 0)
        pthread_cond_wait(&changed, &lock);
    int value = slot;
    slot = 0;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    return value;
}

static void *send_all(void *arg)
{
    for (int i = 1; i <= n; i++)
        put(i);
    return arg;
}

static void *add_up(void *arg)
{
#ifdef FIXED
    int last = n;
#else
    int last = n - 1;
#endif
    for (int i = 1; i <= last; i++)
        total += get();
    return arg;
}

int main(int argc, char **argv)
{
    n = size_arg(argc, argv, 1, 3, 100);
    pthread_t t[2] = {start(send_all, 0), start(add_up, 1)};
    join_all(t, 2);
    assert(total == n * (n + 1) / 2);
    return 0;
}
