/* SPDX-License-Identifier: Apache-2.0 */
/* fix: section
 * edit
 * traces
 * idea: one section, or atomic_fetch_add, in each round of the loop */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int total;
#ifdef FIXED
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
#endif

static void *count(void *arg)
{
    for (int i = 0; i < 2; i++) {
#ifdef FIXED
        pthread_mutex_lock(&lock);
#endif
        int now = atomic_load(&total);
        atomic_store(&total, now + 1);
#ifdef FIXED
        pthread_mutex_unlock(&lock);
#endif
    }
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, count, NULL);
    pthread_create(&b, NULL, count, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(atomic_load(&total) == 4);
    return 0;
}
