/* SPDX-License-Identifier: Apache-2.0 */
/* A wait in a function of its own, which is called in a loop: a spurious wakeup does no harm.
 *
 * treadle: -k
 * expect: verdict complete */
#include <assert.h>
#include <threads.h>

static mtx_t m;
static cnd_t c;
static int ready;

__attribute__((noinline)) static void wait_here(void)
{
    cnd_wait(&c, &m);
}

static int wake(void *arg)
{
    mtx_lock(&m);
    ready = 1;
    cnd_signal(&c);
    mtx_unlock(&m);
    return arg != NULL;
}

int main(void)
{
    thrd_t t;
    mtx_init(&m, mtx_plain);
    cnd_init(&c);
    thrd_create(&t, wake, NULL);
    mtx_lock(&m);
    while (!ready)
        wait_here();
    assert(ready);
    mtx_unlock(&m);
    thrd_join(t, NULL);
    return 0;
}
