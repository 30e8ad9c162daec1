/* SPDX-License-Identifier: Apache-2.0 */
/* A handler of on_exit checks what threads left behind.
 *
 * treadle:
 * expect: verdict bug
 * expect: finding assert onexit.c:26
 */
#define _DEFAULT_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int x;

static void *add(void *p)
{
    int v = atomic_load(&x);
    atomic_store(&x, v + 1);
    return p;
}

static void fin(int code, void *p)
{
    (void)code, (void)p;
    assert(atomic_load(&x) == 2);
}

int main(void)
{
    on_exit(fin, 0);
    pthread_t t, u;
    pthread_create(&t, 0, add, 0);
    pthread_create(&u, 0, add, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
