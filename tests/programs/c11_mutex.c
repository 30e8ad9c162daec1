/* SPDX-License-Identifier: Apache-2.0 */
/* C11 mutexes of all types, with what they return.
 *
 * treadle: --search=all
 * expect: runs 41
 * expect: events 162
 * expect: traces 15
 * expect: verdict complete
 * hand: 0
 *
 * treadle:
 * expect: runs 15
 * expect: events 117
 * expect: verdict complete
 * hand: 0 */
#include <assert.h>
#include <stddef.h>
#include <threads.h>

static mtx_t plain, recursive, timed;
static int n;

static void check(int want, int got)
{
    assert(want == got);
}

static int worker(void *arg)
{
    struct timespec until = {2000000000, 0};
    int rc = mtx_trylock(&plain);
    if (rc == thrd_success) {
        n++;
        check(thrd_success, mtx_unlock(&plain));
    } else {
        check(thrd_busy, rc);
    }
    rc = mtx_timedlock(&timed, &until);
    if (rc == thrd_success)
        check(thrd_success, mtx_unlock(&timed));
    else
        check(thrd_timedout, rc);
    return arg != NULL;
}

int main(void)
{
    thrd_t t;
    check(thrd_success, mtx_init(&plain, mtx_plain));
    check(thrd_success, mtx_init(&timed, mtx_timed));
    check(thrd_success, mtx_init(&recursive, mtx_plain | mtx_recursive));
    check(thrd_success, mtx_lock(&recursive));
    check(thrd_success, mtx_lock(&recursive));
    check(thrd_success, mtx_unlock(&recursive));
    check(thrd_success, mtx_unlock(&recursive));
    check(thrd_success, thrd_create(&t, worker, NULL));
    check(thrd_success, mtx_lock(&plain));
    n++;
    check(thrd_success, mtx_unlock(&plain));
    check(thrd_success, mtx_lock(&timed));
    check(thrd_success, mtx_unlock(&timed));
    check(thrd_success, thrd_join(t, NULL));
    assert(n == 1 || n == 2);
    mtx_destroy(&plain);
    mtx_destroy(&recursive);
    mtx_destroy(&timed);
    return 0;
}
