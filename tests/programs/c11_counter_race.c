/* SPDX-License-Identifier: Apache-2.0 */
/* Threads of C11 that count, and forget to lock.
 *
 * treadle: --search=all
 * expect: verdict bug
 * expect: finding race c11_counter_race.c:19 c11_counter_race.c:19
 *
 * treadle:
 * expect: verdict bug
 * expect: finding race c11_counter_race.c:19 c11_counter_race.c:19 */
#include <stddef.h>
#include <threads.h>

static mtx_t m;
static int n;

static int worker(void *arg)
{
    n++;
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
