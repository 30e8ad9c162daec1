/* SPDX-License-Identifier: Apache-2.0 */
/* Missed signal: there is nothing to look at, so a signal that comes before the wait leaves
 * no trace. FIXED: a flag.
 *
 * treadle:
 * expect: verdict bug
 * expect: finding deadlock classic_missed_signal.c:39
 *
 * treadle:
 * cflags: -DFIXED
 * expect: verdict complete
 * hand: 0 */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int is_signalled;

static void *waker(void *arg)
{
    pthread_mutex_lock(&lock);
    is_signalled = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    return arg;
}

static int must_wait(void)
{
#ifdef FIXED
    return !is_signalled;
#else
    return 1;
#endif
}

static void wait_once(void)
{
    pthread_cond_wait(&changed, &lock);
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, waker, NULL);
    pthread_mutex_lock(&lock);
    if (must_wait())
        wait_once();
    pthread_mutex_unlock(&lock);
    pthread_join(a, NULL);
    return 0;
}
