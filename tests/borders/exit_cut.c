/* SPDX-License-Identifier: Apache-2.0 */
/* Nothing happens after the last handler: a thread is cut short where it is then, and what it did
 * before is seen by handlers only where they come later.
 *
 * treadle:
 * expect: verdict complete
 *
 * treadle: --search=all
 * expect: verdict complete */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int a, b;

static void last(void)
{
    int second = atomic_load(&b), first = atomic_load(&a);
    assert(second <= first);
}

static void *body(void *arg)
{
    atomic_store(&a, 1);
    atomic_store(&b, 1);
    return arg;
}

int main(void)
{
    pthread_t t;
    atexit(last);
    pthread_create(&t, NULL, body, NULL);
    return 0;
}
