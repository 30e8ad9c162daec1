/* SPDX-License-Identifier: Apache-2.0 */
/* Threads of C11 that count under a lock.
 *
 * treadle: --search=all
 * expect: runs 10
 * expect: events 21
 * expect: traces 2
 * expect: verdict complete
 * hand: 0
 *
 * treadle:
 * expect: runs 2
 * expect: events 11
 * expect: verdict complete
 * hand: 0 */
#include <stddef.h>
#include <threads.h>

static mtx_t m;
static int n;

static int worker(void *arg)
{
    mtx_lock(&m);
    n++;
    mtx_unlock(&m);
    return arg != NULL;
}

int main(void)
{
    thrd_t a, b;
    mtx_init(&m, mtx_plain);
    thrd_create(&a, worker, NULL);
    thrd_create(&b, worker, NULL);
    thrd_join(a, NULL);
    thrd_join(b, NULL);
    return n != 2;
}
