/* SPDX-License-Identifier: Apache-2.0 */
/* A new thread has the rounding mode of its creator, and keeps its own.
 *
 * treadle: -k
 * cflags: -lm
 * expect: verdict complete */
#include <assert.h>
#include <fenv.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *deeper(void *arg)
{
    assert(fegetround() == FE_DOWNWARD);
    return arg;
}

static void *thread(void *arg)
{
    pthread_t t;
    assert(fegetround() == FE_UPWARD);
    fesetround(FE_DOWNWARD);
    atomic_fetch_add(&x, 1);
    assert(fegetround() == FE_DOWNWARD);
    pthread_create(&t, NULL, deeper, NULL);
    pthread_join(t, NULL);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    fesetround(FE_UPWARD);
    pthread_create(&a, NULL, thread, NULL);
    pthread_create(&b, NULL, thread, NULL);
    atomic_fetch_add(&x, 1);
    assert(fegetround() == FE_UPWARD);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
