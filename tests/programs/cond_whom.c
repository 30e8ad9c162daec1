/* SPDX-License-Identifier: Apache-2.0 */
/* Which of two threads a signal wakes is not known.
 *
 * treadle: -k --spurious=0
 * expect: runs 20
 * expect: events 134
 * expect: verdict bug
 * expect: finding assert cond_whom.c:50
 *
 * treadle: --search=all -k --spurious=0
 * expect: runs 368
 * expect: events 209
 * expect: verdict bug
 * expect: finding assert cond_whom.c:50 */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int waiting, first;

static void *wait_for_it(void *arg)
{
    pthread_mutex_lock(&m);
    waiting++;
    pthread_cond_wait(&c, &m);
    if (!first)
        first = arg ? 2 : 1;
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    int n = 0;
    pthread_create(&a, NULL, wait_for_it, NULL);
    pthread_create(&b, NULL, wait_for_it, &n);
    pthread_mutex_lock(&m);
    n = waiting;
    if (n == 2) {
        pthread_cond_signal(&c);
        pthread_cond_signal(&c);
    }
    pthread_mutex_unlock(&m);
    if (n < 2)
        return 0;
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(first == 1);
    return 0;
}
