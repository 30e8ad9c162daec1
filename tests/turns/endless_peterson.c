/* SPDX-License-Identifier: Apache-2.0 */
/* Peterson's lock, taken and given back without end. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int wants[2], turn;
static int inside; /* guarded by the lock */

static void *work(void *arg)
{
    int me = arg != NULL, other = !me;
    for (;;) {
        atomic_store(&wants[me], 1);
        atomic_store(&turn, other);
        while (atomic_load(&wants[other]) && atomic_load(&turn) == other)
            ;
        inside++;
        assert(inside == 1);
        inside--;
        atomic_store(&wants[me], 0);
    }
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, NULL, work, NULL);
    pthread_create(&second, NULL, work, &turn);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
