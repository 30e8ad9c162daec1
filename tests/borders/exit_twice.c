/* SPDX-License-Identifier: Apache-2.0 */
/* Two threads call exit: handlers are called once, in either thread. Another one is registered
 * meanwhile, and is called or not.
 *
 * treadle: --exit-code=ignore
 * expect: verdict complete
 *
 * treadle: --search=all --exit-code=ignore
 * expect: verdict complete
 *
 * treadle:
 * expect: verdict bug
 * expect: finding exit exit_twice.c:41 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int n, late;

static void handler(void)
{
    assert(atomic_fetch_add(&n, 1) == 0);
}
static void another(void)
{
    assert(atomic_fetch_add(&late, 1) == 0);
}

static void *registers(void *arg)
{
    atexit(another);
    return arg;
}

static void *body(void *arg)
{
    pthread_t t;
    pthread_create(&t, NULL, registers, NULL);
    (void)arg;
    exit(1);
}

int main(void)
{
    pthread_t t;
    atexit(handler);
    pthread_create(&t, NULL, body, NULL);
    return 0;
}
