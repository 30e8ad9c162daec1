/* SPDX-License-Identifier: Apache-2.0 */
/* fix: section
 * edit
 * drops: an operation of runs that passed is lost
 * idea: set both bits at once. With the second bit before the look nobody has to ask again */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint bits, n_asked_again;

static void *offer(void *arg)
{
    atomic_fetch_or(&bits, 1);
    atomic_fetch_or(&bits, 2);
    return arg;
}

static void *ask(void *arg)
{
    unsigned seen = atomic_load(&bits);
    if (seen == 0)
        atomic_exchange(&n_asked_again, 1);
    else
        assert(seen == 3);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, offer, NULL);
    pthread_create(&b, NULL, ask, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
