/* SPDX-License-Identifier: Apache-2.0 */
/* An input decides whether another thread is created, as in `while (__VERIFIER_nondet_int())`: the first run ends at
 * once, others do not. The assertion fails once three threads have been there.
 *
 * treadle: --time=60s
 * expect: verdict bug
 * expect: finding assert endless_input.c:18 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <treadle.h>

static atomic_int n;

static void *count(void *arg)
{
    int before = atomic_fetch_add(&n, 1);
    assert(before < 2);
    return arg;
}

int main(void)
{
    while (treadle_bits(1, "more")) {
        pthread_t t;
        pthread_create(&t, NULL, count, NULL);
    }
    return 0;
}
