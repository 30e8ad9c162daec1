/* SPDX-License-Identifier: Apache-2.0 */
/* Two threads wait at one condition variable with different mutexes.
 *
 * treadle: -k --spurious=0
 * expect: runs 2
 * expect: events 10
 * expect: verdict bug
 * expect: finding misuse cond_two_mutexes.c:24
 *
 * treadle: --search=all -k --spurious=0
 * expect: runs 25
 * expect: events 10
 * expect: verdict bug
 * expect: finding misuse cond_two_mutexes.c:24 */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

static void *wait_for_it(void *arg)
{
    pthread_mutex_t *mine = arg;
    pthread_mutex_lock(mine);
    pthread_cond_wait(&c, mine);
    pthread_mutex_unlock(mine);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, wait_for_it, &m);
    pthread_create(&b, NULL, wait_for_it, &n);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
