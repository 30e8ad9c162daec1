/* SPDX-License-Identifier: Apache-2.0 */
/* A ring of two places between a writer and a reader; indexes count modulo 4. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint head, tail;
static int places[2];

static void *write_all(void *arg)
{
    for (int bit = 0;; bit = !bit) {
        while (((atomic_load(&tail) - atomic_load(&head)) & 3) == 2)
            ;
        unsigned at = atomic_load(&tail);
        places[at & 1] = bit;
        atomic_store(&tail, (at + 1) & 3);
    }
    return arg;
}

int main(void)
{
    pthread_t writer;
    pthread_create(&writer, NULL, write_all, NULL);
    for (int bit = 0;; bit = !bit) {
        while (atomic_load(&tail) == atomic_load(&head))
            ;
        unsigned at = atomic_load(&head);
        assert(places[at & 1] == bit);
        atomic_store(&head, (at + 1) & 3);
    }
}
