/* SPDX-License-Identifier: Apache-2.0 */
/* References dropped with relaxed order.
 *
 * treadle:
 * expect: verdict bug
 * expect: finding race race_references.c:19 race_references.c:21
 * treadle: --search=all
 * expect: verdict bug
 * expect: finding race race_references.c:19 race_references.c:21 */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int references = 2;
static int used[2];
static volatile int sink;

static void drop(int who)
{
    used[who] = 1;
    if (atomic_fetch_sub_explicit(&references, 1, memory_order_relaxed) == 1)
        sink = used[0] + used[1];
}

static void *worker(void *arg)
{
    drop(1);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    drop(0);
    pthread_join(t, NULL);
    return 0;
}
