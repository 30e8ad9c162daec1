/* SPDX-License-Identifier: Apache-2.0 */
/* A handler makes a thread and joins it.
 *
 * treadle:
 * hand: 0
 * expect: verdict complete
 *
 * treadle: --search=all
 * expect: verdict complete */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int a;

static void *body(void *arg)
{
    a = 1;
    return arg;
}

static void handler(void)
{
    pthread_t t;
    pthread_create(&t, NULL, body, NULL);
    pthread_join(t, NULL);
    assert(a == 1);
}

int main(void)
{
    atexit(handler);
    return 0;
}
