/* SPDX-License-Identifier: Apache-2.0 */
/* fix: none
 * drops: the place of the failure is not reached
 * idea: compute the sum before the phase changes. With the look before the change nothing is compared */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int phase = 1;
static const int parts[2] = {3, 4};
static int sum;

static void *compare(void *arg)
{
    int now = atomic_load(&phase);
    if (now == 2)
        assert(sum == parts[0] + parts[1]);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, compare, NULL);
    atomic_fetch_add(&phase, 1);
    pthread_join(t, NULL);
    return 0;
}
