/* SPDX-License-Identifier: Apache-2.0 */
/* Two mutexes of C11 in opposite orders.
 *
 * treadle: --search=all
 * expect: verdict bug
 * expect: finding deadlock c11_deadlock.c:19
 *
 * treadle:
 * expect: verdict bug
 * expect: finding deadlock c11_deadlock.c:19 */
#include <stddef.h>
#include <threads.h>

static mtx_t a, b;

static int worker(void *arg)
{
    mtx_lock(&b);
    mtx_lock(&a);
    mtx_unlock(&a);
    mtx_unlock(&b);
    return arg != NULL;
}

int main(void)
{
    thrd_t t;
    mtx_init(&a, mtx_plain);
    mtx_init(&b, mtx_plain);
    thrd_create(&t, worker, NULL);
    mtx_lock(&a);
    mtx_lock(&b);
    mtx_unlock(&b);
    mtx_unlock(&a);
    thrd_join(t, NULL);
    return 0;
}
