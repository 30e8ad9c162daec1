/* SPDX-License-Identifier: Apache-2.0 */
/* fix: section
 * edit
 * drops: an operation of runs that passed is lost
 * idea: add both at once. With the second addition before the look nothing is ever empty */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int n, was_empty;

static void *add_pair(void *arg)
{
    atomic_fetch_add(&n, 1);
    atomic_fetch_add(&n, 1);
    return arg;
}

static void *look(void *arg)
{
    int seen = atomic_load(&n);
    if (seen == 0)
        atomic_store(&was_empty, 1);
    else
        assert(seen % 2 == 0);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, look, NULL);
    pthread_create(&b, NULL, add_pair, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
