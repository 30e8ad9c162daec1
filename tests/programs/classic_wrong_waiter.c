/* SPDX-License-Identifier: Apache-2.0 */
/* One condition for producers and consumers, and a change wakes one: perhaps one who can do
 * nothing with it. FIXED: it wakes all.
 *
 * treadle:
 * expect: verdict bug
 * expect: finding deadlock classic_wrong_waiter.c:25
 *
 * treadle:
 * cflags: -DFIXED
 * expect: verdict complete
 * hand: 0 */
#include <pthread.h>
#include <stdint.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int is_full;

/* Makes the place full or empty. */
static void change(int to)
{
    pthread_mutex_lock(&lock);
    while (is_full == to)
        pthread_cond_wait(&changed, &lock);
    is_full = to;
#ifdef FIXED
    pthread_cond_broadcast(&changed);
#else
    pthread_cond_signal(&changed);
#endif
    pthread_mutex_unlock(&lock);
}

/* Two consumers, and one producer for both. */
static void *worker(void *arg)
{
    if ((intptr_t)arg < 2) {
        change(0);
    } else {
        change(1);
        change(1);
    }
    return NULL;
}

int main(void)
{
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, worker, (void *)(intptr_t)i);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    return 0;
}
