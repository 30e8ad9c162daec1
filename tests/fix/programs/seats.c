/* SPDX-License-Identifier: Apache-2.0 */
/* fix: section
 * edit
 * held out
 * idea: compare-exchange, or a lock over the test and the addition */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define MOST 1
static atomic_int taken;

static void *enter(void *arg)
{
    if (atomic_load(&taken) < MOST) {
        int n = atomic_fetch_add(&taken, 1) + 1;
        assert(n <= MOST);
    }
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, enter, NULL);
    pthread_create(&b, NULL, enter, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
