/* SPDX-License-Identifier: Apache-2.0 */
/* C11 threads: what they return, who they are, detached ones.
 *
 * treadle: --search=all
 * expect: runs 11
 * expect: events 20
 * expect: traces 2
 * expect: verdict complete
 * hand: 0
 *
 * treadle:
 * expect: runs 2
 * expect: events 9
 * expect: verdict complete
 * hand: 0 */
#include <assert.h>
#include <stdatomic.h>
#include <stddef.h>
#include <threads.h>

static atomic_int n;

static int worker(void *arg)
{
    thrd_yield();
    assert(thrd_equal(thrd_current(), thrd_current()));
    atomic_fetch_add(&n, 1);
    if (arg != NULL)
        thrd_exit(7);
    return -3;
}

static int leaver(void *arg)
{
    int rc = thrd_detach(thrd_current());
    assert(rc == thrd_success && arg == NULL);
    return 0;
}

int main(void)
{
    thrd_t a, b, c;
    int result;
    struct timespec second = {1, 0};
    int rc = thrd_create(&a, worker, NULL);
    assert(rc == thrd_success);
    rc = thrd_create(&b, worker, &n);
    assert(rc == thrd_success && !thrd_equal(a, b));
    rc = thrd_create(&c, leaver, NULL);
    assert(rc == thrd_success);
    rc = thrd_sleep(&second, NULL);
    assert(rc == 0);
    rc = thrd_join(a, &result);
    assert(rc == thrd_success && result == -3);
    rc = thrd_join(b, &result);
    assert(rc == thrd_success && result == 7 && n == 2);
    return 0;
}
