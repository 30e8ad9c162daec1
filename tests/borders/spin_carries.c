/* SPDX-License-Identifier: Apache-2.0 */
/* The loop carries what it has read.
 *
 * treadle: -k
 * cflags: -g -O0
 * expect: verdict bug
 * expect: finding race spin_carries.c:23 spin_carries.c:32
 * expect: finding race spin_carries.c:23 spin_carries.c:33
 * treadle: -k
 * cflags: -g -O2
 * expect: verdict bug
 * expect: finding race spin_carries.c:23 spin_carries.c:32
 * expect: finding race spin_carries.c:23 spin_carries.c:33 */
#include <assert.h>
#include <pthread.h>

static volatile int stage;

static void *f(void *a)
{
    int seen = 0;
    while (seen < 2)
        seen = stage;
    assert(seen == 2);
    return a;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, f, NULL);
    stage = 1;
    stage = 2;
    pthread_join(t, NULL);
    return 0;
}
