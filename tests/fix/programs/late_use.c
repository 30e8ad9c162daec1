/* SPDX-License-Identifier: Apache-2.0 */
/* fix: none
 * drops: the place of the failure is not reached
 * idea: close after the join. With the use before the close the assertion is never reached, so nothing shows that it holds */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int is_closed;

static void *use(void *arg)
{
    if (atomic_load(&is_closed))
        assert(!"used after close");
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, use, NULL);
    atomic_store(&is_closed, 1);
    pthread_join(t, NULL);
    return 0;
}
