/* SPDX-License-Identifier: Apache-2.0 */
/* fix: order
 * edit: not one statement that can be moved
 * held out
 * idea: read the result behind the join */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int result;

static void *compute(void *arg)
{
    atomic_store(&result, 5);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, compute, NULL);
    int got = atomic_load(&result);
    assert(got == 5);
    pthread_join(t, NULL);
    return 0;
}
