/* SPDX-License-Identifier: Apache-2.0 */
/* Twenty threads one after the other, each joined before the next one starts: the counter.
 * treadle:
 * expect: runs 1
 * expect: verdict complete */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *w(void *p)
{
    atomic_fetch_add(&x, 1);
    return p;
}

int main(void)
{
    for (int i = 0; i < 20; i++) {
        pthread_t t;
        pthread_create(&t, 0, w, 0);
        pthread_join(t, 0);
    }
    assert(x == 20);
    return 0;
}
