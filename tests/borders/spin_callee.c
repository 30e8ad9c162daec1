/* SPDX-License-Identifier: Apache-2.0 */
/* The read that a loop waits for is in a function that it calls.
 *
 * treadle: -k
 * cflags: -g -O0
 * expect: verdict bug
 * expect: finding race spin_callee.c:33 spin_callee.c:48
 * expect: finding race spin_callee.c:40 spin_callee.c:49
 * expect: finding assert spin_callee.c:40
 * treadle: -k --timeout=100ms
 * cflags: -g -O0
 * expect: verdict bug
 * expect: finding race spin_callee.c:33 spin_callee.c:48
 * expect: finding race spin_callee.c:40 spin_callee.c:49
 * expect: finding assert spin_callee.c:40
 * treadle:
 * cflags: -g -O0
 * expect: verdict bug
 * expect: finding race spin_callee.c:33 spin_callee.c:48
 * treadle: -k
 * cflags: -g -O2
 * expect: verdict bug
 * expect: finding race spin_callee.c:33 spin_callee.c:48
 * expect: finding race spin_callee.c:40 spin_callee.c:49
 * expect: finding assert spin_callee.c:40 */
#include <assert.h>
#include <pthread.h>

static volatile int flag, x;

static int empty(void)
{
    return flag == 0;
}

static void *f(void *a)
{
    while (empty())
        continue;
    assert(x == 1);
    return a;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, f, NULL);
    flag = 1;
    x = 1;
    pthread_join(t, NULL);
    return 0;
}
