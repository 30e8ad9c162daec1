/* SPDX-License-Identifier: Apache-2.0 */
/* A number travels as a pointer through a function that only hands it on.
 *
 * treadle:
 * expect: verdict bug
 * expect: finding assert pointer_passed_on.c:15
 */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <treadle.h>

static __attribute__((noinline)) void check(void *p)
{
    assert((intptr_t)p != 77);
}

static void *run(void *p)
{
    check(p);
    return p;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, run, (void *)(intptr_t)treadle_u8("n"));
    pthread_join(t, NULL);
    return 0;
}
