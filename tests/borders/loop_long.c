/* SPDX-License-Identifier: Apache-2.0 */
/* A long loop that computes is none that waits.
 *
 * treadle:
 * cflags: -g -O0
 * expect: verdict complete
 * expect: runs 1 */
#include <assert.h>
#include <pthread.h>

static long left = 100000, sum;

static void *f(void *a)
{
    while (left > 0) {
        sum += left % 3;
        left--;
    }
    return a;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, f, NULL);
    pthread_join(t, NULL);
    assert(left == 0 && sum > 0);
    return 0;
}
