/* SPDX-License-Identifier: Apache-2.0 */
/* A thread that is cancelled in a wait takes no signal from the other one.
 *
 * treadle: --search=all
 * expect: runs 30
 * expect: events 43
 * expect: traces 4
 * expect: verdict complete
 * hand: 0
 *
 * treadle:
 * expect: runs 4
 * expect: events 34
 * expect: verdict complete
 * hand: 0 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int tokens;

static void give(void *p)
{
    pthread_mutex_unlock(p);
}

static void *waiter(void *arg)
{
    pthread_mutex_lock(&m);
    pthread_cleanup_push(give, &m);
    while (tokens == 0)
        pthread_cond_wait(&c, &m);
    tokens--;
    pthread_cleanup_pop(1);
    return arg;
}

int main(void)
{
    pthread_t t;
    void *value;
    pthread_create(&t, NULL, waiter, NULL);
    pthread_mutex_lock(&m);
    tokens++;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    pthread_cancel(t);
    pthread_join(t, &value);
    assert(tokens == (value == PTHREAD_CANCELED));
    return 0;
}
