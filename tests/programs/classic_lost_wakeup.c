/* SPDX-License-Identifier: Apache-2.0 */
/* Lost wakeup: the waiter reads the flag before it has the lock; between the read and the
 * wait the flag is set and the signal sent. FIXED: it reads under the lock.
 *
 * treadle:
 * expect: verdict bug
 * expect: finding deadlock classic_lost_wakeup.c:39
 *
 * treadle:
 * cflags: -DFIXED
 * expect: verdict complete
 * hand: 0 */
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static atomic_int is_ready;

static void *waker(void *arg)
{
    pthread_mutex_lock(&lock);
    atomic_store(&is_ready, 1);
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    return arg;
}

static void *waiter(void *arg)
{
#ifdef FIXED
    pthread_mutex_lock(&lock);
    while (!atomic_load(&is_ready))
        pthread_cond_wait(&changed, &lock);
#else
    int seen = atomic_load(&is_ready);
    pthread_mutex_lock(&lock);
    if (!seen)
        pthread_cond_wait(&changed, &lock);
#endif
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, waker, NULL);
    pthread_create(&b, NULL, waiter, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
