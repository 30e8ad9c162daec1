/* SPDX-License-Identifier: Apache-2.0 */
/* pthread_kill with 0 asks only.
 *
 * treadle: --search=all
 * expect: runs 1
 * expect: events 4
 * expect: traces 1
 * expect: verdict complete
 * hand: 0
 *
 * treadle:
 * expect: runs 1
 * expect: events 1
 * expect: verdict complete
 * hand: 0 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>

static void *worker(void *arg)
{
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    int rc = pthread_kill(t, 0);
    assert(rc == 0);
    rc = pthread_kill(pthread_self(), 1000);
    assert(rc == EINVAL);
    pthread_join(t, NULL);
    return 0;
}
