/* SPDX-License-Identifier: Apache-2.0 */
/* Each failure needs that those before it stand where they failed; the first one does at once, in
 * the thread's first step.
 *
 * treadle: -k
 * agree: -k --search=all
 * expect: runs 3
 * expect: events 11
 * expect: verdict bug
 * expect: finding assert mask_chain.c:25
 * expect: finding abort mask_chain.c:32
 * expect: finding mutex mask_chain.c:40
 * expect: finding assert mask_chain.c:52
 * expect: ledger cut short mask_chain.c:40 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int x, y;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *at_once(void *arg)
{
    assert(arg != NULL);
    return arg;
}

static void *second(void *arg)
{
    atomic_store(&x, 1);
    abort();
    return arg;
}

static void *third(void *arg)
{
    if (atomic_load(&x) == 1) {
        atomic_store(&y, 1);
        pthread_mutex_unlock(&m);
    }
    return arg;
}

int main(void)
{
    pthread_t t[3];
    pthread_create(&t[0], NULL, at_once, NULL);
    pthread_create(&t[1], NULL, second, NULL);
    pthread_create(&t[2], NULL, third, NULL);
    int seen = atomic_load(&y);
    assert(seen != 1);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    return 0;
}
