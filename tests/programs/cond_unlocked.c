/* SPDX-License-Identifier: Apache-2.0 */
/* The flag is set without the mutex: between the look at it and the wait.
 *
 * treadle: -k
 * expect: runs 3
 * expect: events 19
 * expect: verdict bug
 * expect: finding deadlock cond_unlocked.c:26
 *
 * treadle: --search=all -k
 * expect: runs 35
 * expect: events 30
 * expect: verdict bug
 * expect: finding deadlock cond_unlocked.c:26 */
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static atomic_int ready;

static void *wait_for_it(void *arg)
{
    pthread_mutex_lock(&m);
    while (!ready)
        pthread_cond_wait(&c, &m);
    pthread_mutex_unlock(&m);
    return arg;
}

static void *give_it(void *arg)
{
    ready = 1;
    pthread_cond_signal(&c);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, wait_for_it, NULL);
    pthread_create(&b, NULL, give_it, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
