/* SPDX-License-Identifier: Apache-2.0 */
/* The last reference to be dropped looks at what all did.
 *
 * treadle:
 * expect: verdict complete
 * expect: runs 2
 * expect: events 5
 * treadle: --search=all
 * expect: verdict complete
 * expect: runs 2
 * expect: events 11
 * expect: traces 2
 * hand: 0 */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int references = 2;
static int used[2];
static volatile int sink;

static void drop(int who)
{
    used[who] = 1;
    if (atomic_fetch_sub_explicit(&references, 1, memory_order_acq_rel) == 1)
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
