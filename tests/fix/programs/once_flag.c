/* SPDX-License-Identifier: Apache-2.0 */
/* fix: section
 * edit
 * idea: test and set in one step, or under a lock */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int is_made, n_made;

static void make_once(void)
{
    if (!atomic_load(&is_made)) {
        atomic_fetch_add(&n_made, 1);
        atomic_store(&is_made, 1);
    }
}

static void *user(void *arg)
{
    make_once();
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, user, NULL);
    pthread_create(&b, NULL, user, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(n_made == 1);
    return 0;
}
