/* SPDX-License-Identifier: Apache-2.0 */
/* A store and two loads that nothing orders have four traces: which of the loads come before the
 * store. The search flip never runs the one in which only the last thread's load does
 * (docs/search.md), and the assertion fails in no other.
 *
 * treadle: --search=flip --goal=traces -k
 * expect: runs 3
 * expect: traces 3
 * expect: verdict incomplete
 * expect: ledger goal
 *
 * treadle: --search=dpor --goal=traces -k
 * agree: --search=all -k
 * expect: runs 4
 * expect: traces 4
 * expect: verdict bug
 * expect: finding assert flip_gap.c:49
 *
 * treadle: --goal=states -k
 * expect: verdict bug
 * expect: finding assert flip_gap.c:49 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;
static int seen[2];

static void *store(void *arg)
{
    atomic_store(&x, 1);
    return arg;
}

static void *load(void *arg)
{
    *(int *)arg = atomic_load(&x);
    return NULL;
}

int main(void)
{
    pthread_t t[3];
    pthread_create(&t[0], NULL, store, NULL);
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i + 1], NULL, load, &seen[i]);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    assert(!(seen[0] == 1 && seen[1] == 0));
    return 0;
}
