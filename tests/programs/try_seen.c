/* SPDX-License-Identifier: Apache-2.0 */
/* What a round stored that came to nothing is seen by another thread before it is written over: this
 * round cannot be left out.
 *
 * treadle:
 * expect: finding assert try_seen.c:36
 * expect: verdict bug
 *
 * treadle: --search=all
 * expect: finding assert try_seen.c:36
 * expect: verdict bug */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int top, box;

static void *tries(void *arg)
{
    int old;
    do {
        old = top;
        box = old + 1;
    } while (!atomic_compare_exchange_strong(&top, &old, old + 1));
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, tries, NULL);
    top = 10;
    int seen = box;
    pthread_join(t, NULL);
    assert(seen != 1 || top != 11);
    return 0;
}
