/* SPDX-License-Identifier: Apache-2.0 */
/* fix: section
 * edit
 * drops: an operation of runs that passed is lost
 * idea: both stores in one section; the look as well. With the second store before the look nobody comes too early */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int state, n_early;

static void *look(void *arg)
{
    int seen = atomic_load(&state);
    if (seen == 0)
        atomic_fetch_add(&n_early, 1);
    else
        assert(seen == 2);
    return arg;
}

static void *set(void *arg)
{
    atomic_store(&state, 1);
    atomic_store(&state, 2);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, look, NULL);
    pthread_create(&b, NULL, set, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
