/* SPDX-License-Identifier: Apache-2.0 */
/* The first member of the structure is its mutex, at the same address: marks and locks are apart.
 * Two structures, operations of one inside those of the other; each has its own history.
 *
 * treadle: -k
 * expect: runs 26
 * expect: events 136
 * expect: verdict complete
 * treadle: -k
 * cflags: -DBUG
 * expect: finding linear linear_first.c:58
 * expect: finding linear linear_first.c:59
 * expect: runs 122
 * expect: events 716
 * expect: verdict bug */
#include <pthread.h>
#include <string.h>
#include <treadle.h>

static struct account {
    pthread_mutex_t lock;
    int balance;
} from = {PTHREAD_MUTEX_INITIALIZER, 10}, to = {PTHREAD_MUTEX_INITIALIZER, 0};

static int step(void *state, const struct treadle_call *call, uint64_t *result)
{
    int *balance = state;
    *balance += (int)call->arg[0];
    *result = (uint64_t)*balance;
    return 1;
}

static void ten(void *state)
{
    *(int *)state = 10;
}

static int add(struct account *a, int amount)
{
    pthread_mutex_lock(&a->lock);
#ifdef BUG
    int balance = a->balance;
    pthread_mutex_unlock(&a->lock);
    pthread_mutex_lock(&a->lock);
    a->balance = balance;
#endif
    int now = a->balance += amount;
    pthread_mutex_unlock(&a->lock);
    return now;
}

static void *move(void *arg)
{
    treadle_op_begin(&from, "add", -1);
    int left = add(&from, -1);
    treadle_op_begin(&to, "add", 1);
    int there = add(&to, 1);
    treadle_op_end(&to, there);
    treadle_op_end(&from, left);
    return arg;
}

int main(void)
{
    static const struct treadle_spec full = {sizeof(int), ten, step};
    static const struct treadle_spec empty = {sizeof(int), NULL, step};
    pthread_t a, b;
    treadle_specify(&from, &full);
    treadle_specify(&to, &empty);
    pthread_create(&a, NULL, move, NULL);
    pthread_create(&b, NULL, move, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
