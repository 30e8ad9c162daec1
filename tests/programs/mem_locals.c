/* SPDX-License-Identifier: Apache-2.0 */
/* A thread-local variable of a thread that has ended.
 *
 * treadle:
 * expect: verdict bug
 * expect: finding memory mem_locals.c:24
 * expect: says in a thread-local variable of T1, which has exited
 * treadle: --search=all
 * expect: verdict bug
 * expect: finding memory mem_locals.c:24 */
#include <pthread.h>
#include <stddef.h>

static __thread int counter;

static void *worker(void *arg)
{
    (void)arg;
    return &counter;
}

static int value_at(const int *p)
{
    return *p;
}

int main(void)
{
    pthread_t t;
    void *result;
    pthread_create(&t, NULL, worker, NULL);
    pthread_join(t, &result);
    return value_at(result);
}
