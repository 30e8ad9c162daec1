/* SPDX-License-Identifier: Apache-2.0 */
/* Whether the destructor still runs depends on who is first.
 *
 * treadle: --search=all
 * expect: runs 6
 * expect: events 19
 * expect: traces 2
 * expect: verdict complete
 * hand: 0
 *
 * treadle:
 * expect: runs 2
 * expect: events 13
 * expect: verdict complete
 * hand: 0 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_key_t key;
static atomic_int n;

static void count(void *p)
{
    atomic_fetch_add((atomic_int *)p, 1);
}

static void *worker(void *arg)
{
    pthread_setspecific(key, &n);
    sem_post(arg);
    return NULL;
}

int main(void)
{
    static sem_t is_set;
    pthread_t t;
    sem_init(&is_set, 0, 0);
    pthread_key_create(&key, count);
    pthread_create(&t, NULL, worker, &is_set);
    sem_wait(&is_set);
    int rc = pthread_key_delete(key);
    assert(rc == 0);
    pthread_join(t, NULL);
    assert(n == 0 || n == 1);
    return 0;
}
