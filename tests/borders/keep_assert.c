/* SPDX-License-Identifier: Apache-2.0 */
/* A race beside a thread that fails, which stands in every run that shows the race.
 *
 * treadle: -k
 * cflags: -O0
 * expect: finding assert keep_assert.c:19
 * expect: finding race keep_assert.c:27 keep_assert.c:36
 * expect: verdict bug */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static int k0, k1;
static atomic_int a;

static void *fails(void *arg)
{
    assert(arg);
    return arg;
}

static void *copies(void *arg)
{
    pthread_t t;
    pthread_create(&t, NULL, fails, NULL);
    k1 = k0;
    atomic_fetch_add(&a, 2);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, copies, NULL);
    k0 = k1;
    return 0;
}
