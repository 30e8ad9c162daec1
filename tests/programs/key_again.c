/* SPDX-License-Identifier: Apache-2.0 */
/* A destructor that sets the value again is called again, four times in all.
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
#include <limits.h>
#include <pthread.h>
#include <stddef.h>

static pthread_key_t key;
static int n;

static void again(void *p)
{
    n++;
    pthread_setspecific(key, p);
}

static void *worker(void *arg)
{
    pthread_setspecific(key, &n);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_key_create(&key, again);
    pthread_create(&t, NULL, worker, NULL);
    pthread_join(t, NULL);
    assert(n == PTHREAD_DESTRUCTOR_ITERATIONS);
    return 0;
}
