/* SPDX-License-Identifier: Apache-2.0 */
/* swsq [ITEMS [STEALS]]: a work-stealing queue where everybody takes the lock.
 *
 * After CHESS.SWSQ. Bug: a thief looks whether there is anything before it takes the lock,
 * and not again under it. FIXED: under the lock. */
#include "stealing.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int head, tail;
static int item[MOST_ITEMS];

static int is_empty(void)
{
    return atomic_load(&head) >= atomic_load(&tail);
}

static void push(int value)
{
    pthread_mutex_lock(&lock);
    int t = atomic_load(&tail);
    item[t] = value;
    atomic_store(&tail, t + 1);
    pthread_mutex_unlock(&lock);
}

static int pop(void)
{
    int value = NOTHING;
    pthread_mutex_lock(&lock);
    if (!is_empty()) {
        int t = atomic_fetch_sub(&tail, 1);
        value = item[t - 1];
    }
    pthread_mutex_unlock(&lock);
    return value;
}

static int steal_first(void)
{
    int h = atomic_fetch_add(&head, 1);
    return item[h];
}

#ifdef FIXED
static int steal(void)
{
    pthread_mutex_lock(&lock);
    int value = is_empty() ? NOTHING : steal_first();
    pthread_mutex_unlock(&lock);
    return value;
}
#else
static int steal(void)
{
    if (is_empty())
        return NOTHING;
    pthread_mutex_lock(&lock);
    int value = steal_first();
    pthread_mutex_unlock(&lock);
    return value;
}
#endif

int main(int argc, char **argv)
{
    test.push = push;
    test.pop = pop;
    test.steal = steal;
    return try_stealing(argc, argv);
}
