/* SPDX-License-Identifier: Apache-2.0 */
/* A waiter and a signal, in C11.
 *
 * treadle: --search=all
 * expect: runs 3
 * expect: events 27
 * expect: traces 2
 * expect: verdict complete
 * hand: 0
 *
 * treadle:
 * expect: runs 2
 * expect: events 21
 * expect: verdict complete
 * hand: 0 */
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
    mtx_lock(&m);
    ready = 1;
    cnd_signal(&c);
    mtx_unlock(&m);
    thrd_join(t, NULL);
    cnd_destroy(&c);
    mtx_destroy(&m);
    return 0;
}
