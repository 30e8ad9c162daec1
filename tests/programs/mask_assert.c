/* SPDX-License-Identifier: Apache-2.0 */
/* A thread that always fails after its store does not hide what another one makes of the store.
 *
 * treadle: -k
 * expect: runs 2
 * expect: events 6
 * expect: verdict bug
 * expect: finding assert mask_assert.c:59
 * expect: finding assert mask_assert.c:66
 *
 * treadle: --search=all -k
 * expect: runs 3
 * expect: traces 2
 * expect: verdict bug
 * expect: finding assert mask_assert.c:59
 * expect: finding assert mask_assert.c:66
 *
 * treadle: --goal=traces -k
 * expect: runs 2
 * expect: traces 2
 * expect: verdict bug
 * expect: finding assert mask_assert.c:59
 * expect: finding assert mask_assert.c:66
 *
 * treadle: --search=dpor -k
 * expect: runs 2
 * expect: traces 2
 * expect: verdict bug
 * expect: finding assert mask_assert.c:59
 * expect: finding assert mask_assert.c:66
 *
 * treadle: --goal=branches -k
 * expect: verdict bug
 * expect: finding assert mask_assert.c:59
 * expect: finding assert mask_assert.c:66
 *
 * treadle: --search=pct --runs=50 -k
 * expect: runs 50
 * expect: verdict bug
 * expect: finding assert mask_assert.c:59
 * expect: finding assert mask_assert.c:66
 * expect: ledger runs
 *
 * treadle: --search=random --runs=50 -k
 * expect: runs 50
 * expect: verdict bug
 * expect: finding assert mask_assert.c:59
 * expect: finding assert mask_assert.c:66
 * expect: ledger runs */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *first(void *arg)
{
    atomic_store(&x, 1);
    assert(!"never");
    return arg;
}

static void *second(void *arg)
{
    int seen = atomic_load(&x);
    assert(seen != 1);
    return arg;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, first, NULL);
    pthread_create(&t[1], NULL, second, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
