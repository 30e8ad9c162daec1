/* SPDX-License-Identifier: Apache-2.0 */
/* Objects on the stack come and go without being destroyed.
 *
 * treadle: -k
 * expect: runs 1
 * expect: events 8
 * expect: verdict complete
 *
 * treadle: --search=all -k
 * expect: runs 1
 * expect: events 9
 * expect: verdict complete */
#include <pthread.h>
#include <semaphore.h>

static void __attribute__((noinline)) with_mutex(void)
{
    pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
}

static void __attribute__((noinline)) with_sem(void)
{
    sem_t s;
    sem_init(&s, 0, 1);
    sem_wait(&s);
}

int main(void)
{
    for (int i = 0; i < 2; i++) {
        with_mutex();
        with_sem();
    }
    return 0;
}
