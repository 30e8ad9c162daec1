/* SPDX-License-Identifier: Apache-2.0 */
/* lastzero N: N threads write array[k] = array[k - 1] + 1, k from 1 to N, while another one
 * looks for the zero with the highest index. */
#include <assert.h>
#include <stdatomic.h>

#include "common.h"

static atomic_int array[MAX_THREADS];
static int n;

static void *last_zero(void *number)
{
    int k = n;
    while (atomic_load(&array[k]) != 0)
        k--;
    assert(k >= 0);
    return NULL;
}

static void *writer(void *number)
{
    intptr_t k = (intptr_t)number + 1;
    int below = atomic_load(&array[k - 1]);
    atomic_store(&array[k], below + 1);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t t[MAX_THREADS];
    n = size_arg(argc, argv, 1, 8, MAX_THREADS - 1);
    start(last_zero, 0);
    start_all(t, n, writer);
    return leave();
}
