/* SPDX-License-Identifier: Apache-2.0 */
/* fix: section
 * edit
 * idea: hold the lock, or an atomic addition */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int hits;

static void *work(void *arg)
{
    hits++;
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(hits == 2);
    return 0;
}
