/* SPDX-License-Identifier: Apache-2.0 */
/* fix: section
 * edit
 * idea: fetch_add, or a lock over both */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int next = 1, sum;

static void *work(void *arg)
{
    int mine = atomic_load(&next);
    atomic_store(&next, mine + 1);
    atomic_fetch_add(&sum, mine);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(sum == 3);
    return 0;
}
