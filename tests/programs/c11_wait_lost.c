/* SPDX-License-Identifier: Apache-2.0 */
/* The waiter of C11 does not look before it waits: the signal is lost.
 *
 * treadle: --search=all
 * expect: verdict bug
 * expect: finding deadlock c11_wait_lost.c:22
 *
 * treadle:
 * expect: verdict bug
 * expect: finding deadlock c11_wait_lost.c:22 */
#include <stddef.h>
#include <threads.h>

static mtx_t m;
static cnd_t c;
static int ready;

static int waiter(void *arg)
{
    mtx_lock(&m);
    while (!ready)
        cnd_wait(&c, &m);
    mtx_unlock(&m);
    return arg != NULL;
}

int main(void)
{
    thrd_t t;
    mtx_init(&m, mtx_plain);
    cnd_init(&c);
    thrd_create(&t, waiter, NULL);
    cnd_signal(&c);
    mtx_lock(&m);
    ready = 1;
    mtx_unlock(&m);
    thrd_join(t, NULL);
    cnd_destroy(&c);
    mtx_destroy(&m);
    return 0;
}
