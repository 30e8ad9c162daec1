/* SPDX-License-Identifier: Apache-2.0 */
/* wsq [ITEMS [STEALS]]: a work-stealing queue with a lock for thieves; the owner needs it
 * only when the last item is in doubt (the THE protocol).
 *
 * After CHESS.WSQ. Bug: the owner looks at the head before it has drawn back the tail, so a
 * thief can take the same item. FIXED: the tail first. */
#include "stealing.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int head, tail, item[MOST_ITEMS];

static void push(int value)
{
    int t = atomic_load(&tail);
    atomic_store(&item[t], value);
    atomic_store(&tail, t + 1);
}

static int pop_in_doubt(int t)
{
    pthread_mutex_lock(&lock);
    int is_there = atomic_load(&head) <= t;
    if (!is_there)
        atomic_store(&tail, t + 1);
    pthread_mutex_unlock(&lock);
    return is_there ? atomic_load(&item[t]) : NOTHING;
}

static int pop(void)
{
    int t = atomic_load(&tail) - 1;
#ifdef FIXED
    atomic_store(&tail, t);
    int h = atomic_load(&head);
#else
    int h = atomic_load(&head);
    atomic_store(&tail, t);
#endif
    return h > t ? pop_in_doubt(t) : atomic_load(&item[t]);
}

static int steal(void)
{
    pthread_mutex_lock(&lock);
    int h = atomic_load(&head);
    atomic_store(&head, h + 1);
    int is_there = h < atomic_load(&tail);
    if (!is_there)
        atomic_store(&head, h);
    int value = is_there ? atomic_load(&item[h]) : NOTHING;
    pthread_mutex_unlock(&lock);
    return value;
}

int main(int argc, char **argv)
{
    test.push = push;
    test.pop = pop;
    test.steal = steal;
    return try_stealing(argc, argv);
}
