/* SPDX-License-Identifier: Apache-2.0 */
/* A key made before main works like any other.
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
#include <pthread.h>
#include <stddef.h>

static pthread_key_t key;
static int n;

static void count(void *p)
{
    *(int *)p += 1;
}

__attribute__((constructor)) static void before(void)
{
    pthread_key_create(&key, count);
    pthread_setspecific(key, &key);
}

static void *worker(void *arg)
{
    assert(pthread_getspecific(key) == NULL);
    pthread_setspecific(key, &n);
    assert(pthread_getspecific(key) == &n);
    return arg;
}

int main(void)
{
    pthread_t t;
    assert(pthread_getspecific(key) == &key);
    pthread_create(&t, NULL, worker, NULL);
    pthread_join(t, NULL);
    assert(n == 1);
    return 0;
}
