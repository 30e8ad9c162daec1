/* SPDX-License-Identifier: Apache-2.0 */
/* A constructor starts a thread.
 *
 * treadle:
 * cflags: -g -O1
 * expect: verdict bug
 * expect: finding assert ctor_thread.c:31 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;
static pthread_t t;
static void *add(void *arg)
{
    int v = atomic_load(&x);
    atomic_store(&x, v + 1);
    return arg;
}

__attribute__((constructor)) static void init(void)
{
    pthread_create(&t, NULL, add, NULL);
}

int main(void)
{
    add(NULL);
    pthread_join(t, NULL);

    assert(x == 2);
    return 0;
}
