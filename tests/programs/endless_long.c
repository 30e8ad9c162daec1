/* SPDX-License-Identifier: Apache-2.0 */
/* A long program is not one without an end: its first run ends, and no other one is twice as long. It is explored as a
 * short one is, with as many runs; two threads meet once, at x.
 *
 * treadle:
 * expect: runs 2
 * expect: verdict complete
 *
 * treadle: --search=all
 * expect: verdict complete */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, own;

static void *set(void *arg)
{
    atomic_store(&x, 1);
    return arg;
}

int main(void)
{
    pthread_t t;
    for (int i = 0; i < 10000; i++)
        atomic_fetch_add(&own, 1);
    pthread_create(&t, NULL, set, NULL);
    (void)atomic_load(&x);
    pthread_join(t, NULL);
    return 0;
}
