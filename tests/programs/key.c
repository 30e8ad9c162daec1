/* SPDX-License-Identifier: Apache-2.0 */
/* Values by key are each thread's own; destructors run when it ends, keys made first
 * come first.
 *
 * treadle: --search=all
 * expect: runs 19
 * expect: events 34
 * expect: traces 4
 * expect: verdict complete
 * hand: 0
 *
 * treadle:
 * expect: runs 4
 * expect: events 14
 * expect: verdict complete
 * hand: 0 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_key_t first, second;
static atomic_int order;

static void end_first(void *p)
{
    assert(*(int *)p == 0);
    *(int *)p = 1;
    atomic_fetch_add(&order, 1);
}

static void end_second(void *p)
{
    assert(*(int *)p == 1);
    *(int *)p = 2;
}

static void *worker(void *arg)
{
    assert(pthread_getspecific(first) == NULL);
    int rc = pthread_setspecific(second, arg);
    assert(rc == 0);
    rc = pthread_setspecific(first, arg);
    assert(rc == 0 && pthread_getspecific(first) == arg);
    if (atomic_load(&order) > 0)
        pthread_exit(NULL);
    return NULL;
}

int main(void)
{
    static int cells[2];
    pthread_t a, b;
    pthread_key_create(&first, end_first);
    pthread_key_create(&second, end_second);
    pthread_setspecific(first, cells);
    pthread_create(&a, NULL, worker, &cells[0]);
    pthread_create(&b, NULL, worker, &cells[1]);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(cells[0] == 2 && cells[1] == 2 && pthread_getspecific(first) == cells);
    return 0;
}
